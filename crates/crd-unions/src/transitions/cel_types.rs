//! The types of a schema in CEL.

use k8s_cel::DeclaredType;
use serde_json::{Map, Value};

/// The maximum depth of types. Deeper values are not understood by rules.
const MAX_DEPTH: usize = 24;

/// Returns the type of a schema in CEL, and subtracts the number of its subschemas from
/// `schemas_left`. Returns `None` if too few are left.
pub(crate) fn cel_type(
    schema: &Map<String, Value>,
    schemas_left: &mut usize,
) -> Option<DeclaredType> {
    cel_type_at(schema, 0, schemas_left)
}

fn cel_type_at(
    schema: &Map<String, Value>,
    depth: usize,
    schemas_left: &mut usize,
) -> Option<DeclaredType> {
    *schemas_left = schemas_left.checked_sub(1)?;
    if depth > MAX_DEPTH {
        return Some(DeclaredType::unknown());
    }
    if schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) {
        return Some(DeclaredType::int_or_string());
    }
    let subschema = |keyword: &str| schema.get(keyword).and_then(Value::as_object);
    let format = schema.get("format").and_then(Value::as_str);
    Some(match schema.get("type").and_then(Value::as_str) {
        Some("string") => match format {
            Some("date") => DeclaredType::date(),
            Some("date-time") => DeclaredType::date_time(),
            Some("duration") => DeclaredType::duration(),
            Some("byte") => DeclaredType::bytes(),
            _ => DeclaredType::string(),
        },
        Some("boolean") => DeclaredType::bool(),
        Some("integer") => DeclaredType::int(),
        Some("number") => DeclaredType::double(),
        Some("array") => match subschema("items") {
            Some(items) => DeclaredType::list(cel_type_at(items, depth + 1, schemas_left)?),
            None => DeclaredType::unknown(),
        },
        Some("object") => {
            if let Some(values) = subschema("additionalProperties") {
                DeclaredType::map(cel_type_at(values, depth + 1, schemas_left)?)
            } else {
                let mut fields = Vec::new();
                for (name, property) in subschema("properties").into_iter().flatten() {
                    if let Some(property) = property.as_object() {
                        fields.push((&**name, cel_type_at(property, depth + 1, schemas_left)?));
                    }
                }
                DeclaredType::object(fields)
            }
        }
        _ => DeclaredType::unknown(),
    })
}
