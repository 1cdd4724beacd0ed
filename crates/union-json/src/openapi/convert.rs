//! Converts whole documents between v2 and v3.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::bodies::{
    PARAMETERS, REQUEST_BODIES, SharedBodies, body_to_parameter, is_body, parameter_to_body,
    reference,
};
use super::content::{content_media_types, content_to_v2, content_to_v3};
use super::grammar::{METHODS, ObjectType, visit};
use super::version_keywords::{self, rename};
use k8s_json_internals::deep;
use k8s_json_internals::equality::deep_equal;

/// The keywords of shared components: at the top level of a v2 document, and in the `components` of
/// a v3 document.
const COMPONENTS: [(&str, &str); 4] = [
    ("definitions", "schemas"),
    ("parameters", "parameters"),
    ("responses", "responses"),
    ("securityDefinitions", "securitySchemes"),
];

/// The keywords of a v3 parameter itself. All other keywords are in the `schema` of a v3 parameter,
/// but in a v2 parameter itself.
const PARAMETER_KEYWORDS: [&str; 14] = [
    "name",
    "in",
    "description",
    "required",
    "deprecated",
    // The extension that replaces `deprecated` in v2.
    "x-deprecated",
    "schema",
    "content",
    "allowEmptyValue",
    "allowReserved",
    "example",
    "examples",
    "explode",
    "style",
];

/// Converts a v3 document, or a single schema, to v2 (KEP-1027, section "`OpenAPI`"). Unions, enum
/// types and all other extensions are preserved. Data and names of the author are not changed.
///
/// A keyword that v2 does not have becomes an extension: `nullable` becomes `x-nullable`, and
/// `oneOf` becomes `x-oneOf`. If the author uses an extension with such a name, the extension gets
/// another `x-`. A discriminator becomes the name of its property. If the discriminator has a
/// mapping, `x-discriminator` also keeps the whole discriminator.
///
/// ```
/// use serde_json::json;
/// use union_json::openapi::{to_openapi_v2, to_openapi_v3};
///
/// let schema = json!({"$ref": "#/components/schemas/Source", "nullable": true});
/// let v2 = to_openapi_v2(schema.clone());
/// assert_eq!(v2, json!({"$ref": "#/definitions/Source", "x-nullable": true}));
/// assert_eq!(to_openapi_v3(v2), schema);
/// ```
///
/// A request or response with several media types gets the schema of the first media type, and
/// `x-content` keeps all of them. If a parameter and its schema have the same keyword, `x-schema`
/// keeps the whole schema. A shared request body becomes a shared parameter. If a parameter already
/// has the name of the body, the body gets another name, and `x-request-body` keeps the name in v3.
/// `x-requestBody` keeps a reference to a missing request body.
#[must_use]
pub fn to_openapi_v2(mut document: Value) -> Value {
    visit(&mut document, &mut version_keywords::add_prefix);
    let bodies = SharedBodies::from_v3(&document);
    visit(&mut document, &mut |object_type, object| {
        if object_type == ObjectType::Parameter {
            parameter_to_v2(object);
        }
        version_keywords::keywords_to_v2(object_type, object);
        convert_references(object, |v2, v3| {
            (format!("#/components/{v3}/"), format!("#/{v2}/"))
        });
    });
    for_each_operation(&mut document, &mut |object| {
        operation_to_v2(object, &bodies);
    });
    if let Value::Object(top) = &mut document
        && top.remove("openapi").is_some()
    {
        top.insert("swagger".into(), "2.0".into());
        if let Some(components) = top.remove("components") {
            components_to_v2(top, components, &bodies);
        }
    }
    document
}

/// Converts a v2 document, or a single schema, to v3: the inverse of [`to_openapi_v2`].
#[must_use]
pub fn to_openapi_v3(mut document: Value) -> Value {
    let media = default_media_types(&document);
    let bodies = SharedBodies::from_v2(&document);
    for_each_operation(&mut document, &mut |object| {
        operation_to_v3(object, &media, &bodies);
    });
    bodies.move_from_parameters(&mut document, &media.consumes);
    if let Some(Value::Object(responses)) = document.get_mut("responses") {
        for response in responses.values_mut().filter_map(Value::as_object_mut) {
            content_to_v3(response, &media.produces);
        }
    }
    visit(&mut document, &mut |object_type, object| {
        if object_type == ObjectType::Parameter {
            parameter_to_v3(object);
        }
        version_keywords::keywords_to_v3(object_type, object);
        convert_references(object, |v2, v3| {
            (format!("#/{v2}/"), format!("#/components/{v3}/"))
        });
    });
    if let Value::Object(top) = &mut document
        && top.remove("swagger").is_some()
    {
        top.insert("openapi".into(), "3.0.0".into());
        top.remove("consumes");
        top.remove("produces");
        rename(top, "x-components", "components");
        for (v2, v3) in COMPONENTS {
            if top.get("components").is_none_or(Value::is_object)
                && let Some(shared) = top.remove(v2)
                && let Value::Object(components) =
                    top.entry("components").or_insert_with(|| json!({}))
            {
                deep::insert(components, v3, shared);
            }
        }
    }
    visit(&mut document, &mut version_keywords::remove_prefix);
    document
}

/// Moves the components that v2 also has to the keywords of v2. `x-components` keeps all other
/// components, and also an empty `components`.
fn components_to_v2(top: &mut Map<String, Value>, mut components: Value, bodies: &SharedBodies) {
    let mut is_kept = true;
    if let Value::Object(components) = &mut components {
        let was_empty = components.is_empty();
        let had_no_parameters = components.get("parameters") == Some(&json!({}));
        let moved = bodies.move_to_parameters(components);
        for (v2, v3) in COMPONENTS {
            if let Some(mut shared) = components.remove(v3) {
                if v3 == "responses" {
                    shared_responses_to_v2(&mut shared);
                }
                top.insert(v2.into(), shared);
            }
        }
        if moved && had_no_parameters {
            components.insert("parameters".into(), json!({}));
        }
        is_kept = was_empty || !components.is_empty();
    }
    if is_kept {
        top.insert("x-components".into(), components);
    }
}

/// Converts the references of an object to the other version. For the v2 and v3 keywords of a
/// component, `prefixes` returns the old and the new prefix of references.
fn convert_references(
    object: &mut Map<String, Value>,
    prefixes: impl Fn(&str, &str) -> (String, String),
) {
    version_keywords::convert_object_references(object, &|reference| {
        for (v2, v3) in COMPONENTS {
            let (from, to) = prefixes(v2, v3);
            if let Some(name) = reference.strip_prefix(&from) {
                *reference = format!("{to}{name}");
                return;
            }
        }
    });
}

/// Returns true if the object is a parameter. A security scheme for an API key also has `name` and
/// `in`, but is not a parameter.
fn is_parameter(object: &Map<String, Value>) -> bool {
    let is_string = |key: &str| object.get(key).is_some_and(Value::is_string);
    is_string("in") && is_string("name") && object.get("type") != Some(&json!("apiKey"))
}

fn is_parameter_keyword(key: &str) -> bool {
    PARAMETER_KEYWORDS.contains(&key)
}

fn parameter_to_v2(object: &mut Map<String, Value>) {
    if !is_parameter(object) || object.get("in") == Some(&json!("body")) {
        return;
    }
    let Some(Value::Object(schema)) = object.get("schema") else {
        return;
    };
    // The conversion to v3 needs the whole schema in two cases: the parameter and the schema have
    // the same keyword, or the parameter itself has a keyword that usually belongs to a schema.
    let is_ambiguous = schema
        .keys()
        .any(|key| is_parameter_keyword(key) || object.contains_key(key))
        || object.keys().any(|key| !is_parameter_keyword(key));
    let is_in_both = |(key, value): &(&String, &Value)| {
        !is_parameter_keyword(key) && object.get(*key).is_some_and(|own| deep_equal(own, value))
    };
    let in_both = schema.iter().filter(is_in_both);
    let in_both: Value = in_both.map(|(key, _)| key.as_str()).collect();
    if in_both != json!([]) {
        object.insert("x-own".into(), in_both);
    }
    let schema = object.remove("schema").unwrap_or_default();
    if is_ambiguous {
        deep::insert(object, "x-schema", deep::copy(&schema));
    }
    if let Value::Object(schema) = schema {
        for (key, value) in schema {
            if is_parameter_keyword(&key) || object.contains_key(&key) {
                deep::discard(value);
            } else {
                object.insert(key, value);
            }
        }
    }
}

fn parameter_to_v3(object: &mut Map<String, Value>) {
    if !is_parameter(object) || object.contains_key("schema") || object.contains_key("content") {
        return;
    }
    if object.get("x-schema").is_some_and(Value::is_object)
        && let Some(Value::Object(schema)) = object.remove("x-schema")
    {
        // The keywords that are both in the parameter and in its schema, with equal values.
        let in_both = object.remove("x-own").unwrap_or_default();
        let in_both = in_both.as_array().into_iter().flatten();
        let in_both: HashSet<&str> = in_both.filter_map(Value::as_str).collect();
        for (key, value) in &schema {
            let is_copy = object.get(key).is_some_and(|own| deep_equal(own, value));
            if is_copy && !in_both.contains(&**key) && !is_parameter_keyword(key) {
                deep::remove(object, key);
            }
        }
        object.insert("schema".into(), schema.into());
        return;
    }
    let (parameter, schema): (Map<_, _>, Map<_, _>) = std::mem::take(object)
        .into_iter()
        .partition(|(key, _)| is_parameter_keyword(key));
    *object = parameter;
    object.insert("schema".into(), schema.into());
}

/// Calls `convert` for each operation of each path of the document.
fn for_each_operation(document: &mut Value, convert: &mut dyn FnMut(&mut Map<String, Value>)) {
    let Some(Value::Object(paths)) = document.get_mut("paths") else {
        return;
    };
    for path in paths.values_mut().filter_map(Value::as_object_mut) {
        for method in METHODS {
            if let Some(Value::Object(operation)) = path.get_mut(method) {
                convert(operation);
            }
        }
    }
}

/// Converts the shared responses. A shared response of v2 has no list of media types, so
/// `x-content` keeps the media types.
fn shared_responses_to_v2(responses: &mut Value) {
    let Value::Object(responses) = responses else {
        return;
    };
    for response in responses.values_mut().filter_map(Value::as_object_mut) {
        content_to_v2(response, &[]);
    }
}

fn operation_to_v2(object: &mut Map<String, Value>, bodies: &SharedBodies) {
    if let Some(body) = object.remove("requestBody") {
        body_to_v2(object, body, bodies);
    }
    let mut produces: Vec<Value> = Vec::new();
    if let Some(Value::Object(responses)) = object.get_mut("responses") {
        for ty in responses.values().flat_map(content_media_types) {
            if !produces.contains(&ty) {
                produces.push(ty);
            }
        }
        for response in responses.values_mut().filter_map(Value::as_object_mut) {
            content_to_v2(response, &produces);
        }
    }
    if !produces.is_empty() {
        object.insert("produces".into(), produces.into());
    }
}

/// Converts the request body of an operation to a parameter. A body that cannot be a parameter is
/// kept in `x-requestBody`.
fn body_to_v2(operation: &mut Map<String, Value>, body: Value, bodies: &SharedBodies) {
    let can_have_parameters = operation.get("parameters").is_none_or(Value::is_array);
    let types = content_media_types(&body);
    match body {
        Value::Object(mut body) if can_have_parameters && !body.contains_key("$ref") => {
            content_to_v2(&mut body, &types);
            operation.insert("consumes".into(), types.into());
            add_parameter(operation, body_to_parameter(body));
        }
        body => {
            let shared = body.as_object().filter(|_| can_have_parameters);
            let shared = shared.and_then(|body| bodies.referenced(body, REQUEST_BODIES));
            let Some(shared) = shared else {
                deep::insert(operation, "x-requestBody", body);
                return;
            };
            if !shared.types.is_empty() {
                operation.insert("consumes".into(), shared.types.clone().into());
            }
            add_parameter(operation, reference(PARAMETERS, &shared.other_name));
        }
    }
}

fn add_parameter(operation: &mut Map<String, Value>, parameter: Value) {
    if operation.get("parameters") == Some(&json!([])) {
        // Records that the list was present: the conversion to v3 removes a list that only contains
        // the body.
        operation.insert("x-parameters".into(), json!([]));
    }
    let parameters = operation.entry("parameters").or_insert_with(|| json!([]));
    if let Value::Array(parameters) = parameters {
        parameters.push(parameter);
    }
}

/// The default media types of a v2 document, for requests and for responses.
struct MediaTypes {
    consumes: Vec<Value>,
    produces: Vec<Value>,
}

fn default_media_types(document: &Value) -> MediaTypes {
    let list = |key: &str| match document.get(key) {
        Some(Value::Array(types)) => types.clone(),
        _ => vec![json!("application/json")],
    };
    MediaTypes {
        consumes: list("consumes"),
        produces: list("produces"),
    }
}

fn operation_to_v3(object: &mut Map<String, Value>, media: &MediaTypes, bodies: &SharedBodies) {
    rename(object, "x-requestBody", "requestBody");
    let take_types =
        |object: &mut Map<String, Value>, key: &str, default: &[Value]| match object.remove(key) {
            Some(Value::Array(types)) => types,
            _ => default.to_vec(),
        };
    let consumes = take_types(object, "consumes", &media.consumes);
    let produces = take_types(object, "produces", &media.produces);
    if let Some(Value::Array(parameters)) = object.get_mut("parameters") {
        let shared = |parameter: &Value| bodies.referenced(parameter.as_object()?, PARAMETERS);
        let is_body = |parameter: &Value| is_body(parameter) || shared(parameter).is_some();
        if let Some(index) = parameters.iter().position(is_body) {
            let parameter = parameters.remove(index);
            let is_empty = parameters.is_empty();
            let body = match (shared(&parameter), parameter) {
                (Some(shared), _) => reference(REQUEST_BODIES, &shared.other_name),
                (None, Value::Object(body)) => parameter_to_body(body, &consumes).into(),
                (None, other) => other,
            };
            deep::insert(object, "requestBody", body);
            if is_empty {
                object.remove("parameters");
                rename(object, "x-parameters", "parameters");
            }
        }
    }
    if let Some(Value::Object(responses)) = object.get_mut("responses") {
        for response in responses.values_mut().filter_map(Value::as_object_mut) {
            content_to_v3(response, &produces);
        }
    }
}
