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
pub(crate) fn find_core_type(schema: &Value, minor: u8) -> Option<&'static str> {
    let known_type = TYPES.iter().find(|known_type| {
        let is_recognized = match known_type.recognition {
            Recognition::ByShape => true,
            Recognition::ByDescription { field, words } => {
                let description = schema.pointer(&format!("/properties/{field}/description"));
                let description = description.and_then(Value::as_str).unwrap_or_default();
                description.to_lowercase().contains(words)
            }
            Recognition::InsideKnownType => false,
        };
        is_recognized && matches_fields(schema, known_type.fields, minor)
    });
    known_type.map(|known_type| known_type.path)
}

/// Returns true if an object has exactly the fields that a type had in one version of Kubernetes,
/// up to 1.`minor`. The recursion ends, because the types of the table are not recursive.
fn matches_fields(schema: &Value, fields: &[KnownField], minor: u8) -> bool {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return false;
    };
    let mut matching_count = 0;
    let mut newest_minor = 0;
    for field in fields {
        if properties.contains_key(field.name) {
            matching_count += 1;
            newest_minor = newest_minor.max(field.since);
            if !(field.since..=field.until).contains(&minor) {
                return false;
            }
        } else if field.since == 0 {
            return false;
        }
    }
    let is_present_if_needed = |field: &KnownField| {
        let may_be_missing = field.since > newest_minor || field.until < LATEST;
        may_be_missing || properties.contains_key(field.name)
    };
    matching_count == properties.len()
        && fields.iter().all(is_present_if_needed)
        && has_only_plain_keywords(schema)
        && matches_field_types(schema, fields, minor)
}

/// Returns true if an object schema has no keyword, other than `properties`, that changes the set
/// of fields or allows null.
fn has_only_plain_keywords(schema: &Value) -> bool {
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
fn matches_field_types(schema: &Value, fields: &[KnownField], minor: u8) -> bool {
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
            !field.is_always_serialized || is_required(field.name) || has_empty_default;
        is_always_present && matches_type(property, &field.field_type, minor)
    })
}

fn matches_type(schema: &Value, field_type: &KnownFieldType, minor: u8) -> bool {
    let has =
        |keyword: &str, string: &str| schema.get(keyword).is_some_and(|value| value == string);
    if schema.get("nullable").is_some_and(|value| value != false) {
        return false;
    }
    let is_int_or_string = schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true));
    let subschema_matches = |keyword: &str, element_type: &KnownFieldType| {
        let subschema = schema.get(keyword);
        subschema.is_some_and(|subschema| matches_type(subschema, element_type, minor))
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
        KnownFieldType::List(element_type) => {
            has("type", "array") && subschema_matches("items", element_type)
        }
        KnownFieldType::Map(value_type) => {
            has("type", "object")
                && schema.get("properties").is_none()
                && subschema_matches("additionalProperties", value_type)
        }
        KnownFieldType::Object(name) => {
            has("type", "object")
                && type_by_name(name)
                    .is_some_and(|known_type| matches_fields(schema, known_type.fields, minor))
        }
    }
}

/// Returns true if the schema of metadata declares only fields of Kubernetes' `ObjectMeta`.
fn is_metadata(schema: &Value, minor: u8) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut names = properties.into_iter().flatten().map(|(name, _)| name);
    has_only_plain_keywords(schema)
        && names.all(|name| METADATA_FIELDS.iter().any(|field| field.name == name))
        && matches_field_types(schema, METADATA_FIELDS, minor)
}

/// Returns the type with the name at the end of its path.
fn type_by_name(name: &str) -> Option<&'static KnownType> {
    TYPES.iter().find(|known_type| {
        let module_path = known_type.path.strip_suffix(name);
        module_path.is_some_and(|module_path| module_path.ends_with("::"))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{KnownField, KnownFieldType, TYPES, matches_fields, optional, type_by_name};
    use crate::schema::core_types::row::required;

    /// Returns the name of the object type in a field, in its lists, or in its maps.
    fn object_type_name(field_type: &KnownFieldType) -> Option<&'static str> {
        match field_type {
            KnownFieldType::Object(name) => Some(name),
            KnownFieldType::List(element) | KnownFieldType::Map(element) => {
                object_type_name(element)
            }
            _ => None,
        }
    }

    #[test]
    fn type_names_are_unique_and_defined() {
        for known_type in TYPES {
            let name = known_type.path.rsplit("::").next().unwrap();
            assert_eq!(type_by_name(name).unwrap().path, known_type.path);
            for field in known_type.fields {
                let referenced_name = object_type_name(&field.field_type);
                assert!(
                    referenced_name.is_none_or(|name| type_by_name(name).is_some()),
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
        let matches_by_minor =
            |schema: &Value| [34, 35, 36, 37].map(|minor| matches_fields(schema, FIELDS, minor));
        let flag = json!({"type": "boolean"});
        let mut schema = json!({"required": ["a"], "properties": {"a": {"type": "string"}}});
        assert_eq!(matches_by_minor(&schema), [true; 4]);
        schema["properties"]["b"] = flag.clone();
        assert_eq!(matches_by_minor(&schema), [false, true, true, false]);
        schema["properties"]["c"] = flag;
        assert_eq!(matches_by_minor(&schema), [false; 4]);
        schema["properties"].as_object_mut().unwrap().remove("b");
        assert_eq!(matches_by_minor(&schema), [false, false, false, true]);
    }
}
