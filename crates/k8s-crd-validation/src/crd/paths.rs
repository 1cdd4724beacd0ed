//! JSON paths in printer columns, subresources and selectable fields.

use core::fmt;

use serde_json::Value;

use crate::rules::field_path;
use crate::schema::crd_path::CrdPath;
use crate::schema::raw::keywords::Keywords;
use union_runtime::Violation;

/// Checks that the JSON path at `path` is not empty and starts with a dot, as a server does.
/// Returns true if the JSON path is valid.
pub(super) fn check_simple_path(
    json_path: &str,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) -> bool {
    let is_valid = json_path.starts_with('.');
    if !is_valid {
        let detail = if json_path.is_empty() {
            ""
        } else {
            "must be a simple json path starting with ."
        };
        errors.push(path.invalid_or_required(json_path, detail));
    }
    is_valid
}

/// The error for a path that does not refer to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonPathError<'p> {
    /// A token other than a dot, where a dot is expected.
    UnexpectedToken(&'p str),
    /// The path ends with a dot.
    UnexpectedEnd,
    /// The path contains an index or a key in brackets.
    ArrayNotation,
    /// The schema does not describe the field.
    UnknownField,
}

impl fmt::Display for JsonPathError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("is an invalid path: ")?;
        match self {
            Self::UnexpectedToken(token) => write!(f, "expected [ or . but got: {token}"),
            Self::UnexpectedEnd => f.write_str("unexpected end of JSON path"),
            Self::ArrayNotation => f.write_str("array notation is not allowed"),
            Self::UnknownField => f.write_str("does not refer to a valid field"),
        }
    }
}

/// The field that a path refers to.
pub(super) struct ResolvedField<'v> {
    /// The first name of the path, such as `spec`.
    pub(super) first_name: String,
    /// The type of the field, or an empty string if the schema does not describe it.
    pub(super) schema_type: &'v str,
}

/// Finds the field at a path, such as `.spec.name`, in a schema.
///
/// # Errors
///
/// Returns an error if the path is invalid, or if the schema has no such field.
pub(super) fn resolve<'v, 'p>(
    schema: &'v Value,
    json_path: &'p str,
) -> Result<ResolvedField<'v>, JsonPathError<'p>> {
    let mut current_schema = Some(schema);
    let mut first_name = None;
    let mut remaining_path = json_path;
    while !remaining_path.is_empty() {
        let Some(after_dot) = remaining_path.strip_prefix('.') else {
            return Err(if remaining_path.starts_with('[') {
                JsonPathError::ArrayNotation
            } else {
                JsonPathError::UnexpectedToken(split_token(remaining_path).0)
            });
        };
        if after_dot.is_empty() {
            return Err(JsonPathError::UnexpectedEnd);
        }
        let (name, after_name) = split_token(after_dot);
        current_schema = field_schema(current_schema.ok_or(JsonPathError::UnknownField)?, name)
            .ok_or(JsonPathError::UnknownField)?;
        first_name.get_or_insert_with(|| name.to_owned());
        remaining_path = after_name;
    }
    let keywords = current_schema.and_then(|schema| Keywords::decode(schema).ok());
    Ok(ResolvedField {
        first_name: first_name.unwrap_or_default(),
        schema_type: keywords.map_or("", |keywords| keywords.schema_type),
    })
}

/// Returns the schema of a field, or `None` if the field does not exist. `Some(None)` is a field
/// without a schema: `additionalProperties: true` allows any value.
#[expect(clippy::option_option, reason = "a field may exist without a schema")]
fn field_schema<'v>(schema: &'v Value, name: &str) -> Option<Option<&'v Value>> {
    let keywords = Keywords::decode(schema).ok()?;
    if let Some(properties) = keywords.properties {
        return properties.get(name).map(Some);
    }
    match keywords.additional_properties? {
        Value::Bool(false) => None,
        Value::Bool(true) => Some(None),
        values => Some(Some(values)),
    }
}

/// Splits off the first token: a punctuation character, a quoted string, or a name up to the next
/// punctuation character.
fn split_token(path: &str) -> (&str, &str) {
    let is_punctuation = |c: char| matches!(c, '.' | '[' | ']');
    let end = if let Some(quoted) = path.strip_prefix('\'') {
        // An unterminated quote extends to the end of the path.
        let after_quote = field_path::split_quoted(quoted).map_or("", |(_, after)| after);
        path.len() - after_quote.len()
    } else if path.starts_with(is_punctuation) {
        1
    } else {
        path.find(is_punctuation).unwrap_or(path.len())
    };
    path.split_at(end)
}
