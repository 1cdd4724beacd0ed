//! Tests of the conversion of `OpenAPI` documents: every small v3 document is the same after the
//! conversion to v2 and back.

use serde_json::{Value, json};
use union_json::openapi::{to_openapi_v2, to_openapi_v3};

/// Returns the object with a key added, unless the value is null.
fn with_key(mut object: Value, key: &str, value: &Value) -> Value {
    if !value.is_null() {
        object[key] = value.clone();
    }
    object
}

/// Returns a document with an operation and components.
fn document(operation: &Value, components: &Value) -> Value {
    let document = json!({ "openapi": "3.0.0", "paths": { "/a": { "put": operation } } });
    with_key(document, "components", components)
}

/// Asserts that the document is equal after the conversion to v2 and back.
fn assert_round_trips(v3: &Value) {
    let v2 = to_openapi_v2(v3.clone());
    assert_eq!(to_openapi_v3(v2.clone()), *v3, "converted through {v2}");
}

/// Returns the possible contents of a request or a response. Null means no content.
fn contents() -> Vec<Value> {
    let string_content = json!({ "schema": { "type": "string" } });
    let boolean_content = json!({ "schema": { "type": "boolean", "nullable": true } });
    vec![
        Value::Null,
        json!({}),
        json!({ "application/json": {} }),
        json!({ "application/json": { "schema": {} } }),
        json!({ "application/json": string_content }),
        json!({ "application/yaml": string_content }),
        json!({ "application/json": string_content, "application/yaml": string_content }),
        json!({ "application/json": string_content, "application/yaml": boolean_content }),
        json!({ "application/json": string_content, "application/yaml": {} }),
        json!({ "application/json": { "schema": {}, "example": 1 } }),
    ]
}

#[test]
fn a_round_trip_restores_requests() {
    let contents = contents();
    let mut bodies: Vec<Value> = contents
        .iter()
        .map(|content| with_key(json!({ "required": true }), "content", content))
        .collect();
    for name in ["A", "Same", "Nowhere"] {
        bodies.push(json!({ "$ref": format!("#/components/requestBodies/{name}") }));
    }
    bodies.extend([Value::Null, json!({}), json!(1)]);
    let one_parameter = json!([{ "name": "a", "in": "query", "schema": { "type": "string" } }]);
    let mut components = vec![Value::Null, json!({}), json!(1)];
    let shared_parameters = [
        Value::Null,
        json!({}),
        json!({ "A": one_parameter[0] }),
        json!({ "B": one_parameter[0] }),
    ];
    for parameters in shared_parameters {
        components.push(with_key(
            json!({ "requestBodies": {} }),
            "parameters",
            &parameters,
        ));
        for content in &contents {
            let bodies = json!({
                "A": with_key(json!({ "description": "a" }), "content", content),
                "Same": { "$ref": "#/components/requestBodies/A" },
            });
            let bodies = json!({ "requestBodies": bodies });
            components.push(with_key(bodies, "parameters", &parameters));
        }
    }
    for body in &bodies {
        for parameters in [Value::Null, json!([]), one_parameter.clone()] {
            for components in &components {
                let operation = with_key(json!({ "responses": {} }), "requestBody", body);
                let operation = with_key(operation, "parameters", &parameters);
                assert_round_trips(&document(&operation, components));
            }
        }
    }
}

#[test]
fn a_round_trip_restores_responses() {
    let responses = contents().into_iter();
    let responses =
        responses.map(|content| with_key(json!({ "description": "" }), "content", &content));
    let mut responses: Vec<Value> = responses.collect();
    responses.push(json!({ "$ref": "#/components/responses/A" }));
    for first in &responses {
        for second in &responses {
            let operation = json!({ "responses": { "200": first, "500": second } });
            let components = json!({ "responses": { "A": second } });
            assert_round_trips(&document(&operation, &components));
        }
    }
}

#[test]
fn a_round_trip_restores_parameters() {
    let schemas = [
        json!({}),
        json!({ "type": "string" }),
        json!({ "type": "string", "nullable": true, "enum": ["a"] }),
        json!({ "description": "of the schema", "deprecated": true, "example": "a" }),
        json!({ "description": "of both", "x-a": 1 }),
        json!({ "$ref": "#/components/schemas/A" }),
    ];
    let keywords = [
        json!({}),
        json!({ "description": "of both", "deprecated": true }),
        json!({ "description": "its own", "required": true, "example": "b" }),
        json!({ "style": "form", "explode": true, "allowReserved": true, "allowEmptyValue": true }),
        json!({ "x-a": 2, "x-b": 1 }),
        json!({ "examples": { "one": { "value": 1 } } }),
    ];
    for parameter in keywords {
        let named_parameter = with_key(parameter, "name", &json!("a"));
        let named_parameter = with_key(named_parameter, "in", &json!("query"));
        let mut parameters: Vec<Value> = schemas
            .iter()
            .map(|schema| with_key(named_parameter.clone(), "schema", schema))
            .collect();
        parameters.push(with_key(named_parameter, "content", &contents()[4]));
        for parameter in parameters {
            let operation = json!({ "parameters": [parameter], "responses": {} });
            let components = json!({ "parameters": { "A": parameter } });
            assert_round_trips(&document(&operation, &components));
        }
    }
}
