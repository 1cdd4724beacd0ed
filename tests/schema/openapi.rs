//! Tests of the conversion of a document between `OpenAPI` v2 and v3, and of pruning its enum
//! types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_json::openapi::prune_enums;
use union_json::openapi::{to_openapi_v2, to_openapi_v3};
use union_runtime::{EnumType, Union, schema_for};

/// What to do.
#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    /// The first.
    Alpha,
    Beta,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Choice>)]
#[union(shape = "both")]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<String>,
    /// A property with the name of a keyword.
    nullable: bool,
    not: Option<i32>,
}

/// Returns the document that an API server serves for the type, with an operation that takes and
/// returns the type.
fn v3_document() -> Value {
    let mut choice = schema_for::<Choice>().to_value();
    choice["oneOf"] = json!([{ "required": ["alpha"] }, { "not": { "required": ["alpha"] } }]);
    choice["default"] = json!({ "nullable": true, "kind": "Alpha" });
    let body = json!({ "schema": { "$ref": "#/components/schemas/Choice" } });
    json!({
        "openapi": "3.0.0",
        "info": { "title": "choices", "version": "v1" },
        "servers": [{ "url": "/" }],
        "paths": { "/choices/{name}": { "put": {
            "parameters": [{ "name": "name", "in": "path", "required": true, "schema": { "type": "string", "enum": ["a"] } }],
            "requestBody": { "required": true, "content": { "application/json": body } },
            "responses": {
                "200": { "description": "OK", "content": { "application/json": body, "application/yaml": body } },
                "401": { "description": "no" },
            },
        } } },
        "components": {
            "schemas": { "Choice": choice },
            "securitySchemes": { "token": { "type": "apiKey", "name": "authorization", "in": "header" } },
            "links": { "l": { "operationId": "o" } },
        },
    })
}

#[test]
fn converting_v3_to_v2_and_back_restores_the_document() {
    assert_eq!(to_openapi_v3(to_openapi_v2(v3_document())), v3_document());
}

#[test]
fn converting_v2_to_v3_and_back_restores_the_document() {
    let v2 = to_openapi_v2(v3_document());
    assert_eq!(to_openapi_v2(to_openapi_v3(v2.clone())), v2);
}

#[test]
fn v2_keeps_unions_enums_and_descriptions() {
    let v2 = to_openapi_v2(v3_document());
    let (v3_choice, v2_choice) = (
        &v3_document()["components"]["schemas"]["Choice"],
        &v2["definitions"]["Choice"],
    );
    assert_eq!(
        v2_choice["properties"]["kind"],
        v3_choice["properties"]["kind"]
    );
    assert!(v2_choice["properties"]["kind"]["x-kubernetes-unions"]["fieldMembers"].is_object());
    assert_eq!(
        v2_choice["properties"]["kind"]["enum"],
        json!(["Alpha", "Beta"])
    );
    assert_eq!(
        v2_choice["x-kubernetes-unions"],
        v3_choice["x-kubernetes-unions"]
    );
    assert!(v2_choice["x-kubernetes-unions"].is_array());
    assert_eq!(
        v2_choice["x-kubernetes-validations"],
        v3_choice["x-kubernetes-validations"]
    );
}

#[test]
fn v2_has_no_keyword_of_v3() {
    let v2 = to_openapi_v2(v3_document());
    let choice = &v2["definitions"]["Choice"];
    assert_eq!(v2["swagger"], "2.0");
    assert_eq!(
        choice["properties"]["alpha"],
        json!({ "type": "string", "x-nullable": true })
    );
    assert_eq!(choice["oneOf"], Value::Null);
    assert_eq!(
        choice["x-oneOf"][1]["x-not"],
        json!({ "required": ["alpha"] })
    );
    let put = &v2["paths"]["/choices/{name}"]["put"];
    assert_eq!(put["consumes"], json!(["application/json"]));
    assert_eq!(
        put["produces"],
        json!(["application/json", "application/yaml"])
    );
    assert_eq!(
        put["parameters"],
        json!([
            { "name": "name", "in": "path", "required": true, "type": "string", "enum": ["a"] },
            { "name": "body", "in": "body", "required": true, "schema": { "$ref": "#/definitions/Choice" } },
        ])
    );
    assert_eq!(
        put["responses"]["200"]["schema"]["$ref"],
        "#/definitions/Choice"
    );
}

#[test]
fn property_names_and_default_values_are_not_converted() {
    let v2 = to_openapi_v2(v3_document());
    let choice = &v2["definitions"]["Choice"];
    assert_eq!(choice["properties"]["nullable"]["type"], "boolean");
    assert_eq!(choice["properties"]["not"]["type"], "integer");
    assert_eq!(
        choice["default"],
        json!({ "nullable": true, "kind": "Alpha" })
    );
}

#[test]
fn a_schema_without_a_document_is_converted() {
    let schema = schema_for::<Choice>().to_value();
    let v2 = to_openapi_v2(schema.clone());
    assert_eq!(v2["properties"]["alpha"]["x-nullable"], true);
    assert_eq!(to_openapi_v3(v2), schema);
}

#[test]
fn enum_types_are_pruned_anywhere_in_a_document() {
    let mut document = v3_document();
    prune_enums(&mut document);
    let kind = &document["components"]["schemas"]["Choice"]["properties"]["kind"];
    assert_eq!(kind["type"], "string");
    assert_eq!(kind["enum"], Value::Null);
    assert_eq!(kind["description"], "What to do.");
    let parameter = &document["paths"]["/choices/{name}"]["put"]["parameters"][0];
    assert_eq!(
        parameter["schema"]["enum"],
        json!(["a"]),
        "that one is not ours"
    );
}

#[test]
fn pruning_and_converting_may_be_done_in_any_order() {
    let mut pruned_document = v3_document();
    prune_enums(&mut pruned_document);
    let mut converted_document = to_openapi_v2(v3_document());
    prune_enums(&mut converted_document);
    assert_eq!(to_openapi_v2(pruned_document), converted_document);
}

#[test]
fn a_document_of_any_depth_is_converted_and_pruned() {
    let mut document = json!({ "nullable": true });
    for _ in 0..10_000 {
        // `json!` would serialize the nested value, which is recursive.
        document = Value::Object([("items".to_owned(), document)].into_iter().collect());
    }
    let mut converted = to_openapi_v2(document);
    prune_enums(&mut converted);
    // The value is taken apart in a loop, because dropping a deeply nested value is recursive and
    // can overflow the stack.
    for _ in 0..10_000 {
        converted = converted["items"].take();
    }
    assert_eq!(converted, json!({ "x-nullable": true }));
}

/// Returns a document whose operations share a body. A parameter has the same name as the body.
fn document_with_shared_bodies() -> Value {
    let media =
        |name: &str| json!({ "schema": { "$ref": format!("#/components/schemas/{name}") } });
    let body_reference =
        |name: &str| json!({ "$ref": format!("#/components/requestBodies/{name}") });
    let responses = json!({ "200": { "$ref": "#/components/responses/Ok" } });
    json!({
        "openapi": "3.0.0",
        "paths": {
            "/choices": {
                "post": { "deprecated": true, "requestBody": body_reference("Choice"), "responses": responses },
                "put": { "requestBody": body_reference("Other"), "responses": responses },
                "patch": { "requestBody": body_reference("Nowhere"), "responses": responses },
            },
        },
        "components": {
            "schemas": { "A": { "type": "object", "deprecated": true }, "B": { "type": "object" } },
            "parameters": {
                "Choice": { "name": "choice", "in": "query", "deprecated": true, "schema": { "type": "string" } },
            },
            "requestBodies": {
                "Choice": { "required": true, "content": { "application/json": media("A") } },
                "Other": { "content": { "application/json": media("B"), "application/yaml": media("A") } },
            },
            "responses": { "Ok": { "description": "OK" } },
        },
    })
}

#[test]
fn shared_bodies_are_shared_parameters_in_v2() {
    let v2 = to_openapi_v2(document_with_shared_bodies());
    let choices = &v2["paths"]["/choices"];
    assert_eq!(
        choices["post"],
        json!({
            "deprecated": true,
            "consumes": ["application/json"],
            "parameters": [{ "$ref": "#/parameters/Choice-body" }],
            "responses": { "200": { "$ref": "#/responses/Ok" } },
        }),
        "an operation has the word in v2 too"
    );
    assert_eq!(
        choices["put"]["consumes"],
        json!(["application/json", "application/yaml"])
    );
    assert_eq!(
        choices["put"]["parameters"],
        json!([{ "$ref": "#/parameters/Other" }])
    );
    assert_eq!(
        choices["patch"]["x-requestBody"],
        json!({ "$ref": "#/components/requestBodies/Nowhere" })
    );
    assert_eq!(
        v2["definitions"]["A"],
        json!({ "type": "object", "x-deprecated": true })
    );
    let parameters = &v2["parameters"];
    assert_eq!(parameters["Choice"]["x-deprecated"], true);
    let body = &parameters["Choice-body"];
    assert_eq!(
        (&body["in"], &body["required"]),
        (&json!("body"), &json!(true))
    );
    assert_eq!(body["schema"], json!({ "$ref": "#/definitions/A" }));
    assert_eq!(
        parameters["Other"]["schema"],
        json!({ "$ref": "#/definitions/B" })
    );
    assert!(v2.get("x-components").is_none(), "{v2}");
}

#[test]
fn a_round_trip_restores_shared_bodies() {
    let v3 = document_with_shared_bodies();
    let v2 = to_openapi_v2(v3.clone());
    assert_eq!(to_openapi_v3(v2.clone()), v3);
    assert_eq!(to_openapi_v2(to_openapi_v3(v2.clone())), v2);
    // This v2 document is written by hand.
    let handwritten_v2 = json!({
        "swagger": "2.0",
        "consumes": ["application/yaml"],
        "paths": { "/a": { "post": { "parameters": [{ "$ref": "#/parameters/A" }], "responses": {} } } },
        "parameters": { "A": { "name": "a", "in": "body", "schema": { "type": "object" } } },
    });
    let v3 = to_openapi_v3(handwritten_v2);
    assert_eq!(
        v3["paths"]["/a"]["post"]["requestBody"],
        json!({ "$ref": "#/components/requestBodies/A" })
    );
    assert_eq!(
        v3["components"],
        json!({ "requestBodies": { "A": { "content": { "application/yaml": { "schema": { "type": "object" } } } } } })
    );
}
