//! Schemas with something deep in them.

use k8s_crd_validation::StructuralSchema;
use k8s_strategic_merge_patch::PatchSchema;
use serde_json::{Value, json};
use union_runtime::engine::{Unions, annotation};

use crate::deep::{self, Deep};
use crate::{LEVELS, field, lists, objects};

/// Every keyword that any reader of schemas knows, and one that none does.
const KEYWORDS: [&str; 49] = [
    "$ref",
    "$schema",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "definitions",
    "dependencies",
    "description",
    "discriminator",
    "enum",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "id",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "patternProperties",
    "properties",
    "required",
    "title",
    "type",
    "uniqueItems",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-patch-merge-key",
    "x-kubernetes-patch-strategy",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-unions",
    "x-kubernetes-validations",
    "x-nobody",
];

/// What may stand under a keyword: lists and objects without end, and schemas without end.
fn values() -> [Deep; 6] {
    let schema = |keyword: &'static str| {
        Deep::new(LEVELS, json!({"type": "string"}), move |inner| {
            deep::object([("type", "object".into()), (keyword, inner)])
        })
    };
    let named = Deep::new(LEVELS, json!({"type": "string"}), |inner| {
        deep::object([
            ("type", "object".into()),
            ("properties", deep::object([("a", inner)])),
        ])
    });
    [
        lists(),
        objects(),
        schema("items"),
        named,
        lists().within(|inner| deep::list([inner, json!({"rule": "true"})])),
        objects().within(field("rule")),
    ]
}

/// `json!` writes out what it is given; this moves it.
fn crd(schema: Value) -> Value {
    deep::object([
        ("kind", "CustomResourceDefinition".into()),
        (
            "spec",
            deep::object([
                ("group", "g.example.com".into()),
                ("names", json!({"kind": "K", "plural": "ks"})),
                (
                    "versions",
                    deep::list([deep::object([
                        ("name", "v1".into()),
                        ("storage", true.into()),
                        ("served", true.into()),
                        ("subresources", json!({"status": {}})),
                        ("schema", deep::object([("openAPIV3Schema", schema)])),
                    ])]),
                ),
            ]),
        ),
    ])
}

/// Every keyword with every deep value, at the top and in a property.
fn each_schema(show: impl Fn(&str, &Value)) {
    for mut value in values() {
        for keyword in KEYWORDS {
            for place in ["", "/properties/a"] {
                let mut schema = json!({"type": "object", "properties": {"a": {"type": "object"}}});
                let at = schema.pointer_mut(place).expect("it is there");
                let was = core::mem::replace(&mut at[keyword], value.take());
                show(keyword, &schema);
                let at = schema.pointer_mut(place).expect("it is there");
                *value = core::mem::replace(&mut at[keyword], was);
            }
        }
    }
}

#[test]
fn compiling_structural_schemas_takes_no_stack() {
    each_schema(|keyword, schema| {
        for result in [
            StructuralSchema::compile(schema),
            StructuralSchema::compile_with_status(schema),
        ] {
            if let Err(refused) = result {
                assert!(!refused.to_string().is_empty(), "{keyword}");
            }
        }
    });
}

#[test]
fn telling_costs_takes_no_stack() {
    each_schema(|keyword, schema| {
        if let Err(refused) = k8s_crd_validation::cost_report(schema) {
            assert!(!refused.to_string().is_empty(), "{keyword}");
        }
    });
}

#[test]
fn reading_unions_takes_no_stack() {
    each_schema(|keyword, schema| {
        if let Err(refused) = Unions::of_schema(schema) {
            assert!(!refused.to_string().is_empty(), "{keyword}");
        }
    });
}

#[test]
fn reading_patch_schemas_takes_no_stack() {
    each_schema(|keyword, schema| {
        if let Err(refused) = PatchSchema::compile(schema) {
            assert!(!refused.to_string().is_empty(), "{keyword}");
        }
    });
}

#[test]
fn reading_whole_definitions_takes_no_stack() {
    for mut value in values() {
        let crd = Deep::new(0, crd(value.take()), |inner| inner);
        let _ = StructuralSchema::compile_crd(&crd, None).map_err(|error| error.to_string());
        let _ = StructuralSchema::compile_stored(&crd, None).map_err(|error| error.to_string());
        let _ = Unions::of_crd(&crd, None).map_err(|error| error.to_string());
        let _ = PatchSchema::compiler()
            .crd(&crd, None)
            .map_err(|error| error.to_string());
        let _ = annotation(&crd);
    }
}
