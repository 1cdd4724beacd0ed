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

/// The keywords of shared components: first the keyword at the top level of a v2 document, then the
/// keyword in the `components` of a v3 document.
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
/// `x-content` keeps all schemas. If a parameter and its schema have the same keyword, `x-schema`
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
    if let Value::Object(root) = &mut document
        && root.remove("openapi").is_some()
    {
        root.insert("swagger".into(), "2.0".into());
        if let Some(components) = root.remove("components") {
            components_to_v2(root, components, &bodies);
        }
    }
    document
}

/// Converts a v2 document, or a single schema, to v3: the inverse of [`to_openapi_v2`].
#[must_use]
pub fn to_openapi_v3(mut document: Value) -> Value {
    let default_types = DefaultMediaTypes::of_document(&document);
    let bodies = SharedBodies::from_v2(&document);
    for_each_operation(&mut document, &mut |object| {
        operation_to_v3(object, &default_types, &bodies);
    });
    bodies.move_from_parameters(&mut document, &default_types.consumes);
    if let Some(Value::Object(responses)) = document.get_mut("responses") {
        for response in responses.values_mut().filter_map(Value::as_object_mut) {
            content_to_v3(response, &default_types.produces);
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
    if let Value::Object(root) = &mut document
        && root.remove("swagger").is_some()
    {
        root.insert("openapi".into(), "3.0.0".into());
        root.remove("consumes");
        root.remove("produces");
        rename(root, "x-components", "components");
        for (v2_keyword, v3_keyword) in COMPONENTS {
            if root.get("components").is_none_or(Value::is_object)
                && let Some(shared_objects) = root.remove(v2_keyword)
                && let Value::Object(components) =
                    root.entry("components").or_insert_with(|| json!({}))
            {
                deep::insert(components, v3_keyword, shared_objects);
            }
        }
    }
    visit(&mut document, &mut version_keywords::remove_prefix);
    document
}

/// Moves the components that v2 also has to the keywords of v2. `x-components` keeps all other
/// components, and also an empty `components`.
fn components_to_v2(root: &mut Map<String, Value>, mut components: Value, bodies: &SharedBodies) {
    let mut is_kept = true;
    if let Value::Object(components) = &mut components {
        let was_empty = components.is_empty();
        let had_no_parameters = components.get("parameters") == Some(&json!({}));
        let has_moved_bodies = bodies.move_to_parameters(components);
        for (v2_keyword, v3_keyword) in COMPONENTS {
            if let Some(mut shared_objects) = components.remove(v3_keyword) {
                if v3_keyword == "responses" {
                    shared_responses_to_v2(&mut shared_objects);
                }
                root.insert(v2_keyword.into(), shared_objects);
            }
        }
        if has_moved_bodies && had_no_parameters {
            components.insert("parameters".into(), json!({}));
        }
        is_kept = was_empty || !components.is_empty();
    }
    if is_kept {
        root.insert("x-components".into(), components);
    }
}

/// Converts the references of an object to the other version. For the v2 and v3 keywords of a
/// component, `prefixes` returns the old and the new prefix of references.
fn convert_references(
    object: &mut Map<String, Value>,
    prefixes: impl Fn(&str, &str) -> (String, String),
) {
    version_keywords::convert_object_references(object, &|reference| {
        for (v2_keyword, v3_keyword) in COMPONENTS {
            let (old_prefix, to) = prefixes(v2_keyword, v3_keyword);
            if let Some(name) = reference.strip_prefix(&old_prefix) {
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

/// Moves the keywords of the schema of a parameter to the parameter itself.
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
    // The keywords that are both in the parameter and in its schema, with equal values. `x-own`
    // keeps their names, so that the conversion to v3 leaves them in the parameter too.
    let is_common = |(key, value): &(&String, &Value)| {
        let parameter_value = object.get(*key);
        !is_parameter_keyword(key) && parameter_value.is_some_and(|other| deep_equal(other, value))
    };
    let common_keywords = schema.iter().filter(is_common);
    let common_keywords: Value = common_keywords.map(|(key, _)| key.as_str()).collect();
    if common_keywords != json!([]) {
        object.insert("x-own".into(), common_keywords);
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

/// Moves the keywords of a schema from a parameter to its `schema`: the inverse of
/// [`parameter_to_v2`].
fn parameter_to_v3(object: &mut Map<String, Value>) {
    if !is_parameter(object) || object.contains_key("schema") || object.contains_key("content") {
        return;
    }
    if object.get("x-schema").is_some_and(Value::is_object)
        && let Some(Value::Object(schema)) = object.remove("x-schema")
    {
        // The keywords that were both in the v3 parameter and in its schema, with equal values.
        let common_keywords = object.remove("x-own").unwrap_or_default();
        let common_keywords = common_keywords.as_array().into_iter().flatten();
        let common_keywords: HashSet<&str> = common_keywords.filter_map(Value::as_str).collect();
        for (key, value) in &schema {
            let parameter_value = object.get(key);
            let is_copy = parameter_value.is_some_and(|other| deep_equal(other, value));
            if is_copy && !common_keywords.contains(&**key) && !is_parameter_keyword(key) {
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

/// Converts an operation: the request body becomes a parameter, and the media types move to
/// `consumes` and `produces`.
fn operation_to_v2(operation: &mut Map<String, Value>, bodies: &SharedBodies) {
    if let Some(body) = operation.remove("requestBody") {
        body_to_v2(operation, body, bodies);
    }
    let mut produces: Vec<Value> = Vec::new();
    if let Some(Value::Object(responses)) = operation.get_mut("responses") {
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
        operation.insert("produces".into(), produces.into());
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
            let object = body.as_object().filter(|_| can_have_parameters);
            let shared = object.and_then(|body| bodies.find_referenced(body, REQUEST_BODIES));
            let Some(shared) = shared else {
                deep::insert(operation, "x-requestBody", body);
                return;
            };
            if !shared.media_types.is_empty() {
                operation.insert("consumes".into(), shared.media_types.clone().into());
            }
            add_parameter(operation, reference(PARAMETERS, &shared.converted_name));
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
struct DefaultMediaTypes {
    consumes: Vec<Value>,
    produces: Vec<Value>,
}

impl DefaultMediaTypes {
    fn of_document(document: &Value) -> Self {
        let types = |key: &str| match document.get(key) {
            Some(Value::Array(types)) => types.clone(),
            _ => vec![json!("application/json")],
        };
        Self {
            consumes: types("consumes"),
            produces: types("produces"),
        }
    }
}

/// Converts an operation to v3: the inverse of [`operation_to_v2`]. `default_types` are the media
/// types of operations without `consumes` or `produces`.
fn operation_to_v3(
    operation: &mut Map<String, Value>,
    default_types: &DefaultMediaTypes,
    bodies: &SharedBodies,
) {
    rename(operation, "x-requestBody", "requestBody");
    let take_types =
        |operation: &mut Map<String, Value>, key: &str, default: &[Value]| match operation
            .remove(key)
        {
            Some(Value::Array(types)) => types,
            _ => default.to_vec(),
        };
    let consumes = take_types(operation, "consumes", &default_types.consumes);
    let produces = take_types(operation, "produces", &default_types.produces);
    if let Some(Value::Array(parameters)) = operation.get_mut("parameters") {
        let shared_body =
            |parameter: &Value| bodies.find_referenced(parameter.as_object()?, PARAMETERS);
        let is_body = |parameter: &Value| is_body(parameter) || shared_body(parameter).is_some();
        if let Some(index) = parameters.iter().position(is_body) {
            let parameter = parameters.remove(index);
            let is_empty = parameters.is_empty();
            let body = match (shared_body(&parameter), parameter) {
                (Some(shared), _) => reference(REQUEST_BODIES, &shared.converted_name),
                (None, Value::Object(body)) => parameter_to_body(body, &consumes).into(),
                (None, parameter) => parameter,
            };
            deep::insert(operation, "requestBody", body);
            if is_empty {
                operation.remove("parameters");
                rename(operation, "x-parameters", "parameters");
            }
        }
    }
    if let Some(Value::Object(responses)) = operation.get_mut("responses") {
        for response in responses.values_mut().filter_map(Value::as_object_mut) {
            content_to_v3(response, &produces);
        }
    }
}
