//! Finds the places of a schema that have an enum.

use std::collections::BTreeMap;

use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};

use crate::bounds::SCHEMAS;

/// The keywords whose schemas apply to the same value as the schema that contains them.
const COMBINING_KEYWORDS: [&str; 4] = ["allOf", "anyOf", "oneOf", "not"];

/// The keywords that contain the schemas of other values, or do not affect validation.
const OTHER_KEYWORDS: [&str; 4] = ["properties", "items", "additionalProperties", "description"];

/// A place of a schema, such as a field, that has an enum.
pub(crate) struct EnumPlace {
    pub(crate) path: SchemaPath,
    /// The values of all enums at the place.
    pub(crate) values: Vec<Value>,
}

/// Returns the places with an enum, in schema order. Enums in `allOf`, `anyOf`, `oneOf` and `not`
/// belong to the place that they apply to.
pub(crate) fn enum_places(schema: &Value) -> Vec<EnumPlace> {
    let mut places = Vec::new();
    let mut pending = vec![(SchemaPath::root(), vec![schema])];
    let mut visited_count = 0;
    while let Some((path, schemas)) = pending.pop() {
        visited_count += 1;
        if visited_count > SCHEMAS {
            break;
        }
        let schemas = with_combined_schemas(schemas);
        let mut children: Vec<(SchemaStep<'_>, Vec<&Value>)> = Vec::new();
        let mut indexes = BTreeMap::new();
        let subschemas = schemas.iter().filter_map(|schema| schema.as_object());
        for (step, subschema) in subschemas.flat_map(SchemaStep::subschemas) {
            let index = *indexes.entry(step).or_insert(children.len());
            match children.get_mut(index) {
                Some((_, schemas)) => schemas.push(subschema),
                None => children.push((step, vec![subschema])),
            }
        }
        let children = children.into_iter().rev();
        pending.extend(children.map(|(step, schemas)| (path.clone().step(step), schemas)));
        let values = enum_values(&schemas);
        if !values.is_empty() {
            places.push(EnumPlace { path, values });
        }
    }
    places
}

/// Returns schemas, and the schemas that these combine.
fn with_combined_schemas(mut schemas: Vec<&Value>) -> Vec<&Value> {
    let mut index = 0;
    while let Some(schema) = schemas.get(index).copied() {
        index += 1;
        for keyword in COMBINING_KEYWORDS {
            match schema.get(keyword) {
                Some(Value::Array(combined)) => schemas.extend(combined),
                Some(combined @ Value::Object(_)) => schemas.push(combined),
                _ => {}
            }
        }
    }
    schemas
}

fn enum_values(schemas: &[&Value]) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    let enums = schemas
        .iter()
        .filter_map(|schema| schema.get("enum")?.as_array());
    for value in enums.flatten() {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    values
}

/// Returns the keywords of a schema that apply to the value itself, and not to values inside it.
pub(crate) fn own_keywords(schema: &Value) -> BTreeMap<&str, &Value> {
    let keywords = schema.as_object().into_iter().flatten();
    keywords
        .filter(|(keyword, _)| !OTHER_KEYWORDS.contains(&keyword.as_str()))
        .map(|(keyword, value)| (keyword.as_str(), value))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::enum_places;

    #[test]
    fn enums_are_found_at_the_places_that_they_apply_to() {
        let schema = json!({
            "properties": {
                "b": {"enum": ["x", "y"], "allOf": [{"enum": ["y", "z"]}, {"not": {"enum": [1]}}]},
                "a": {"items": {"additionalProperties": {"enum": [1]}}},
                "none": {"type": "string"},
            },
            "oneOf": [
                {"properties": {"none": {"enum": ["v"]}}},
                {"properties": {"none": {"enum": ["w"]}, "late": {"items": {"enum": [null]}}}},
            ],
        });
        let places = enum_places(&schema);
        let places: Vec<_> = places
            .iter()
            .map(|place| (place.path.to_field_notation(), json!(place.values)))
            .collect();
        let expected = [
            ("a[*][*]", json!([1])),
            ("b", json!(["x", "y", "z", 1])),
            ("none", json!(["v", "w"])),
            ("late[*]", json!([null])),
        ];
        let expected = expected.map(|(path, values)| (path.to_owned(), values));
        assert_eq!(places, expected);
    }
}
