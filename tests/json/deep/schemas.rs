//! Schemas with something deep in them.

use k8s_crd_validation::{Status, StructuralSchema};
use k8s_strategic_merge_patch::PatchSchema;
use serde_json::{Value, json};
use union_json::{Source, Unions, annotation};

use crate::deep::{LEVELS, field, lists, objects};
use crate::deep_value::{self, Deep};

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
            deep_value::object([("type", "object".into()), (keyword, inner)])
        })
    };
    let named = Deep::new(LEVELS, json!({"type": "string"}), |inner| {
        deep_value::object([
            ("type", "object".into()),
            ("properties", deep_value::object([("a", inner)])),
        ])
    });
    [
        lists(),
        objects(),
        schema("items"),
        named,
        lists().within(|inner| deep_value::list([inner, json!({"rule": "true"})])),
        objects().within(field("rule")),
    ]
}

/// `json!` writes out what it is given; this moves it.
fn crd(schema: Value) -> Value {
    deep_value::object([
        ("kind", "CustomResourceDefinition".into()),
        (
            "spec",
            deep_value::object([
                ("group", "g.example.com".into()),
                ("names", json!({"kind": "K", "plural": "ks"})),
                (
                    "versions",
                    deep_value::list([deep_value::object([
                        ("name", "v1".into()),
                        ("storage", true.into()),
                        ("served", true.into()),
                        ("subresources", json!({"status": {}})),
                        ("schema", deep_value::object([("openAPIV3Schema", schema)])),
                    ])]),
                ),
            ]),
        ),
    ])
}

/// Every keyword with every deep value, at the top and in a property.
fn each_schema(mut show: impl FnMut(&'static str, &Value)) {
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

/// The keywords under which something deep was taken, if only in one place and of one kind.
fn taken<T, E: ToString>(mut read: impl FnMut(&Value) -> Result<T, E>) -> Vec<&'static str> {
    let mut taken = Vec::new();
    each_schema(|keyword, schema| match read(schema) {
        Ok(_) if taken.contains(&keyword) => {}
        Ok(_) => taken.push(keyword),
        Err(refused) => assert!(!refused.to_string().is_empty(), "{keyword}"),
    });
    taken.sort_unstable();
    taken
}

/// The keywords under which nothing deep was taken, wherever it stood.
fn refused<T, E: ToString>(read: impl FnMut(&Value) -> Result<T, E>) -> Vec<&'static str> {
    let taken = taken(read);
    let mut refused = KEYWORDS.to_vec();
    refused.retain(|keyword| !taken.contains(keyword));
    refused
}

/// What judges no value may be as deep as it likes, and so may what is under keys that are not known.
const NOT_JUDGED: [&str; 8] = [
    "discriminator",
    "example",
    "externalDocs",
    "not",
    "x-kubernetes-patch-merge-key",
    "x-kubernetes-patch-strategy",
    "x-kubernetes-unions",
    "x-nobody",
];

#[test]
fn compiling_structural_schemas_takes_no_stack() {
    assert_eq!(taken(StructuralSchema::compile), NOT_JUDGED);
    let with_status = StructuralSchema::compiler().status(Status::Subresource);
    assert_eq!(taken(|schema| with_status.schema(schema)), NOT_JUDGED);
}

#[test]
fn telling_costs_takes_no_stack() {
    // What keeps a schema from being compiled is not always in the way of its costs.
    let mut taken_too = NOT_JUDGED.to_vec();
    taken_too.extend([
        "additionalProperties",
        "items",
        "properties",
        "x-kubernetes-validations",
    ]);
    taken_too.sort_unstable();
    assert_eq!(taken(k8s_crd_validation::cost_report), taken_too);
}

#[test]
fn reading_unions_takes_no_stack() {
    let of_unions = ["$ref", "allOf", "anyOf", "oneOf", "x-kubernetes-unions"];
    let read = |schema: &Value| Unions::compile(Source::Schema(schema));
    assert_eq!(refused(read), of_unions);
}

#[test]
fn reading_patch_schemas_takes_no_stack() {
    assert_eq!(refused(PatchSchema::compile), ["$ref"]);
}

#[test]
fn reading_whole_definitions_takes_no_stack() {
    let mut taken: Vec<[bool; 4]> = Vec::new();
    for mut value in values() {
        let crd = Deep::new(0, crd(value.take()), |inner| inner);
        taken.push([
            StructuralSchema::compiler().crd(&crd, None).is_ok(),
            StructuralSchema::compiler()
                .stored()
                .crd(&crd, None)
                .is_ok(),
            Unions::compile(Source::Crd(&crd, None)).is_ok(),
            PatchSchema::compiler().crd(&crd, None).is_ok(),
        ]);
        assert_eq!(annotation(&crd), None);
    }
    // Lists are not schemas; objects are, with keys that nobody knows; schemas in schemas are too deep to be judged by.
    let (list, object) = ([false; 4], [false, true, true, true]);
    let schema = [false, false, true, true];
    assert_eq!(taken, [list, object, schema, schema, list, object]);
}
