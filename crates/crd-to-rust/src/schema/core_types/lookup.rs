//! Recognizes Kubernetes types by the shape of an object schema.

use serde_json::Value;

use super::row::{KnownField, KnownFieldType, KnownType, LATEST, Recognition, optional};
use super::table::TYPES;

/// The metadata fields that authors of CRDs declare.
const METADATA_FIELDS: &[KnownField] = &[
    optional("annotations", KnownFieldType::Map(&KnownFieldType::String)),
    optional("creationTimestamp", KnownFieldType::Time),
    optional("finalizers", KnownFieldType::List(&KnownFieldType::String)),
    optional("generateName", KnownFieldType::String),
    optional("labels", KnownFieldType::Map(&KnownFieldType::String)),
    optional("name", KnownFieldType::String),
    optional("namespace", KnownFieldType::String),
];

/// Returns the k8s-openapi type whose schema equals an object schema, among the types of Kubernetes
/// 1.`minor`.
pub(crate) fn core_type(schema: &Value, minor: u8) -> Option<&'static str> {
    let known_type = TYPES.iter().find(|known_type| {
        let is_recognized = match known_type.recognition {
            Recognition::ByShape => true,
            Recognition::ByDescription(field, words) => {
                let description = schema.pointer(&format!("/properties/{field}/description"));
                let description = description.and_then(Value::as_str).unwrap_or_default();
                description.to_lowercase().contains(words)
            }
            Recognition::InsideKnownType => false,
        };
        is_recognized && has_fields(schema, known_type.fields, minor)
    });
    known_type.map(|known_type| known_type.path)
}

/// Returns true if an object has exactly the fields that a type had in one version of Kubernetes,
/// up to 1.`minor`. The recursion ends, because the types of the table are not recursive.
fn has_fields(schema: &Value, fields: &[KnownField], minor: u8) -> bool {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return false;
    };
    let mut count = 0;
    let mut newest = 0;
    for field in fields {
        if properties.contains_key(field.name) {
            count += 1;
            newest = newest.max(field.since);
            if !(field.since..=field.until).contains(&minor) {
                return false;
            }
        } else if field.since == 0 {
            return false;
        }
    }
    let is_present_if_needed = |field: &KnownField| {
        let is_optional_here = field.since > newest || field.until < LATEST;
        is_optional_here || properties.contains_key(field.name)
    };
    count == properties.len()
        && fields.iter().all(is_present_if_needed)
        && is_plain(schema)
        && has_types(schema, fields, minor)
}

/// Returns true if an object has no keywords beside its fields that change its values.
fn is_plain(schema: &Value) -> bool {
    let unsupported = [
        "additionalProperties",
        "nullable",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-preserve-unknown-fields",
    ];
    unsupported
        .iter()
        .all(|keyword| schema.get(keyword).is_none())
}

/// Returns true if the fields of an object have the types of the table's fields.
fn has_types(schema: &Value, fields: &[KnownField], minor: u8) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| {
        required
            .into_iter()
            .flatten()
            .any(|required| required == name)
    };
    fields.iter().all(|field| {
        let Some(property) = schema
            .get("properties")
            .and_then(|properties| properties.get(field.name))
        else {
            return true;
        };
        // An API server adds a default that equals the value that the type would serialize.
        let has_empty_default = property.get("default").is_some_and(|default| default == "");
        let is_always_present =
            !field.is_always_written || is_required(field.name) || has_empty_default;
        is_always_present && is_of_type(property, &field.field_type, minor)
    })
}

fn is_of_type(schema: &Value, field_type: &KnownFieldType, minor: u8) -> bool {
    let has = |keyword: &str, text: &str| schema.get(keyword).is_some_and(|found| found == text);
    if schema.get("nullable").is_some_and(|found| found != false) {
        return false;
    }
    let is_int_or_string = schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true));
    let inner = |keyword: &str, inner_type: &KnownFieldType| {
        let inner = schema.get(keyword);
        inner.is_some_and(|inner| is_of_type(inner, inner_type, minor))
    };
    match field_type {
        KnownFieldType::String => {
            has("type", "string") && !has("format", "byte") && !has("format", "date-time")
        }
        KnownFieldType::Boolean => has("type", "boolean"),
        KnownFieldType::Int32 => has("type", "integer") && has("format", "int32"),
        KnownFieldType::Int64 => has("type", "integer"),
        KnownFieldType::Time => has("type", "string") && has("format", "date-time"),
        KnownFieldType::Quantity | KnownFieldType::IntOrString => is_int_or_string,
        KnownFieldType::Metadata => has("type", "object") && is_metadata(schema, minor),
        KnownFieldType::List(of) => has("type", "array") && inner("items", of),
        KnownFieldType::Map(of) => {
            has("type", "object")
                && schema.get("properties").is_none()
                && inner("additionalProperties", of)
        }
        KnownFieldType::Object(name) => {
            has("type", "object")
                && find_type(name).is_some_and(|of| has_fields(schema, of.fields, minor))
        }
    }
}

/// Returns true if an API server keeps only metadata fields that Kubernetes' type has.
fn is_metadata(schema: &Value, minor: u8) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut names = properties.into_iter().flatten().map(|(name, _)| name);
    is_plain(schema)
        && names.all(|name| METADATA_FIELDS.iter().any(|field| field.name == name))
        && has_types(schema, METADATA_FIELDS, minor)
}

/// Returns the type whose path ends with the name.
fn find_type(name: &str) -> Option<&'static KnownType> {
    TYPES.iter().find(|known_type| {
        let before = known_type.path.strip_suffix(name);
        before.is_some_and(|before| before.ends_with("::"))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{KnownField, KnownFieldType, TYPES, find_type, has_fields, optional};
    use crate::schema::core_types::row::required;

    /// Returns the name of the object type in a field, in its lists, or in its maps.
    fn object_type_name(of: &KnownFieldType) -> Option<&'static str> {
        match of {
            KnownFieldType::Object(name) => Some(name),
            KnownFieldType::List(of) | KnownFieldType::Map(of) => object_type_name(of),
            _ => None,
        }
    }

    #[test]
    fn type_names_are_unique_and_defined() {
        for of in TYPES {
            let name = of.path.rsplit("::").next().unwrap();
            assert_eq!(find_type(name).unwrap().path, of.path);
            for field in of.fields {
                let inner = object_type_name(&field.field_type);
                assert!(
                    inner.is_none_or(|inner| find_type(inner).is_some()),
                    "{name}.{}",
                    field.name
                );
            }
        }
    }

    #[test]
    fn removed_fields_exist_only_in_their_versions() {
        const FIELDS: &[KnownField] = &[
            required("a", KnownFieldType::String),
            optional("b", KnownFieldType::Boolean).since(35).until(36),
            optional("c", KnownFieldType::Boolean).since(37),
        ];
        let known =
            |schema: &Value| [34, 35, 36, 37].map(|minor| has_fields(schema, FIELDS, minor));
        let flag = json!({"type": "boolean"});
        let mut schema = json!({"required": ["a"], "properties": {"a": {"type": "string"}}});
        assert_eq!(known(&schema), [true; 4]);
        schema["properties"]["b"] = flag.clone();
        assert_eq!(known(&schema), [false, true, true, false]);
        schema["properties"]["c"] = flag;
        assert_eq!(known(&schema), [false; 4]);
        schema["properties"].as_object_mut().unwrap().remove("b");
        assert_eq!(known(&schema), [false, false, false, true]);
    }
}
