//! The search for unknown keywords in the schemas of a CRD.

use serde_json::{Map, Value};

use super::go_schema::{KeywordTable, KeywordType, SCHEMA};
use crate::schema::unknown::unknown_fields::{FieldKind, RemovedFields};
use union_runtime::path::{Path, PathStep};

/// Records the unknown keywords of the schema at `path`, and of the schemas inside the schema, in
/// `unknown`. Returns false if a server cannot decode the schema, because the value of a known
/// keyword has a wrong type.
pub(crate) fn find_unknown<'s>(
    schema: &Value,
    path: &Path<'_>,
    unknown: &mut impl RemovedFields<'s>,
) -> bool {
    find_unknown_in(schema, KeywordType::Schema, path, unknown)
}

/// Records the unknown keywords in the value of a keyword. Returns false if the value has a wrong
/// type.
fn find_unknown_in<'s>(
    value: &Value,
    value_type: KeywordType,
    path: &Path<'_>,
    unknown: &mut impl RemovedFields<'s>,
) -> bool {
    match (value_type, value) {
        (KeywordType::Integer, Value::Number(number)) => number.is_i64(),
        (KeywordType::Strings, Value::Array(items)) => {
            items.iter().all(|item| item.is_string() || item.is_null())
        }
        (KeywordType::Schema, Value::Object(object)) => {
            find_unknown_in_struct(object, &SCHEMA, path, unknown)
        }
        (KeywordType::Struct(keywords), Value::Object(object)) => {
            find_unknown_in_struct(object, keywords, path, unknown)
        }
        (KeywordType::Schemas, Value::Array(items)) => {
            find_unknown_in_list(items, KeywordType::Schema, path, unknown)
        }
        (KeywordType::Structs(keywords), Value::Array(items)) => {
            find_unknown_in_list(items, KeywordType::Struct(keywords), path, unknown)
        }
        (KeywordType::SchemasByName, Value::Object(object)) => object
            .iter()
            .all(|(name, value)| find_unknown(value, &path.field(name), unknown)),
        // In Go, these types have their own `UnmarshalJSON` methods, which ignore unknown keywords.
        // Only the types are checked.
        (KeywordType::SchemaOrBoolean | KeywordType::Items, Value::Object(_)) => {
            find_unknown(value, path, &mut ())
        }
        (KeywordType::Items, Value::Array(items)) => {
            find_unknown_in_list(items, KeywordType::Schema, path, &mut ())
        }
        (KeywordType::Dependencies, Value::Object(object)) => object.values().all(|value| {
            let value_type = if value.is_array() {
                KeywordType::Strings
            } else {
                KeywordType::Items
            };
            find_unknown_in(value, value_type, path, &mut ())
        }),
        (_, Value::Null)
        | (KeywordType::Any | KeywordType::Items, _)
        | (KeywordType::AnyList, Value::Array(_))
        | (KeywordType::String | KeywordType::OptionalString, Value::String(_))
        | (
            KeywordType::Boolean | KeywordType::OptionalBoolean | KeywordType::SchemaOrBoolean,
            Value::Bool(_),
        )
        | (KeywordType::Float, Value::Number(_)) => true,
        _ => false,
    }
}

fn find_unknown_in_list<'s>(
    items: &[Value],
    value_type: KeywordType,
    path: &Path<'_>,
    unknown: &mut impl RemovedFields<'s>,
) -> bool {
    let mut items = items.iter().enumerate();
    items.all(|(index, item)| {
        find_unknown_in(
            item,
            value_type,
            &path.step(PathStep::Index(index)),
            unknown,
        )
    })
}

fn find_unknown_in_struct<'s>(
    object: &Map<String, Value>,
    keywords: &'static KeywordTable,
    path: &Path<'_>,
    unknown: &mut impl RemovedFields<'s>,
) -> bool {
    object.iter().all(|(name, value)| {
        let keyword_type = keywords.field(name);
        if let Some(value_type) =
            keyword_type.filter(|_| !unknown.is_newer(name, FieldKind::Keyword))
        {
            return find_unknown_in(value, value_type, &path.field(name), unknown);
        }
        unknown.record(path, name, [Some(keywords), None]);
        true
    })
}
