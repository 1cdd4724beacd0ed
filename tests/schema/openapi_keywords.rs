//! Tests of every keyword of `OpenAPI` documents at every position of a schema: keywords are
//! converted in both directions, and data and names of the author are not.

use serde_json::{Map, Value, json};
use union_json::openapi::{to_openapi_v2, to_openapi_v3};

/// Returns the keywords of schemas that v2 does not have, each with a value.
fn v3_keywords() -> [(&'static str, Value); 6] {
    [
        ("nullable", json!(true)),
        ("oneOf", json!([{ "type": "string" }])),
        ("anyOf", json!([{ "nullable": true }])),
        ("not", json!({ "type": "string" })),
        ("writeOnly", json!(true)),
        ("deprecated", json!(false)),
    ]
}

fn object(fields: impl IntoIterator<Item = (String, Value)>) -> Value {
    fields.into_iter().collect::<Map<_, _>>().into()
}

/// The keywords whose value is a map from names to schemas, a list of schemas, or one schema.
const SCHEMA_MAP_KEYWORDS: [&str; 6] = [
    "properties",
    "patternProperties",
    "definitions",
    "$defs",
    "dependentSchemas",
    "dependencies",
];
const SCHEMA_LIST_KEYWORDS: [&str; 4] = ["allOf", "oneOf", "anyOf", "prefixItems"];
const SCHEMA_KEYWORDS: [&str; 12] = [
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];

/// Returns schemas that contain the subschema, one for every keyword.
fn schemas_around(subschema: &Value) -> Vec<Value> {
    let object_with = |keyword: &str, value: Value| object([(keyword.to_owned(), value)]);
    let mut schemas = Vec::new();
    for keyword in SCHEMA_MAP_KEYWORDS {
        // A property may have the name of a keyword.
        for name in [
            "a",
            "nullable",
            "not",
            "properties",
            "x-nullable",
            "discriminator",
        ] {
            schemas.push(object_with(keyword, object_with(name, subschema.clone())));
        }
    }
    for keyword in SCHEMA_LIST_KEYWORDS {
        schemas.push(object_with(keyword, json!([{}, subschema])));
    }
    for keyword in SCHEMA_KEYWORDS {
        schemas.push(object_with(keyword, subschema.clone()));
    }
    schemas.push(object_with("items", json!([subschema, {}])));
    schemas
}

/// Returns documents that contain the schema, one for every position in a document.
fn documents(schema: &Value) -> Vec<Value> {
    let media = json!({ "application/json": { "schema": schema } });
    let response = json!({ "description": "", "content": media, "headers": { "oneOf": { "schema": schema } } });
    let parameter = json!({ "name": "p", "in": "query", "schema": schema });
    let body = json!({ "content": media });
    let operation = json!({
        "parameters": [parameter],
        "requestBody": body,
        "responses": { "200": response },
        "callbacks": { "servers": { "{$url}": { "post": { "requestBody": body, "responses": { "not": response } } } } },
    });
    let encoded_content = json!({ "multipart/form-data": { "schema": {}, "encoding": { "not": { "headers": { "h": { "schema": schema } } } } } });
    let components_with_schema = [
        json!({ "schemas": { "not": schema } }),
        json!({ "parameters": { "nullable": parameter } }),
        json!({ "responses": { "nullable": response } }),
        json!({ "requestBodies": { "nullable": body } }),
        json!({ "headers": { "nullable": { "schema": schema } } }),
        json!({ "callbacks": { "servers": { "{$url}": { "put": operation } } } }),
    ];
    let mut documents: Vec<Value> = components_with_schema
        .into_iter()
        .map(|components| json!({ "openapi": "3.0.0", "paths": {}, "components": components }))
        .collect();
    for path_item in [
        json!({ "put": operation }),
        json!({ "parameters": [parameter], "servers": [{ "url": "/" }], "trace": { "responses": {}, "servers": [] } }),
        json!({ "post": { "requestBody": { "content": encoded_content }, "responses": {} } }),
    ] {
        documents.push(
            json!({ "openapi": "3.0.0", "paths": { "/nullable": path_item }, "components": {} }),
        );
    }
    documents.push(schema.clone());
    documents
}

/// Converts a document or schema to v2, and checks that the conversion back returns the original.
#[track_caller]
fn convert_reversibly(v3: &Value) -> Value {
    let v2 = to_openapi_v2(v3.clone());
    assert_eq!(to_openapi_v3(v2.clone()), *v3, "converted through {v2}");
    v2
}

/// Returns true if an object at any depth has the key.
fn has_key(value: &Value, expected: &str) -> bool {
    match value {
        Value::Object(object) => object
            .iter()
            .any(|(key, value)| key == expected || has_key(value, expected)),
        Value::Array(values) => values.iter().any(|value| has_key(value, expected)),
        _ => false,
    }
}

#[test]
fn every_keyword_is_converted_at_every_position_of_a_schema() {
    for (keyword, value) in v3_keywords() {
        let keyword_schema = object([(keyword.to_owned(), value)]);
        let mut schemas = schemas_around(&keyword_schema);
        schemas.push(keyword_schema);
        for schema in schemas {
            let v2 = convert_reversibly(&schema);
            assert!(has_key(&v2, &format!("x-{keyword}")), "{schema}: {v2}");
            for document in documents(&schema) {
                let v2 = convert_reversibly(&document);
                assert!(has_key(&v2, &format!("x-{keyword}")), "{document}: {v2}");
            }
        }
    }
}

#[test]
fn references_are_converted_at_every_position_of_a_schema() {
    let reference = json!({ "$ref": "#/components/schemas/A" });
    for schema in schemas_around(&reference) {
        for document in documents(&schema) {
            let v2 = convert_reversibly(&document).to_string();
            assert!(!v2.contains("#/components/schemas/"), "{v2}");
            assert!(v2.contains("#/definitions/A"), "{v2}");
        }
    }
}

#[test]
fn extensions_of_the_author_are_restored() {
    let names = [
        "nullable",
        "oneOf",
        "anyOf",
        "not",
        "writeOnly",
        "deprecated",
        "servers",
        "discriminator",
        "schema",
        "content",
        "request-body",
        "requestBody",
        "parameters",
        "components",
        "own",
        "other",
    ];
    for name in names {
        for max_prefixes in 1..4 {
            let mut schema = json!({ "type": "string", "nullable": true });
            for prefixes in 1..=max_prefixes {
                schema[format!("{}{name}", "x-".repeat(prefixes))] =
                    json!({ "nullable": prefixes });
            }
            for document in documents(&schema) {
                convert_reversibly(&document);
            }
        }
        let extension = format!("x-{name}");
        let with_extension = |mut object: Value| {
            object[&*extension] = json!([1]);
            object
        };
        let response = with_extension(json!({ "description": "" }));
        let body = with_extension(
            json!({ "content": { "a/b": with_extension(json!({ "schema": {} })) } }),
        );
        let operation = with_extension(json!({
            "parameters": [with_extension(json!({ "name": "a", "in": "query", "schema": with_extension(json!({})) }))],
            "requestBody": body,
            "responses": { "200": response },
        }));
        let components = with_extension(
            json!({ "schemas": {}, "requestBodies": { "A": body }, "responses": { "A": response } }),
        );
        let item = with_extension(json!({ "get": operation }));
        convert_reversibly(&with_extension(
            json!({ "openapi": "3.0.0", "paths": { "/a": item }, "components": components }),
        ));
    }
}

#[test]
fn data_and_names_of_the_author_are_not_converted() {
    let data = json!({
        "nullable": true, "not": {}, "x-nullable": 1, "discriminator": "d", "oneOf": [{ "nullable": true }],
        "$ref": "#/components/schemas/A",
    });
    for keyword in [
        "default",
        "example",
        "enum",
        "const",
        "x-author",
        "x-kubernetes-unions",
        "dependentRequired",
        "required",
    ] {
        let schema = object([(keyword.to_owned(), data.clone())]);
        let v2 = convert_reversibly(&schema);
        assert_eq!(v2[keyword], data, "{keyword}");
    }
    let flow = json!({ "authorizationUrl": "/a", "scopes": { "not": "no", "nullable": "null", "x-nullable": "x" } });
    let document = json!({
        "openapi": "3.0.0",
        "paths": {},
        "security": [{ "not": [], "nullable": ["a"] }],
        "components": {
            "securitySchemes": { "not": { "type": "oauth2", "flows": { "implicit": flow } } },
            "links": { "not": { "parameters": { "nullable": data }, "requestBody": data } },
            "examples": { "not": { "value": data } },
        },
    });
    let v2 = convert_reversibly(&document);
    assert_eq!(v2["securityDefinitions"]["not"]["flows"]["implicit"], flow);
    assert_eq!(v2["security"], document["security"]);
    let components = &v2["x-components"];
    assert_eq!(components["links"]["not"]["parameters"]["nullable"], data);
    assert_eq!(components["links"]["not"]["requestBody"], data);
    assert_eq!(components["examples"]["not"]["value"], data);
}

#[test]
fn a_discriminator_is_a_name_in_v2_and_its_mapping_has_references_of_v2() {
    let discriminator_schema = json!({ "discriminator": { "propertyName": "kind" } });
    assert_eq!(
        convert_reversibly(&discriminator_schema),
        json!({ "discriminator": "kind" })
    );
    let schema_with_mapping = json!({ "discriminator": {
        "propertyName": "kind",
        "mapping": { "a": "#/components/schemas/A", "b": "B", "not": "other.yaml#/components/schemas/C" },
    } });
    let v2 = convert_reversibly(&schema_with_mapping);
    assert_eq!(v2["discriminator"], "kind");
    assert_eq!(
        v2["x-discriminator"]["mapping"],
        json!({ "a": "#/definitions/A", "b": "B", "not": "other.yaml#/components/schemas/C" })
    );
    // The v2 document names another property as the discriminator.
    let mut changed = v2;
    changed["discriminator"] = json!("type");
    assert_eq!(
        to_openapi_v3(changed)["discriminator"]["propertyName"],
        "type"
    );
    for invalid_discriminator in [
        json!({}),
        json!("kind"),
        json!(1),
        json!({ "mapping": {} }),
        json!({ "propertyName": 1 }),
    ] {
        for document in documents(&json!({ "discriminator": invalid_discriminator })) {
            convert_reversibly(&document);
        }
    }
    for schema in schemas_around(&schema_with_mapping) {
        for document in documents(&schema) {
            let v2 = convert_reversibly(&document).to_string();
            assert!(!v2.contains("\"#/components/schemas/"), "{v2}");
        }
    }
}
