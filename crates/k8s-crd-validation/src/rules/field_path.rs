//! Paths that lead to a field of a schema, such as the `fieldPath` of a rule and the `jsonPath` of
//! a selectable field: `.x`, `.m['k']`, `['x.y'].z`.

use core::fmt;
use std::borrow::Cow;

use serde_json::Value;

use crate::schema::{AdditionalProperties, NodeId, StructuralSchema};
use union_runtime::path::FieldPath;

/// A schema that describes fields: a compiled schema, or the JSON of a schema.
pub(crate) trait FieldSchema: Sized {
    /// Returns the field with a name, or `None` if the schema does not describe such a field.
    fn find_field(self, name: &str) -> Option<Field<Self>>;
}

/// A field that a schema describes.
pub(crate) enum Field<S> {
    /// A property, with its schema.
    Property(S),
    /// An entry of a map, with the schema of its value. An entry of a map with any values does not
    /// have a schema.
    Entry(Option<S>),
}

impl FieldSchema for (&StructuralSchema, NodeId) {
    fn find_field(self, name: &str) -> Option<Field<Self>> {
        let (schema, id) = self;
        let node = schema.node(id);
        if !node.properties.is_empty() {
            return node.property(name).map(|id| Field::Property((schema, id)));
        }
        match node.additional_properties {
            AdditionalProperties::Absent => None,
            // An API server accepts a path that ends at a field without a schema, even if the
            // field is forbidden.
            AdditionalProperties::Allowed | AdditionalProperties::Forbidden => {
                Some(Field::Entry(None))
            }
            AdditionalProperties::Schema(id) => Some(Field::Entry(Some((schema, id)))),
        }
    }
}

impl FieldSchema for &Value {
    fn find_field(self, name: &str) -> Option<Field<Self>> {
        let properties = self.get("properties").and_then(Value::as_object);
        if let Some(properties) = properties.filter(|properties| !properties.is_empty()) {
            return properties.get(name).map(Field::Property);
        }
        match self.get("additionalProperties")? {
            Value::Null => None,
            Value::Bool(_) => Some(Field::Entry(None)),
            values => Some(Field::Entry(Some(values))),
        }
    }
}

/// The error for a path that does not lead to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldPathError<'p> {
    /// A token other than a dot or an opening bracket, at the start of a step.
    UnexpectedToken(&'p str),
    /// The path ends within a step.
    UnexpectedEnd,
    /// The path contains a key in brackets, and only names are allowed.
    ArrayNotation,
    /// The brackets do not contain exactly one key in single quotes. Only paths with names alone
    /// have printed errors, so that this error is never printed.
    InvalidKey,
    /// The schema does not describe the field.
    UnknownField,
}

impl fmt::Display for FieldPathError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("is an invalid path: ")?;
        match self {
            Self::UnexpectedToken(token) => write!(f, "expected [ or . but got: {token}"),
            Self::UnexpectedEnd => f.write_str("unexpected end of JSON path"),
            Self::ArrayNotation => f.write_str("array notation is not allowed"),
            Self::InvalidKey => f.write_str("expected a key in single quotes"),
            Self::UnknownField => f.write_str("does not refer to a valid field"),
        }
    }
}

/// The syntax of the steps of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepSyntax {
    /// Names after dots.
    Names,
    /// Names after dots, and keys in brackets.
    NamesAndKeys,
}

/// The field to which a path leads.
pub(crate) struct ResolvedField<S> {
    /// The path, with a key for each entry of a map.
    pub(crate) path: FieldPath,
    /// The schema of the field, unless any value is allowed.
    pub(crate) schema: Option<S>,
}

/// Finds the field to which a path leads in a schema. The empty path leads to the schema itself.
///
/// # Errors
///
/// Returns an error if the path is invalid, or if the schema does not describe the field.
pub(crate) fn resolve<S: FieldSchema>(
    schema: S,
    path: &str,
    syntax: StepSyntax,
) -> Result<ResolvedField<S>, FieldPathError<'_>> {
    let mut tokens = Tokens {
        remaining_path: path,
    };
    let mut field_path = FieldPath::root();
    let mut current_schema = Some(schema);
    while let Some(token) = tokens.next() {
        let name = match token {
            "." => Cow::Borrowed(tokens.next().ok_or(FieldPathError::UnexpectedEnd)?),
            "[" if syntax == StepSyntax::Names => return Err(FieldPathError::ArrayNotation),
            "[" => Cow::Owned(tokens.next_key()?),
            token => return Err(FieldPathError::UnexpectedToken(token)),
        };
        let field = current_schema.and_then(|schema| schema.find_field(&name));
        (field_path, current_schema) = match field.ok_or(FieldPathError::UnknownField)? {
            Field::Property(schema) => (field_path.field(&name), Some(schema)),
            Field::Entry(schema) => (field_path.key(&name), schema),
        };
    }
    Ok(ResolvedField {
        path: field_path,
        schema: current_schema,
    })
}

/// The tokens of a path: punctuation characters, strings in single quotes, and names up to the next
/// punctuation character.
struct Tokens<'p> {
    remaining_path: &'p str,
}

impl<'p> Tokens<'p> {
    /// Reads a key in single quotes and the closing bracket.
    fn next_key(&mut self) -> Result<String, FieldPathError<'p>> {
        let token = self.next().ok_or(FieldPathError::UnexpectedEnd)?;
        let key = token
            .strip_prefix('\'')
            .and_then(|token| token.strip_suffix('\''))
            .and_then(unescape)
            .ok_or(FieldPathError::InvalidKey)?;
        match self.next() {
            Some("]") => Ok(key),
            Some(_) => Err(FieldPathError::InvalidKey),
            None => Err(FieldPathError::UnexpectedEnd),
        }
    }
}

impl<'p> Iterator for Tokens<'p> {
    type Item = &'p str;

    fn next(&mut self) -> Option<Self::Item> {
        let path = self.remaining_path;
        let is_punctuation = |c: char| matches!(c, '.' | '[' | ']');
        let end = match path.chars().next()? {
            '\'' => quoted_length(path),
            c if is_punctuation(c) => c.len_utf8(),
            _ => path.find(is_punctuation).unwrap_or(path.len()),
        };
        let (token, remaining_path) = path.split_at(end);
        self.remaining_path = remaining_path;
        Some(token)
    }
}

/// Returns the length of the string in single quotes at the start of a path. A string without a
/// closing quote extends to the end of the path.
fn quoted_length(path: &str) -> usize {
    let mut previous_char = '\'';
    for (index, c) in path.char_indices().skip(1) {
        if c == '\'' && previous_char != '\\' {
            return index + c.len_utf8();
        }
        previous_char = c;
    }
    path.len()
}

/// Replaces the escapes of a key. Returns `None` for an invalid escape. As on an API server, a
/// backslash before a line break is kept.
fn unescape(key: &str) -> Option<String> {
    let mut unescaped = String::with_capacity(key.len());
    let mut chars = key.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            unescaped.push(c);
            continue;
        }
        let unescaped_char = match chars.next()? {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            c @ ('\'' | '\\') => c,
            '\n' => {
                unescaped.push('\\');
                '\n'
            }
            _ => return None,
        };
        unescaped.push(unescaped_char);
    }
    Some(unescaped)
}
