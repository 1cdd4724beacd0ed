//! Tests of schemas with a deep value below a keyword.

use k8s_crd_validation::{StatusHandling, StructuralSchema};
use k8s_strategic_merge_patch::PatchSchema;
use serde_json::{Value, json};
use union_json::{SchemaSource, Unions, annotation};

use crate::deep::{LEVELS, field, lists, objects};
use crate::deep_value::{self, Deep};

/// Every keyword that a reader of schemas knows, and a keyword that no reader knows.
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

/// Returns deep values for a keyword: lists, objects and schemas.
fn values() -> [Deep; 6] {
    let schema = |keyword: &'static str| {
        Deep::new(LEVELS, json!({"type": "string"}), move |inner| {
            deep_value::object([("type", "object".into()), (keyword, inner)])
        })
    };
    let nested_properties = Deep::new(LEVELS, json!({"type": "string"}), |inner| {
        deep_value::object([
            ("type", "object".into()),
            ("properties", deep_value::object([("a", inner)])),
        ])
    });
    [
        lists(),
        objects(),
        schema("items"),
        nested_properties,
        lists().within(|inner| deep_value::list([inner, json!({"rule": "true"})])),
        objects().within(field("rule")),
    ]
}

/// Returns a CRD with the schema. The macro `json!` would serialize the deep schema, but this
/// function moves it.
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

/// Calls `visit` with a schema for every keyword, every deep value and two positions: the root and
/// a property.
fn for_each_schema(mut visit: impl FnMut(&'static str, &Value)) {
    for mut value in values() {
        for keyword in KEYWORDS {
            for place in ["", "/properties/a"] {
                let mut schema = json!({"type": "object", "properties": {"a": {"type": "object"}}});
                let target = schema.pointer_mut(place).expect("a present value");
                let original_value = core::mem::replace(&mut target[keyword], value.take());
                visit(keyword, &schema);
                let target = schema.pointer_mut(place).expect("a present value");
                *value = core::mem::replace(&mut target[keyword], original_value);
            }
        }
    }
}

/// Returns the keywords for which `read` accepts at least one of the deep values.
fn accepting_keywords<T, E: ToString>(
    mut read: impl FnMut(&Value) -> Result<T, E>,
) -> Vec<&'static str> {
    let mut accepting_keywords = Vec::new();
    for_each_schema(|keyword, schema| match read(schema) {
        Ok(_) if accepting_keywords.contains(&keyword) => {}
        Ok(_) => accepting_keywords.push(keyword),
        Err(rejecting_keywords) => assert!(!rejecting_keywords.to_string().is_empty(), "{keyword}"),
    });
    accepting_keywords.sort_unstable();
    accepting_keywords
}

/// Returns the keywords for which `read` accepts none of the deep values.
fn rejecting_keywords<T, E: ToString>(
    read: impl FnMut(&Value) -> Result<T, E>,
) -> Vec<&'static str> {
    let accepting_keywords = accepting_keywords(read);
    let mut rejecting_keywords = KEYWORDS.to_vec();
    rejecting_keywords.retain(|keyword| !accepting_keywords.contains(keyword));
    rejecting_keywords
}

/// Keywords whose values do not validate anything, and an unknown keyword. Their values may have
/// any depth.
const UNCHECKED_KEYWORDS: [&str; 8] = [
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
fn compiling_structural_schemas_uses_no_recursion() {
    assert_eq!(
        accepting_keywords(StructuralSchema::compile),
        UNCHECKED_KEYWORDS
    );
    let with_status = StructuralSchema::compiler().status(StatusHandling::Subresource);
    assert_eq!(
        accepting_keywords(|schema| with_status.schema(schema)),
        UNCHECKED_KEYWORDS
    );
}

#[test]
fn cost_reports_use_no_recursion() {
    // Some errors that prevent compiling a schema do not prevent an estimate of its costs.
    let mut expected_keywords = UNCHECKED_KEYWORDS.to_vec();
    expected_keywords.extend(["additionalProperties", "items", "properties"]);
    expected_keywords.sort_unstable();
    assert_eq!(
        accepting_keywords(k8s_crd_validation::cost_report),
        expected_keywords
    );
}

#[test]
fn reading_unions_uses_no_recursion() {
    let union_keywords = ["$ref", "allOf", "anyOf", "oneOf", "x-kubernetes-unions"];
    let read = |schema: &Value| Unions::compile(SchemaSource::Schema(schema));
    assert_eq!(rejecting_keywords(read), union_keywords);
}

#[test]
fn reading_patch_schemas_uses_no_recursion() {
    assert_eq!(rejecting_keywords(PatchSchema::compile), ["$ref"]);
}

#[test]
fn reading_whole_definitions_uses_no_recursion() {
    let mut accepting_keywords: Vec<[bool; 4]> = Vec::new();
    for mut value in values() {
        let crd = Deep::new(0, crd(value.take()), |inner| inner);
        accepting_keywords.push([
            StructuralSchema::compiler().crd(&crd, None).is_ok(),
            StructuralSchema::compiler()
                .stored()
                .crd(&crd, None)
                .is_ok(),
            Unions::compile(SchemaSource::Crd(&crd, None)).is_ok(),
            PatchSchema::compiler().crd(&crd, None).is_ok(),
        ]);
        assert_eq!(annotation(&crd), None);
    }
    // A list is not a schema. An object is a schema with unknown keywords. Nested schemas are too
    // deep for validation.
    let (list, object) = ([false; 4], [false, true, true, true]);
    let schema = [false, false, true, true];
    assert_eq!(
        accepting_keywords,
        [list, object, schema, schema, list, object]
    );
}
