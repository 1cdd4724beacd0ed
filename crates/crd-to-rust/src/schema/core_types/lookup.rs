//! Lookups of Kubernetes types by the shape of an object schema.

use serde_json::Value;

use super::row::{KnownField, KnownFieldType, KnownType, LATEST, Recognition, optional};
use super::table::TYPES;

/// The fields of metadata that authors of CRDs declare.
const METADATA_FIELDS: &[KnownField] = &[
    optional("annotations", KnownFieldType::Map(&KnownFieldType::String)),
    optional("creationTimestamp", KnownFieldType::Time),
    optional("finalizers", KnownFieldType::List(&KnownFieldType::String)),
    optional("generateName", KnownFieldType::String),
    optional("labels", KnownFieldType::Map(&KnownFieldType::String)),
    optional("name", KnownFieldType::String),
    optional("namespace", KnownFieldType::String),
];

/// Returns the type of k8s-openapi that an object schema describes, if the crate has types of
/// Kubernetes 1.`minor`.
pub(crate) fn core_type(schema: &Value, minor: u8) -> Option<&'static str> {
    let found = TYPES.iter().find(|of| {
        let is_known = match of.recognition {
            Recognition::ByShape => true,
            Recognition::ByDescription(field, words) => {
                let description = schema.pointer(&format!("/properties/{field}/description"));
                let text = description.and_then(Value::as_str).unwrap_or_default();
                text.to_lowercase().contains(words)
            }
            Recognition::InsideKnownType => false,
        };
        is_known && has_fields(schema, of.fields, minor)
    });
    found.map(|of| of.path)
}

/// Returns true if an object has exactly the fields that a type had in a version of Kubernetes, up
/// to 1.`minor`. The recursion ends, because the tables are not cyclic.
fn has_fields(schema: &Value, fields: &[KnownField], minor: u8) -> bool {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return false;
    };
    let mut found = 0;
    let mut newest = 0;
    for field in fields {
        if properties.contains_key(field.name) {
            found += 1;
            newest = newest.max(field.since);
            if !(field.since..=field.until).contains(&minor) {
                return false;
            }
        } else if field.since == 0 {
            return false;
        }
    }
    let is_whole = |field: &KnownField| {
        let is_gone = field.since > newest || field.until < LATEST;
        is_gone || properties.contains_key(field.name)
    };
    found == properties.len()
        && fields.iter().all(is_whole)
        && is_plain(schema)
        && has_types(schema, fields, minor)
}

/// Returns true if an object does not have keywords beside its fields.
fn is_plain(schema: &Value) -> bool {
    let refused = [
        "additionalProperties",
        "nullable",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-preserve-unknown-fields",
    ];
    refused.iter().all(|keyword| schema.get(keyword).is_none())
}

/// Returns true if the fields of an object have the types of the table's fields.
fn has_types(schema: &Value, fields: &[KnownField], minor: u8) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.into_iter().flatten().any(|found| found == name);
    fields.iter().all(|field| {
        let Some(property) = schema
            .get("properties")
            .and_then(|properties| properties.get(field.name))
        else {
            return true;
        };
        // An API server fills in the value that the type would serialize.
        let is_filled_in = property.get("default").is_some_and(|default| default == "");
        let is_there = !field.is_always_written || is_required(field.name) || is_filled_in;
        is_there && is_of_type(property, &field.field_type, minor)
    })
}

fn is_of_type(schema: &Value, of: &KnownFieldType, minor: u8) -> bool {
    let says = |keyword: &str, text: &str| schema.get(keyword).is_some_and(|found| found == text);
    if schema.get("nullable").is_some_and(|found| found != false) {
        return false;
    }
    let is_int_or_string = schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true));
    let inner = |keyword: &str, of: &KnownFieldType| {
        let inner = schema.get(keyword);
        inner.is_some_and(|inner| is_of_type(inner, of, minor))
    };
    match of {
        KnownFieldType::String => {
            says("type", "string") && !says("format", "byte") && !says("format", "date-time")
        }
        KnownFieldType::Boolean => says("type", "boolean"),
        KnownFieldType::Int32 => says("type", "integer") && says("format", "int32"),
        KnownFieldType::Int64 => says("type", "integer"),
        KnownFieldType::Time => says("type", "string") && says("format", "date-time"),
        KnownFieldType::Quantity | KnownFieldType::IntOrString => is_int_or_string,
        KnownFieldType::Metadata => says("type", "object") && is_metadata(schema, minor),
        KnownFieldType::List(of) => says("type", "array") && inner("items", of),
        KnownFieldType::Map(of) => {
            says("type", "object")
                && schema.get("properties").is_none()
                && inner("additionalProperties", of)
        }
        KnownFieldType::Object(name) => {
            says("type", "object")
                && find_type(name).is_some_and(|of| has_fields(schema, of.fields, minor))
        }
    }
}

/// Returns true if an API server only keeps metadata that Kubernetes' type can represent.
fn is_metadata(schema: &Value, minor: u8) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut names = properties.into_iter().flatten().map(|(name, _)| name);
    is_plain(schema)
        && names.all(|name| METADATA_FIELDS.iter().any(|field| field.name == name))
        && has_types(schema, METADATA_FIELDS, minor)
}

/// Returns the type whose path ends with this name.
fn find_type(name: &str) -> Option<&'static KnownType> {
    TYPES.iter().find(|of| {
        let before = of.path.strip_suffix(name);
        before.is_some_and(|before| before.ends_with("::"))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{KnownField, KnownFieldType, TYPES, find_type, has_fields, optional};
    use crate::schema::core_types::row::required;

    /// Returns the type of a field, or of the elements of its lists and maps.
    fn within(of: &KnownFieldType) -> Option<&'static str> {
        match of {
            KnownFieldType::Object(name) => Some(name),
            KnownFieldType::List(of) | KnownFieldType::Map(of) => within(of),
            _ => None,
        }
    }

    #[test]
    fn every_type_has_its_own_name_and_those_in_it_are_there() {
        for of in TYPES {
            let name = of.path.rsplit("::").next().unwrap();
            assert_eq!(find_type(name).unwrap().path, of.path);
            for field in of.fields {
                let inner = within(&field.field_type);
                assert!(
                    inner.is_none_or(|inner| find_type(inner).is_some()),
                    "{name}.{}",
                    field.name
                );
            }
        }
    }

    #[test]
    fn a_field_that_was_taken_back_is_that_of_its_versions() {
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
