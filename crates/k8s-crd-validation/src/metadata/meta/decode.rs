//! Decoding of metadata: types are checked, and the metadata is rewritten as a server would write
//! it.

use serde_json::{Map, Number, Value};

use super::go_types::{GoStruct, GoType, OBJECT_META, OmitEmpty};
use super::time::Time;
use super::unknown::find_unknown;
use crate::schema::unknown_fields::UnknownFields;
use k8s_json_internals::deep;
use k8s_json_internals::number::{JsonFloat, JsonNumber, to_stored_integer};
use union_runtime::path::Path;

/// Checks the types of all known fields, removes unknown and empty fields, and writes times in one
/// form. Adds the unknown fields to `unknown`; `at` is the path of the metadata.
///
/// # Errors
///
/// Returns an error if a field has a wrong type: the message of Go for the first such field. The
/// metadata is then unchanged.
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
    clean(metadata, GoType::Struct(&OBJECT_META));
    Ok(())
}

/// Returns the message of Go for the first known field with a wrong type.
pub(crate) fn first_type_error(value: &Value, of: &'static GoStruct) -> Option<String> {
    let mut errors = FirstError::default();
    let read = check(value, GoType::Struct(of), &FieldPosition::Top, &mut errors);
    read.err().or(errors.first)
}

/// Returns true if metadata is already as a server would write it.
pub(crate) fn is_coerced(metadata: &Value) -> bool {
    is_written(metadata, GoType::Struct(&OBJECT_META))
}

/// Decodes stored metadata: fields that a server cannot decode are removed.
pub(crate) fn coerce_stored(metadata: &mut Value) {
    if let Value::Object(object) = metadata {
        deep::retain(object, |name, value| {
            OBJECT_META.field(name).is_some_and(|field| {
                let mut errors = FirstError::default();
                let place = FieldPosition::Field {
                    parent: &FieldPosition::Top,
                    of: &OBJECT_META,
                    name: field.name,
                };
                check(value, field.ty, &place, &mut errors).is_ok() && errors.first.is_none()
            })
        });
    }
    clean(metadata, GoType::Struct(&OBJECT_META));
}

/// The position of a value, for messages.
enum FieldPosition<'p> {
    Top,
    Field {
        parent: &'p FieldPosition<'p>,
        of: &'static GoStruct,
        name: &'static str,
    },
}

impl FieldPosition<'_> {
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

    fn type_error(&self, found: &str, wanted: &str) -> String {
        match self {
            Self::Top => format!("json: cannot unmarshal {found} into Go value of type {wanted}"),
            Self::Field { of, .. } => format!(
                "json: cannot unmarshal {found} into Go struct field {}.{} of type {wanted}",
                of.name,
                self.path(),
            ),
        }
    }
}

/// The first error of a walk that continues after errors.
#[derive(Default)]
struct FirstError {
    first: Option<String>,
}

impl FirstError {
    fn add(&mut self, error: impl FnOnce() -> String) {
        self.first.get_or_insert_with(error);
    }
}

/// Checks a value. Returns an error if decoding ends at once: for invalid times and invalid base64.
fn check(
    value: &Value,
    of: GoType,
    at: &FieldPosition<'_>,
    errors: &mut FirstError,
) -> Result<(), String> {
    match (of, value) {
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
        (GoType::Bytes, Value::String(text)) => {
            if let Err(position) = base64(text) {
                return Err(format!("illegal base64 data at input byte {position}"));
            }
        }
        // Seen: a list of numbers is decoded as bytes too.
        (GoType::Bytes, Value::Array(items)) => {
            for item in items.iter().filter(|item| !item.is_null()) {
                if item.as_u64().is_none_or(|byte| byte > u64::from(u8::MAX)) {
                    errors.add(|| at.type_error(json_kind(item), "uint8"));
                }
            }
        }
        (GoType::Time, Value::String(text)) => return Time::parse(text).map(drop),
        (GoType::Time, _) => return Err(at.type_error(json_kind(value), "string")),
        (GoType::StringMap, Value::Object(texts)) => check_texts(texts, at, errors),
        (GoType::List(_, item), Value::Array(items)) => {
            for value in items {
                check(value, *item, at, errors)?;
            }
        }
        (GoType::Struct(of), Value::Object(object)) => {
            for field in of.fields {
                if let Some(value) = object.get(field.name) {
                    let at = FieldPosition::Field {
                        parent: at,
                        of,
                        name: field.name,
                    };
                    check(value, field.ty, &at, errors)?;
                }
            }
        }
        (of, _) => errors.add(|| at.type_error(json_kind(value), &of.name())),
    }
    Ok(())
}

/// Checks that a string is base64 with padding. Otherwise returns the position of the first invalid
/// byte.
fn base64(text: &str) -> Result<(), usize> {
    let bytes = text.as_bytes();
    let data = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    let data = data.count();
    let padding = bytes.get(data..).unwrap_or_default();
    match (data % 4, padding) {
        (0, []) | (3, b"=") | (2, b"==") => Ok(()),
        _ => Err(data.min(bytes.len())),
    }
}

fn check_texts(texts: &Map<String, Value>, at: &FieldPosition<'_>, errors: &mut FirstError) {
    let wrong = texts
        .iter()
        .filter(|(_, value)| !value.is_string() && !value.is_null());
    // A server checks the entries in the order of their keys.
    if let Some((_, value)) = wrong.min_by_key(|(name, _)| *name) {
        errors.add(|| at.type_error(json_kind(value), "string"));
    }
}

impl GoType {
    fn name(self) -> String {
        match self {
            Self::String(name) | Self::List(name, _) => name.to_owned(),
            Self::Integer => "int64".to_owned(),
            Self::Int32 => "int32".to_owned(),
            Self::Bytes => "[]uint8".to_owned(),
            Self::Boolean => "bool".to_owned(),
            Self::StringMap => "map[string]string".to_owned(),
            Self::Struct(of) => format!("v1.{}", of.name),
            Self::Schema => "v1.JSONSchemaProps".to_owned(),
            Self::Time | Self::Anything => String::new(),
        }
    }
}

/// Returns the name of the type of a JSON value in messages of Go.
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

/// Returns a number as an integer. Before this point, a server has written `1.0` as `1`.
fn integer(number: &Number) -> Option<i64> {
    match JsonNumber::from_number(number) {
        JsonNumber::Int(integer) => Some(integer),
        JsonNumber::Float(float) => to_stored_integer(float),
    }
}

/// Rewrites a checked value as a server would write it.
fn clean(value: &mut Value, of: GoType) {
    match (of, &mut *value) {
        (GoType::String(_), Value::Null) => *value = Value::String(String::new()),
        (GoType::Struct(_), Value::Null) => {
            *value = Value::Object(Map::new());
            clean(value, of);
        }
        (GoType::Integer, Value::Number(number)) if !number.is_i64() => {
            if let Some(integer) = integer(number) {
                *value = integer.into();
            }
        }
        (GoType::Time, Value::String(text)) => {
            if let Some(plain) = Time::to_canonical(text) {
                *text = plain;
            }
            if Time::is_zero(text) {
                *value = Value::Null;
            }
        }
        (GoType::StringMap, Value::Object(texts)) => {
            for value in texts.values_mut() {
                clean(value, GoType::String(""));
            }
        }
        (GoType::List(_, item), Value::Array(items)) => {
            for value in items {
                clean(value, *item);
            }
        }
        (GoType::Struct(of), Value::Object(object)) => clean_struct(object, of),
        (GoType::Anything, _) => write_whole(value, 64),
        _ => {}
    }
}

/// Writes whole numbers without a decimal point, because a server has written and decoded them
/// before. Values deeper than `levels` wait in a list, so that they take memory and no stack.
fn write_whole(value: &mut Value, levels: usize) {
    let Some(levels) = levels.checked_sub(1) else {
        return write_all_whole(value);
    };
    match value {
        Value::Number(_) => clean(value, GoType::Integer),
        Value::Array(items) => items.iter_mut().for_each(|item| write_whole(item, levels)),
        Value::Object(object) => object
            .values_mut()
            .for_each(|value| write_whole(value, levels)),
        _ => {}
    }
}

fn write_all_whole(value: &mut Value) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Number(_) => clean(value, GoType::Integer),
            Value::Array(items) => waiting.extend(items),
            Value::Object(object) => waiting.extend(object.values_mut()),
            _ => {}
        }
    }
}

/// Returns true if [`write_whole`] would not change the value.
fn is_written_whole(value: &Value, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else {
        return is_all_written_whole(value);
    };
    let is_whole = |value| is_written_whole(value, levels);
    match value {
        Value::Number(number) => is_number_written_whole(number),
        Value::Array(items) => items.iter().all(is_whole),
        Value::Object(object) => object.values().all(is_whole),
        _ => true,
    }
}

fn is_all_written_whole(value: &Value) -> bool {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Number(number) if !is_number_written_whole(number) => return false,
            Value::Array(items) => waiting.extend(items),
            Value::Object(object) => waiting.extend(object.values()),
            _ => {}
        }
    }
    true
}

fn is_number_written_whole(number: &Number) -> bool {
    number.is_i64() || integer(number).is_none()
}

/// Returns true if the value has no errors and [`clean`] would not change it. This takes one walk,
/// and looks up each field once.
fn is_written(value: &Value, of: GoType) -> bool {
    match (of, value) {
        (GoType::String(_), Value::String(_)) | (GoType::Boolean, Value::Bool(_)) => true,
        (GoType::Integer, Value::Number(number)) => number.is_i64(),
        (GoType::Int32, Value::Number(number)) => {
            let integer = number.as_i64();
            integer.is_some_and(|integer| i32::try_from(integer).is_ok())
        }
        (GoType::Bytes, Value::String(text)) => base64(text).is_ok(),
        (GoType::Time, Value::String(text)) => {
            !Time::is_zero(text)
                && Time::parse(text).is_ok()
                && Time::to_canonical(text).is_none_or(|plain| plain == *text)
        }
        (GoType::StringMap, Value::Object(texts)) => texts.values().all(Value::is_string),
        (GoType::List(_, item), Value::Array(items)) => {
            items.iter().all(|value| is_written(value, *item))
        }
        (GoType::Struct(of), Value::Object(object)) => is_struct_written(object, of),
        (GoType::Anything, value) => is_written_whole(value, 64),
        _ => false,
    }
}

fn is_struct_written(object: &Map<String, Value>, of: &'static GoStruct) -> bool {
    let (mut next, mut written) = (0, 0);
    for (name, value) in object {
        // Usually the fields of both are sorted by name.
        let Some(field) = of.next_field(name, &mut next) else {
            return false;
        };
        let stays = match field.omit_empty {
            OmitEmpty::No => {
                written += 1;
                true
            }
            OmitEmpty::Pointer => !value.is_null(),
            OmitEmpty::Yes => !is_empty(value),
        };
        if !stays || !is_written(value, field.ty) {
            return false;
        }
    }
    let all = of
        .fields
        .iter()
        .filter(|field| field.omit_empty == OmitEmpty::No);
    written == all.count()
}

fn clean_struct(object: &mut Map<String, Value>, of: &'static GoStruct) {
    deep::retain(object, |name, value| {
        let Some(field) = of.field(name) else {
            return false;
        };
        let is_null = value.is_null();
        clean(value, field.ty);
        match field.omit_empty {
            OmitEmpty::No => true,
            OmitEmpty::Pointer => !is_null,
            OmitEmpty::Yes => !is_null && !is_empty(value),
        }
    });
    for field in of.fields {
        if field.omit_empty == OmitEmpty::No && !object.contains_key(field.name) {
            object.insert(field.name.to_owned(), Value::String(String::new()));
        }
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Number(number) => number.as_i64() == Some(0),
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.is_empty(),
        Value::Bool(_) => false,
    }
}
