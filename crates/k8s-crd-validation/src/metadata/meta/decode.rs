//! Decoding of metadata in two steps: a check of all types, and a rewrite to the JSON that Go would
//! encode after decoding.

use serde_json::{Map, Number, Value};

use super::go_types::{GoStruct, GoType, OBJECT_META, OmitEmpty};
use super::time::Time;
use super::unknown::find_unknown;
use crate::schema::unknown::unknown_fields::UnknownFields;
use k8s_go_text::base64::{self, Alphabet};
use k8s_json_internals::deep;
use k8s_json_internals::number::{JsonFloat, JsonNumber, to_stored_integer};
use union_runtime::path::Path;

/// Decodes metadata: checks the types of known fields, removes unknown and empty fields, and writes
/// times in the canonical form. Adds the unknown fields to `unknown`. `at` is the path of the
/// metadata.
///
/// # Errors
///
/// Returns the error message of Go for the first field with a wrong type. The metadata is then
/// unchanged.
pub(crate) fn coerce(
    metadata: &mut Value,
    at: &Path<'_>,
    unknown: &mut UnknownFields<'_>,
) -> Result<(), String> {
    if is_coerced(metadata) {
        return Ok(());
    }
    if let Some(error) = first_type_error(metadata, &OBJECT_META) {
        return Err(error);
    }
    if !unknown.is_off() {
        let start = unknown.len();
        find_unknown(metadata, GoType::Struct(&OBJECT_META), at, unknown);
        unknown.finish_struct(start, at);
    }
    normalize(metadata, GoType::Struct(&OBJECT_META));
    Ok(())
}

/// Returns the error message of Go for the first known field with a wrong type, or `None` if all
/// types are valid.
pub(crate) fn first_type_error(value: &Value, go_struct: &'static GoStruct) -> Option<String> {
    let mut errors = FirstError::default();
    let checked = check(
        value,
        GoType::Struct(go_struct),
        &FieldPosition::Top,
        &mut errors,
    );
    checked.err().or(errors.first)
}

/// Returns true if [`coerce`] would not change the metadata.
pub(crate) fn is_coerced(metadata: &Value) -> bool {
    is_normalized(metadata, GoType::Struct(&OBJECT_META))
}

/// Decodes stored metadata like [`coerce`], but removes fields with a wrong type.
pub(crate) fn coerce_stored(metadata: &mut Value) {
    if let Value::Object(object) = metadata {
        deep::retain(object, |name, value| {
            OBJECT_META.field(name).is_some_and(|field| {
                let mut errors = FirstError::default();
                let position = FieldPosition::Field {
                    parent: &FieldPosition::Top,
                    go_struct: &OBJECT_META,
                    name: field.name,
                };
                check(value, field.ty, &position, &mut errors).is_ok() && errors.first.is_none()
            })
        });
    }
    normalize(metadata, GoType::Struct(&OBJECT_META));
}

/// The path of a value in a Go struct, for error messages.
enum FieldPosition<'p> {
    /// The whole value.
    Top,
    Field {
        parent: &'p FieldPosition<'p>,
        go_struct: &'static GoStruct,
        name: &'static str,
    },
}

impl FieldPosition<'_> {
    /// Returns the names of the fields, with dots between them.
    fn path(&self) -> String {
        match self {
            Self::Top => String::new(),
            Self::Field {
                parent: Self::Top,
                name,
                ..
            } => (*name).to_owned(),
            Self::Field { parent, name, .. } => format!("{}.{name}", parent.path()),
        }
    }

    /// Returns the message of Go's JSON decoder for a value of a wrong type.
    fn type_error(&self, found: &str, expected: &str) -> String {
        match self {
            Self::Top => format!("json: cannot unmarshal {found} into Go value of type {expected}"),
            Self::Field { go_struct, .. } => format!(
                "json: cannot unmarshal {found} into Go struct field {}.{} of type {expected}",
                go_struct.name,
                self.path(),
            ),
        }
    }
}

/// The first type error of a walk. Like Go's JSON decoder, the walk continues after a type error.
#[derive(Default)]
struct FirstError {
    first: Option<String>,
}

impl FirstError {
    /// Adds an error, unless there is one already.
    fn add(&mut self, error: impl FnOnce() -> String) {
        self.first.get_or_insert_with(error);
    }
}

/// Checks the types in a value, and adds type errors to `errors`. Returns an error for an invalid
/// time or invalid base64, at which Go's decoder stops.
fn check(
    value: &Value,
    go_type: GoType,
    at: &FieldPosition<'_>,
    errors: &mut FirstError,
) -> Result<(), String> {
    match (go_type, value) {
        (_, Value::Null)
        | (GoType::Anything, _)
        | (GoType::String(_), Value::String(_))
        | (GoType::Boolean, Value::Bool(_))
        | (GoType::Schema, Value::Object(_)) => {}
        (GoType::Integer, Value::Number(number)) if integer(number).is_some() => {}
        (GoType::Integer, Value::Number(number)) => {
            let number = match JsonNumber::from_number(number) {
                JsonNumber::Int(integer) => integer.to_string(),
                JsonNumber::Float(float) => JsonFloat(float).to_string(),
            };
            errors.add(|| at.type_error(&format!("number {number}"), "int64"));
        }
        (GoType::Int32, Value::Number(number)) => {
            let integer = number.as_i64();
            if integer.is_none_or(|integer| i32::try_from(integer).is_err()) {
                errors.add(|| at.type_error(&format!("number {number}"), "int32"));
            }
        }
        (GoType::Bytes, Value::String(string)) => {
            base64::decode_each(string.as_bytes(), Alphabet::Standard, drop)
                .map_err(|error| error.to_string())?;
        }
        // Go also decodes a list of numbers as bytes.
        (GoType::Bytes, Value::Array(items)) => {
            for item in items.iter().filter(|item| !item.is_null()) {
                if item.as_u64().is_none_or(|byte| byte > u64::from(u8::MAX)) {
                    errors.add(|| at.type_error(json_kind(item), "uint8"));
                }
            }
        }
        (GoType::Time, Value::String(string)) => return Time::parse(string).map(drop),
        (GoType::Time, _) => return Err(at.type_error(json_kind(value), "string")),
        (GoType::StringMap, Value::Object(strings)) => check_strings(strings, at, errors),
        (GoType::List(_, item), Value::Array(items)) => {
            for value in items {
                check(value, *item, at, errors)?;
            }
        }
        (GoType::Struct(go_struct), Value::Object(object)) => {
            for field in go_struct.fields {
                if let Some(value) = object.get(field.name) {
                    let at = FieldPosition::Field {
                        parent: at,
                        go_struct,
                        name: field.name,
                    };
                    check(value, field.ty, &at, errors)?;
                }
            }
        }
        (go_type, _) => errors.add(|| at.type_error(json_kind(value), &go_type.name())),
    }
    Ok(())
}

/// Checks that all values of a map are strings.
fn check_strings(strings: &Map<String, Value>, at: &FieldPosition<'_>, errors: &mut FirstError) {
    let wrong_entries = strings
        .iter()
        .filter(|(_, value)| !value.is_string() && !value.is_null());
    // A server decodes the entries in the order of their keys, so the smallest key is reported.
    if let Some((_, value)) = wrong_entries.min_by_key(|(name, _)| *name) {
        errors.add(|| at.type_error(json_kind(value), "string"));
    }
}

impl GoType {
    /// Returns the name of the type in error messages of Go.
    fn name(self) -> String {
        match self {
            Self::String(name) | Self::List(name, _) => name.to_owned(),
            Self::Integer => "int64".to_owned(),
            Self::Int32 => "int32".to_owned(),
            Self::Bytes => "[]uint8".to_owned(),
            Self::Boolean => "bool".to_owned(),
            Self::StringMap => "map[string]string".to_owned(),
            Self::Struct(go_struct) => format!("v1.{}", go_struct.name),
            Self::Schema => "v1.JSONSchemaProps".to_owned(),
            Self::Time | Self::Anything => String::new(),
        }
    }
}

/// Returns the name of a JSON value's type in error messages of Go.
pub(crate) const fn json_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Returns a number as an integer, if it has no fraction. A float such as `1.0` counts as `1`,
/// because a server re-encodes requests before it decodes metadata.
fn integer(number: &Number) -> Option<i64> {
    match JsonNumber::from_number(number) {
        JsonNumber::Int(integer) => Some(integer),
        JsonNumber::Float(float) => to_stored_integer(float),
    }
}

/// Rewrites a value with valid types as Go would encode the value.
fn normalize(value: &mut Value, go_type: GoType) {
    match (go_type, &mut *value) {
        (GoType::String(_), Value::Null) => *value = Value::String(String::new()),
        (GoType::Struct(_), Value::Null) => {
            *value = Value::Object(Map::new());
            normalize(value, go_type);
        }
        (GoType::Integer, Value::Number(number)) if !number.is_i64() => {
            if let Some(integer) = integer(number) {
                *value = integer.into();
            }
        }
        (GoType::Time, Value::String(string)) => {
            if let Some(canonical) = Time::to_canonical(string) {
                *string = canonical;
            }
            if Time::is_zero(string) {
                *value = Value::Null;
            }
        }
        (GoType::StringMap, Value::Object(strings)) => {
            for value in strings.values_mut() {
                normalize(value, GoType::String(""));
            }
        }
        (GoType::List(_, item), Value::Array(items)) => {
            for value in items {
                normalize(value, *item);
            }
        }
        (GoType::Struct(go_struct), Value::Object(object)) => normalize_struct(object, go_struct),
        (GoType::Anything, _) => normalize_numbers(value, MAX_RECURSION),
        _ => {}
    }
}

/// The number of levels that walks over numbers recurse into. Recursion does not allocate, but a
/// value may be deeper than the stack allows. No usual value has more levels.
const MAX_RECURSION: usize = 64;

/// Rewrites floats without a fraction, such as `1.0`, as integers. Recurses for at most `levels`
/// levels; [`normalize_deep_numbers`] rewrites deeper values without recursion.
fn normalize_numbers(value: &mut Value, levels: usize) {
    let Some(levels) = levels.checked_sub(1) else {
        return normalize_deep_numbers(value);
    };
    match value {
        Value::Number(_) => normalize(value, GoType::Integer),
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| normalize_numbers(item, levels)),
        Value::Object(object) => object
            .values_mut()
            .for_each(|value| normalize_numbers(value, levels)),
        _ => {}
    }
}

/// Does the work of [`normalize_numbers`] without recursion.
fn normalize_deep_numbers(value: &mut Value) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Number(_) => normalize(value, GoType::Integer),
            Value::Array(items) => pending.extend(items),
            Value::Object(object) => pending.extend(object.values_mut()),
            _ => {}
        }
    }
}

/// Returns true if [`normalize_numbers`] would not change the value.
fn has_normalized_numbers(value: &Value, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else {
        return has_normalized_deep_numbers(value);
    };
    let is_child_normalized = |value| has_normalized_numbers(value, levels);
    match value {
        Value::Number(number) => is_normalized_number(number),
        Value::Array(items) => items.iter().all(is_child_normalized),
        Value::Object(object) => object.values().all(is_child_normalized),
        _ => true,
    }
}

/// Does the work of [`has_normalized_numbers`] without recursion.
fn has_normalized_deep_numbers(value: &Value) -> bool {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Number(number) if !is_normalized_number(number) => return false,
            Value::Array(items) => pending.extend(items),
            Value::Object(object) => pending.extend(object.values()),
            _ => {}
        }
    }
    true
}

/// Returns false for a float that equals an integer, such as `1.0`.
fn is_normalized_number(number: &Number) -> bool {
    number.is_i64() || integer(number).is_none()
}

/// Returns true if all types in the value are valid and [`normalize`] would not change the value.
/// The check takes one walk, which looks up each field once. Metadata does not have values of the
/// other types.
fn is_normalized(value: &Value, go_type: GoType) -> bool {
    match (go_type, value) {
        (GoType::String(_), Value::String(_)) | (GoType::Boolean, Value::Bool(_)) => true,
        (GoType::Integer, Value::Number(number)) => number.is_i64(),
        (GoType::Time, Value::String(string)) => {
            !Time::is_zero(string)
                && Time::parse(string).is_ok()
                && Time::to_canonical(string).is_none_or(|canonical| canonical == *string)
        }
        (GoType::StringMap, Value::Object(strings)) => strings.values().all(Value::is_string),
        (GoType::List(_, item), Value::Array(items)) => {
            items.iter().all(|value| is_normalized(value, *item))
        }
        (GoType::Struct(go_struct), Value::Object(object)) => {
            is_normalized_struct(object, go_struct)
        }
        (GoType::Anything, value) => has_normalized_numbers(value, MAX_RECURSION),
        _ => false,
    }
}

/// Returns true if [`normalize_struct`] would not change the object.
fn is_normalized_struct(object: &Map<String, Value>, go_struct: &'static GoStruct) -> bool {
    let (mut next, mut required) = (0, 0);
    for (name, value) in object {
        // Fast path: the fields of an object are usually sorted by name, as in the table.
        let Some(field) = go_struct.next_field(name, &mut next) else {
            return false;
        };
        let is_kept = match field.omit_empty {
            OmitEmpty::No => {
                required += 1;
                true
            }
            OmitEmpty::Pointer => !value.is_null(),
            OmitEmpty::Yes => !is_empty(value),
        };
        if !is_kept || !is_normalized(value, field.ty) {
            return false;
        }
    }
    // Every field that Go always encodes must be present.
    let always_encoded = go_struct
        .fields
        .iter()
        .filter(|field| field.omit_empty == OmitEmpty::No);
    required == always_encoded.count()
}

/// Rewrites the fields of a struct: removes unknown and empty fields, and adds the missing fields
/// that Go always encodes.
fn normalize_struct(object: &mut Map<String, Value>, go_struct: &'static GoStruct) {
    deep::retain(object, |name, value| {
        let Some(field) = go_struct.field(name) else {
            return false;
        };
        let is_null = value.is_null();
        normalize(value, field.ty);
        match field.omit_empty {
            OmitEmpty::No => true,
            OmitEmpty::Pointer => !is_null,
            OmitEmpty::Yes => !is_null && !is_empty(value),
        }
    });
    for field in go_struct.fields {
        if field.omit_empty == OmitEmpty::No && !object.contains_key(field.name) {
            object.insert(field.name.to_owned(), Value::String(String::new()));
        }
    }
}

/// Returns true if Go's `omitempty` omits a value.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(string) => string.is_empty(),
        Value::Number(number) => number.as_i64() == Some(0),
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.is_empty(),
        Value::Bool(_) => false,
    }
}
