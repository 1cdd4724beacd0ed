//! `OpenAPI` v2 and v3: the same document in the other form (KEP-1027, `OpenAPI`: conversion preserves the extension).

mod bodies;

use serde_json::{Map, Value, json};

use self::bodies::{
    PARAMETERS, REQUEST_BODIES, SharedBodies, as_body, as_parameter, is_body, reference,
};
use super::document::visit_objects;
use k8s_json_internals::deep;
use k8s_json_internals::equality::same;

/// What is called otherwise: at the top of a v2 document, and in `components` of a v3 document.
const COMPONENTS: [(&str, &str); 4] = [
    ("definitions", "schemas"),
    ("parameters", "parameters"),
    ("responses", "responses"),
    ("securityDefinitions", "securitySchemes"),
];

/// What v2 has no word for, in schemas and at the top: kept as an extension, and a word again in v3.
const V3_ONLY: [&str; 7] = [
    "nullable",
    "oneOf",
    "anyOf",
    "not",
    "writeOnly",
    "deprecated",
    "servers",
];

/// What a v2 parameter has itself, and a v3 parameter in its `schema`.
const OF_PARAMETER: [&str; 7] = [
    "name",
    "in",
    "description",
    "required",
    "deprecated",
    // As v2 keeps it.
    "x-deprecated",
    "schema",
];

/// A v3 document, or a schema alone, as v2 (KEP-1027, "`OpenAPI`"). Unions, enum types and all other extensions stay; what
/// v2 has no word for, such as `nullable` and `oneOf`, is kept as `x-nullable`, `x-oneOf`.
///
/// ```
/// use serde_json::json;
/// use union_runtime::schema::{to_openapi_v2, to_openapi_v3};
///
/// let schema = json!({"$ref": "#/components/schemas/Source", "nullable": true});
/// let v2 = to_openapi_v2(schema.clone());
/// assert_eq!(v2, json!({"$ref": "#/definitions/Source", "x-nullable": true}));
/// assert_eq!(to_openapi_v3(v2), schema);
/// ```
///
/// A request or response with several media types keeps the schema of the first; all of them stay in `x-content`. A request body
/// that operations share is a parameter that they share; where another parameter has its name, it gets another one, and
/// `x-request-body` says what it was called. A reference to a request body that is not there stays in `x-requestBody`.
#[must_use]
pub fn to_openapi_v2(mut document: Value) -> Value {
    let bodies = SharedBodies::of_v3(&document);
    visit_objects(&mut document, &mut |object| {
        parameter_to_v2(object);
        for word in V3_ONLY {
            rename(object, word, &format!("x-{word}"));
        }
        refer(object, |v2, v3| {
            (format!("#/components/{v3}/"), format!("#/{v2}/"))
        });
    });
    each_operation(&mut document, &mut |object| {
        // Operations have this word in both.
        rename(object, "x-deprecated", "deprecated");
        operation_to_v2(object, &bodies);
    });
    if let Value::Object(top) = &mut document
        && top.remove("openapi").is_some()
    {
        top.insert("swagger".into(), "2.0".into());
        if let Some(Value::Object(mut components)) = top.remove("components") {
            bodies.move_to_parameters(&mut components);
            for (v2, v3) in COMPONENTS {
                if let Some(mut found) = components.remove(v3) {
                    if v3 == "responses" {
                        shared_responses_to_v2(&mut found);
                    }
                    top.insert(v2.into(), found);
                }
            }
            if !components.is_empty() {
                top.insert("x-components".into(), components.into());
            }
        }
    }
    document
}

/// A v2 document, or a schema alone, as v3: the way back of [`to_openapi_v2`].
#[must_use]
pub fn to_openapi_v3(mut document: Value) -> Value {
    let media = media_types(&document);
    let bodies = SharedBodies::of_v2(&document);
    each_operation(&mut document, &mut |object| {
        operation_to_v3(object, &media, &bodies);
    });
    bodies.move_from_parameters(&mut document, &media.consumes);
    if let Some(Value::Object(responses)) = document.get_mut("responses") {
        for response in responses.values_mut().filter_map(Value::as_object_mut) {
            content_to_v3(response, &media.produces);
        }
    }
    visit_objects(&mut document, &mut |object| {
        parameter_to_v3(object);
        for word in V3_ONLY {
            rename(object, &format!("x-{word}"), word);
        }
        refer(object, |v2, v3| {
            (format!("#/{v2}/"), format!("#/components/{v3}/"))
        });
    });
    if let Value::Object(top) = &mut document
        && top.remove("swagger").is_some()
    {
        top.insert("openapi".into(), "3.0.0".into());
        top.remove("consumes");
        top.remove("produces");
        let mut components = match top.remove("x-components") {
            Some(Value::Object(components)) => components,
            _ => Map::new(),
        };
        for (v2, v3) in COMPONENTS {
            if let Some(found) = top.remove(v2) {
                components.insert(v3.into(), found);
            }
        }
        if !components.is_empty() {
            top.insert("components".into(), components.into());
        }
    }
    document
}

fn rename(object: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = object.remove(from) {
        deep::insert(object, to, value);
    }
}

/// References say where the other form has things.
fn refer(object: &mut Map<String, Value>, prefixes: impl Fn(&str, &str) -> (String, String)) {
    let Some(Value::String(reference)) = object.get_mut("$ref") else {
        return;
    };
    for (v2, v3) in COMPONENTS {
        let (from, to) = prefixes(v2, v3);
        if let Some(name) = reference.strip_prefix(&from) {
            *reference = format!("{to}{name}");
            return;
        }
    }
}

/// A parameter, and not an API key, which has a name and a place too.
fn is_parameter(object: &Map<String, Value>) -> bool {
    let is_text = |key: &str| object.get(key).is_some_and(Value::is_string);
    is_text("in") && is_text("name") && object.get("type") != Some(&json!("apiKey"))
}

fn parameter_to_v2(object: &mut Map<String, Value>) {
    if !is_parameter(object) || object.get("in") == Some(&json!("body")) {
        return;
    }
    if let Some(Value::Object(schema)) = object.remove("schema") {
        for (key, value) in schema {
            if object.contains_key(&key) {
                deep::discard(value);
            } else {
                object.insert(key, value);
            }
        }
    }
}

fn parameter_to_v3(object: &mut Map<String, Value>) {
    if !is_parameter(object) || object.contains_key("schema") {
        return;
    }
    let (own, schema): (Map<_, _>, Map<_, _>) = std::mem::take(object)
        .into_iter()
        .partition(|(key, _)| OF_PARAMETER.contains(&key.as_str()));
    *object = own;
    object.insert("schema".into(), schema.into());
}

/// The schema of the first media type, and all media types; what one schema cannot say stays in `x-content`.
fn content_to_v2(object: &mut Map<String, Value>) -> Vec<Value> {
    let Some(Value::Object(content)) = object.remove("content") else {
        return Vec::new();
    };
    let mut schemas = content.values().map(|media| media.get("schema"));
    let first = schemas.next().flatten();
    let is_one = schemas.all(|schema| match (schema, first) {
        (Some(schema), Some(first)) => same(schema, first),
        (schema, first) => schema.is_none() && first.is_none(),
    });
    let first = first.map(deep::copy);
    let has_more = content
        .values()
        .any(|media| media.as_object().is_some_and(|media| media.len() > 1));
    let types = content.keys().cloned().map(Value::String).collect();
    if let Some(schema) = first {
        deep::insert(object, "schema", schema);
    }
    if !is_one || has_more {
        deep::insert(object, "x-content", content.into());
    } else {
        deep::discard(content.into());
    }
    types
}

fn content_to_v3(object: &mut Map<String, Value>, types: &[Value]) {
    let schema = object.remove("schema");
    let content = object.remove("x-content").or_else(|| {
        let schema = schema.as_ref()?;
        let media = |ty: &Value| {
            let schema = [("schema".to_owned(), deep::copy(schema))];
            Some((ty.as_str()?.to_owned(), Map::from_iter(schema).into()))
        };
        Some(types.iter().filter_map(media).collect::<Map<_, _>>().into())
    });
    deep::discard(schema.unwrap_or_default());
    if let Some(content) = content {
        deep::insert(object, "content", content);
    }
}

/// Calls `convert` for each operation of each path.
fn each_operation(document: &mut Value, convert: &mut dyn FnMut(&mut Map<String, Value>)) {
    let Some(Value::Object(paths)) = document.get_mut("paths") else {
        return;
    };
    for path in paths.values_mut().filter_map(Value::as_object_mut) {
        for operation in path.values_mut().filter_map(Value::as_object_mut) {
            convert(operation);
        }
    }
}

/// Responses that operations share have no list of media types in v2, so theirs stay in `x-content`.
fn shared_responses_to_v2(responses: &mut Value) {
    let Value::Object(responses) = responses else {
        return;
    };
    for response in responses.values_mut().filter_map(Value::as_object_mut) {
        if let Some(content) = response.get("content").map(deep::copy) {
            content_to_v2(response);
            deep::insert(response, "x-content", content);
        }
    }
}

fn operation_to_v2(object: &mut Map<String, Value>, bodies: &SharedBodies) {
    if let Some(Value::Object(mut body)) = object.remove("requestBody") {
        if !body.contains_key("$ref") {
            let types = content_to_v2(&mut body);
            object.insert("consumes".into(), types.into());
            add_parameter(object, as_parameter(body));
        } else if let Some(shared) = bodies.referred(&body, REQUEST_BODIES) {
            if !shared.types.is_empty() {
                object.insert("consumes".into(), shared.types.clone().into());
            }
            add_parameter(object, reference(PARAMETERS, &shared.other_name));
        } else {
            object.insert("x-requestBody".into(), body.into());
        }
    }
    let mut produces: Vec<Value> = Vec::new();
    if let Some(Value::Object(responses)) = object.get_mut("responses") {
        for response in responses.values_mut().filter_map(Value::as_object_mut) {
            for ty in content_to_v2(response) {
                if !produces.contains(&ty) {
                    produces.push(ty);
                }
            }
        }
    }
    if !produces.is_empty() {
        object.insert("produces".into(), produces.into());
    }
}

fn add_parameter(operation: &mut Map<String, Value>, parameter: Value) {
    let parameters = operation.entry("parameters").or_insert_with(|| json!([]));
    if let Value::Array(parameters) = parameters {
        parameters.push(parameter);
    }
}

/// The media types of a v2 document, for requests and for responses.
struct MediaTypes {
    consumes: Vec<Value>,
    produces: Vec<Value>,
}

fn media_types(document: &Value) -> MediaTypes {
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
    let own =
        |object: &mut Map<String, Value>, key: &str, default: &[Value]| match object.remove(key) {
            Some(Value::Array(types)) => types,
            _ => default.to_vec(),
        };
    let consumes = own(object, "consumes", &media.consumes);
    let produces = own(object, "produces", &media.produces);
    if let Some(Value::Array(parameters)) = object.get_mut("parameters") {
        let shared = |parameter: &Value| bodies.referred(parameter.as_object()?, PARAMETERS);
        let is_body = |parameter: &Value| is_body(parameter) || shared(parameter).is_some();
        if let Some(at) = parameters.iter().position(is_body) {
            let found = parameters.remove(at);
            let is_empty = parameters.is_empty();
            let body = match (shared(&found), found) {
                (Some(shared), _) => reference(REQUEST_BODIES, &shared.other_name),
                (None, Value::Object(body)) => as_body(body, &consumes).into(),
                (None, other) => other,
            };
            deep::insert(object, "requestBody", body);
            if is_empty {
                object.remove("parameters");
            }
        }
    }
    if let Some(Value::Object(responses)) = object.get_mut("responses") {
        for response in responses.values_mut().filter_map(Value::as_object_mut) {
            content_to_v3(response, &produces);
        }
    }
}
