//! Tests of deep documents: conversion to the other version of `OpenAPI`, and pruning of enums.

use serde_json::{Value, json};
use union_json::openapi::prune_enums;
use union_json::openapi::{to_openapi_v2, to_openapi_v3};

use crate::deep::{LEVELS, lists, objects, put};
use crate::deep_value::{self, Deep};

/// Returns a document with one operation that has all keywords.
fn document() -> Value {
    let content = json!({"application/json": {"schema": {}}, "text/plain": {"schema": {}}});
    json!({
        "openapi": "3.0.0",
        "paths": {"/a": {"post": {
            "parameters": [{"name": "q", "in": "query", "schema": {}}],
            "requestBody": {"content": content},
            "responses": {"200": {"description": "", "content": content}},
        }}},
        "components": {
            "schemas": {"A": {}},
            "responses": {"R": {"description": "", "content": content}},
        },
    })
}

const SCHEMA_POINTERS: [&str; 8] = [
    "/paths/~1a/post/parameters/0/schema",
    "/paths/~1a/post/requestBody/content/application~1json/schema",
    "/paths/~1a/post/requestBody/content/text~1plain/schema",
    "/paths/~1a/post/responses/200/content/application~1json/schema",
    "/paths/~1a/post/responses/200/content/text~1plain/schema",
    "/components/schemas/A",
    "/components/responses/R/content/application~1json/schema",
    "/components/responses/R/content/text~1plain/schema",
];

fn schemas() -> [Deep; 3] {
    let schema = |keyword: &'static str| {
        Deep::new(LEVELS, json!({"type": "string"}), move |inner| {
            deep_value::object([(keyword, inner)])
        })
    };
    let all_of = Deep::new(LEVELS, json!({"type": "string"}), |inner| {
        deep_value::object([("allOf", deep_value::list([inner]))])
    });
    [schema("items"), schema("default"), all_of]
}

#[test]
fn deep_documents_are_converted_to_v2_and_back() {
    for place in SCHEMA_POINTERS {
        for mut schema in schemas() {
            let mut document = document();
            let steps = place.replace("~1", "\u{1}");
            let mut target = &mut document;
            for step in steps.split('/').skip(1) {
                let step = step.replace('\u{1}', "/");
                target = match target {
                    Value::Array(elements) => &mut elements[step.parse::<usize>().unwrap()],
                    object => &mut object[&step],
                };
            }
            *target = schema.take();
            let v2 = to_openapi_v2(document);
            let v3 = to_openapi_v3(v2);
            assert_eq!(v3["openapi"], "3.0.0", "{place}");
            let _dropped = Deep::new(0, v3, |inner| inner);
        }
    }
}

#[test]
fn prune_enums_accepts_deep_documents() {
    for mut schema in schemas() {
        prune_enums(&mut schema);
    }
    for mut value in [lists(), objects()] {
        prune_enums(&mut value);
    }
    let mut document = document();
    put(&mut document, "/components/schemas/A", objects().take());
    prune_enums(&mut document);
    let _dropped = Deep::new(0, document, |inner| inner);
}
