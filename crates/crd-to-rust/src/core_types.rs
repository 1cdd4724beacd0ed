//! Objects that are types of Kubernetes by their shape.

use serde_json::Value;

/// A field of a type of k8s-openapi: its name, its type, and whether it has to be there.
type Field = (&'static str, &'static str, bool);

/// Types that write what they read. Those with a text that may be absent and is written as "" are not among them.
const TYPES: [(&str, &[Field]); 4] = [
    (
        "::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition",
        &[
            ("lastTransitionTime", "string", true),
            ("message", "string", true),
            ("observedGeneration", "integer", false),
            ("reason", "string", true),
            ("status", "string", true),
            ("type", "string", true),
        ],
    ),
    (
        "::k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector",
        &[
            ("matchExpressions", "array", false),
            ("matchLabels", "object", false),
        ],
    ),
    (
        "::k8s_openapi::api::core::v1::ObjectReference",
        &[
            ("apiVersion", "string", false),
            ("fieldPath", "string", false),
            ("kind", "string", false),
            ("name", "string", false),
            ("namespace", "string", false),
            ("resourceVersion", "string", false),
            ("uid", "string", false),
        ],
    ),
    (
        "::k8s_openapi::api::core::v1::Toleration",
        &[
            ("effect", "string", false),
            ("key", "string", false),
            ("operator", "string", false),
            ("tolerationSeconds", "integer", false),
            ("value", "string", false),
        ],
    ),
];

/// The elements of `matchExpressions`.
const REQUIREMENT: [Field; 3] = [
    ("key", "string", true),
    ("operator", "string", true),
    ("values", "array", false),
];

/// The type of k8s-openapi that an object schema describes.
pub(crate) fn core_type(schema: &Value) -> Option<&'static str> {
    let is_plain = [
        "x-kubernetes-embedded-resource",
        "x-kubernetes-preserve-unknown-fields",
        "nullable",
    ]
    .iter()
    .all(|keyword| schema.get(keyword).is_none());
    let found = TYPES
        .iter()
        .find(|(_, fields)| is_plain && has_fields(schema, fields));
    let (path, _) = found?;
    if path.ends_with("::LabelSelector") {
        let items = schema.pointer("/properties/matchExpressions/items")?;
        let labels = schema.pointer("/properties/matchLabels/additionalProperties/type");
        let values = items.pointer("/properties/values/items/type");
        let is_text = |found: Option<&Value>| found.is_some_and(|found| found == "string");
        if !(has_fields(items, &REQUIREMENT) && is_text(labels) && is_text(values)) {
            return None;
        }
    }
    Some(path)
}

/// Whether an object has these fields and no others. A time is one by its format.
fn has_fields(schema: &Value, fields: &[Field]) -> bool {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return false;
    };
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| {
        let required = required.into_iter().flatten();
        required.into_iter().any(|found| found == name)
    };
    properties.len() == fields.len()
        && fields.iter().all(|(name, of, must)| {
            let Some(property) = properties.get(*name) else {
                return false;
            };
            property.get("type").is_some_and(|found| found == of)
                && (!must || is_required(name))
                && property.get("nullable") != Some(&Value::Bool(true))
                && (*name != "lastTransitionTime"
                    || property
                        .get("format")
                        .is_some_and(|found| found == "date-time"))
        })
}
