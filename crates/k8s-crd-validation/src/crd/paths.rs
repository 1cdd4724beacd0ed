//! JSON paths in columns, subresources and selectable fields.

use core::fmt;

use serde_json::Value;

use crate::rules::field_path;
use crate::schema::crd_path::CrdPath;
use crate::schema::keywords::Keywords;
use union_runtime::Violation;

/// Checks that a path is not empty and starts with a dot, as a server does. Returns true if the
/// path is valid.
pub(super) fn check_simple_path(path: &str, at: &CrdPath<'_>, errors: &mut Vec<Violation>) -> bool {
    let is_fine = path.starts_with('.');
    if !is_fine {
        let detail = if path.is_empty() {
            ""
        } else {
            "must be a simple json path starting with ."
        };
        errors.push(at.invalid_or_required(path, detail));
    }
    is_fine
}

/// The reason why a path does not lead to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonPathError<'p> {
    /// The path continues with another token in place of a dot.
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
            Self::UnexpectedToken(found) => write!(f, "expected [ or . but got: {found}"),
            Self::UnexpectedEnd => f.write_str("unexpected end of JSON path"),
            Self::ArrayNotation => f.write_str("array notation is not allowed"),
            Self::UnknownField => f.write_str("does not refer to a valid field"),
        }
    }
}

/// A field that a schema describes.
pub(super) struct ResolvedField<'v> {
    /// The first name of the path.
    pub(super) first: String,
    /// The type of the field, or an empty string if the schema does not describe it.
    pub(super) schema_type: &'v str,
}

/// Follows a path such as `.spec.name` through a schema.
pub(super) fn resolve<'v, 'p>(
    schema: &'v Value,
    path: &'p str,
) -> Result<ResolvedField<'v>, JsonPathError<'p>> {
    let mut at = Some(schema);
    let mut first = None;
    let mut rest = path;
    while !rest.is_empty() {
        let Some(after) = rest.strip_prefix('.') else {
            return Err(if rest.starts_with('[') {
                JsonPathError::ArrayNotation
            } else {
                JsonPathError::UnexpectedToken(token(rest).0)
            });
        };
        if after.is_empty() {
            return Err(JsonPathError::UnexpectedEnd);
        }
        let (name, after) = token(after);
        at = field_schema(at.ok_or(JsonPathError::UnknownField)?, name)
            .ok_or(JsonPathError::UnknownField)?;
        first.get_or_insert_with(|| name.to_owned());
        rest = after;
    }
    let kind = at.and_then(|schema| Keywords::decode(schema).ok());
    Ok(ResolvedField {
        first: first.unwrap_or_default(),
        schema_type: kind.map_or("", |props| props.schema_type),
    })
}

/// Returns the schema of a field. The inner `None` means that any value is allowed under the name.
#[expect(
    clippy::option_option,
    reason = "what is not described is there all the same"
)]
fn field_schema<'v>(schema: &'v Value, name: &str) -> Option<Option<&'v Value>> {
    let props = Keywords::decode(schema).ok()?;
    if let Some(properties) = props.properties {
        return properties.get(name).map(Some);
    }
    match props.additional_properties? {
        Value::Bool(false) => None,
        Value::Bool(true) => Some(None),
        values => Some(Some(values)),
    }
}

/// Splits off the first token: a punctuation character, a quoted string, or a name up to the next
/// punctuation character.
fn token(text: &str) -> (&str, &str) {
    let is_sign = |c: char| matches!(c, '.' | '[' | ']');
    let end = if let Some(quoted) = text.strip_prefix('\'') {
        // An unterminated quote extends to the end of the path.
        let rest = field_path::split_quoted(quoted).map_or("", |(_, rest)| rest);
        text.len() - rest.len()
    } else if text.starts_with(is_sign) {
        1
    } else {
        text.find(is_sign).unwrap_or(text.len())
    };
    text.split_at(end)
}
