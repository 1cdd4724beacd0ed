//! Decoding of metadata: types are checked, and the metadata is rewritten as a server would write
//! it.

use serde_json::{Map, Number, Value};

use super::shape::{Empty, META, Struct, Type};
use super::time::Time;
use k8s_json_internals::deep;
use k8s_json_internals::number::{InJson, Num};

/// Checks the types of all known fields, removes unknown and empty fields, and writes times in one
/// form.
///
/// # Errors
///
/// Returns an error if a field has a wrong type: the message of Go for the first such field. The
/// metadata is then unchanged.
pub(crate) fn coerce(metadata: &mut Value) -> Result<(), String> {
    if is_coerced(metadata) {
        return Ok(());
    }
    if let Some(error) = first_wrong(metadata, &META) {
        return Err(error);
    }
    clean(metadata, Type::Struct(&META));
    Ok(())
}

/// Returns the message of Go for the first known field with a wrong type.
pub(crate) fn first_wrong(value: &Value, of: &'static Struct) -> Option<String> {
    let mut errors = Errors::default();
    let read = check(value, Type::Struct(of), &Place::Top, &mut errors);
    read.err().or(errors.first)
}

/// Returns true if metadata is already as a server would write it.
pub(crate) fn is_coerced(metadata: &Value) -> bool {
    is_written(metadata, Type::Struct(&META))
}

/// Decodes stored metadata: fields that a server cannot decode are removed.
pub(crate) fn coerce_stored(metadata: &mut Value) {
    if let Value::Object(object) = metadata {
        deep::retain(object, |name, value| {
            META.field(name).is_some_and(|field| {
                let mut errors = Errors::default();
                let place = Place::Field {
                    parent: &Place::Top,
                    of: &META,
                    name: field.name,
                };
                check(value, field.of, &place, &mut errors).is_ok() && errors.first.is_none()
            })
        });
    }
    clean(metadata, Type::Struct(&META));
}

/// The position of a value, for messages.
enum Place<'p> {
    Top,
    Field {
        parent: &'p Place<'p>,
        of: &'static Struct,
        name: &'static str,
    },
}

impl Place<'_> {
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

    fn wrong(&self, found: &str, wanted: &str) -> String {
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
struct Errors {
    first: Option<String>,
}

impl Errors {
    fn add(&mut self, error: impl FnOnce() -> String) {
        self.first.get_or_insert_with(error);
    }
}

/// Checks a value. Returns an error if decoding ends at once: for invalid times and invalid base64.
fn check(value: &Value, of: Type, at: &Place<'_>, errors: &mut Errors) -> Result<(), String> {
    match (of, value) {
        (_, Value::Null)
        | (Type::Anything, _)
        | (Type::Text(_), Value::String(_))
        | (Type::Boolean, Value::Bool(_)) => {}
        (Type::Integer, Value::Number(number)) if integer(number).is_some() => {}
        (Type::Integer, Value::Number(number)) => {
            let number = match Num::of(number) {
                Num::Int(integer) => integer.to_string(),
                Num::Float(float) => InJson(float).to_string(),
            };
            errors.add(|| at.wrong(&format!("number {number}"), "int64"));
        }
        (Type::Int32, Value::Number(number)) => {
            let integer = number.as_i64();
            if integer.is_none_or(|integer| i32::try_from(integer).is_err()) {
                errors.add(|| at.wrong(&format!("number {number}"), "int32"));
            }
        }
        (Type::Bytes, Value::String(text)) => {
            if let Err(position) = base64(text) {
                return Err(format!("illegal base64 data at input byte {position}"));
            }
        }
        // Seen: a list of numbers is decoded as bytes too.
        (Type::Bytes, Value::Array(items)) => {
            for item in items.iter().filter(|item| !item.is_null()) {
                if item.as_u64().is_none_or(|byte| byte > u64::from(u8::MAX)) {
                    errors.add(|| at.wrong(kind(item), "uint8"));
                }
            }
        }
        (Type::Time, Value::String(text)) => return Time::parse(text).map(drop),
        (Type::Time, _) => return Err(at.wrong(kind(value), "string")),
        (Type::Texts, Value::Object(texts)) => check_texts(texts, at, errors),
        (Type::List(_, item), Value::Array(items)) => {
            for value in items {
                check(value, *item, at, errors)?;
            }
        }
        (Type::Struct(of), Value::Object(object)) => {
            for field in of.fields {
                if let Some(value) = object.get(field.name) {
                    let at = Place::Field {
                        parent: at,
                        of,
                        name: field.name,
                    };
                    check(value, field.of, &at, errors)?;
                }
            }
        }
        (of, _) => errors.add(|| at.wrong(kind(value), &of.name())),
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

fn check_texts(texts: &Map<String, Value>, at: &Place<'_>, errors: &mut Errors) {
    let wrong = texts
        .iter()
        .filter(|(_, value)| !value.is_string() && !value.is_null());
    // A server checks the entries in the order of their keys.
    if let Some((_, value)) = wrong.min_by_key(|(name, _)| *name) {
        errors.add(|| at.wrong(kind(value), "string"));
    }
}

impl Type {
    fn name(self) -> String {
        match self {
            Self::Text(name) | Self::List(name, _) => name.to_owned(),
            Self::Integer => "int64".to_owned(),
            Self::Int32 => "int32".to_owned(),
            Self::Bytes => "[]uint8".to_owned(),
            Self::Boolean => "bool".to_owned(),
            Self::Texts => "map[string]string".to_owned(),
            Self::Struct(of) => format!("v1.{}", of.name),
            Self::Time | Self::Anything => String::new(),
        }
    }
}

const fn kind(value: &Value) -> &'static str {
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
    match Num::of(number) {
        Num::Int(integer) => Some(integer),
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and in range")]
        Num::Float(float) => {
            const END: f64 = 9_223_372_036_854_775_808.0;
            (float.fract() == 0.0 && (-END..END).contains(&float)).then_some(float as i64)
        }
    }
}

/// Rewrites a checked value as a server would write it.
fn clean(value: &mut Value, of: Type) {
    match (of, &mut *value) {
        (Type::Text(_), Value::Null) => *value = Value::String(String::new()),
        (Type::Struct(_), Value::Null) => {
            *value = Value::Object(Map::new());
            clean(value, of);
        }
        (Type::Integer, Value::Number(number)) if !number.is_i64() => {
            if let Some(integer) = integer(number) {
                *value = integer.into();
            }
        }
        (Type::Time, Value::String(text)) => {
            if let Some(plain) = Time::plain(text) {
                *text = plain;
            }
            if Time::is_zero(text) {
                *value = Value::Null;
            }
        }
        (Type::Texts, Value::Object(texts)) => {
            for value in texts.values_mut() {
                clean(value, Type::Text(""));
            }
        }
        (Type::List(_, item), Value::Array(items)) => {
            for value in items {
                clean(value, *item);
            }
        }
        (Type::Struct(of), Value::Object(object)) => clean_struct(object, of),
        (Type::Anything, _) => write_whole(value, 64),
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
        Value::Number(_) => clean(value, Type::Integer),
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
            Value::Number(_) => clean(value, Type::Integer),
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
fn is_written(value: &Value, of: Type) -> bool {
    match (of, value) {
        (Type::Text(_), Value::String(_)) | (Type::Boolean, Value::Bool(_)) => true,
        (Type::Integer, Value::Number(number)) => number.is_i64(),
        (Type::Int32, Value::Number(number)) => {
            let integer = number.as_i64();
            integer.is_some_and(|integer| i32::try_from(integer).is_ok())
        }
        (Type::Bytes, Value::String(text)) => base64(text).is_ok(),
        (Type::Time, Value::String(text)) => {
            !Time::is_zero(text)
                && Time::parse(text).is_ok()
                && Time::plain(text).is_none_or(|plain| plain == *text)
        }
        (Type::Texts, Value::Object(texts)) => texts.values().all(Value::is_string),
        (Type::List(_, item), Value::Array(items)) => {
            items.iter().all(|value| is_written(value, *item))
        }
        (Type::Struct(of), Value::Object(object)) => is_struct_written(object, of),
        (Type::Anything, value) => is_written_whole(value, 64),
        _ => false,
    }
}

fn is_struct_written(object: &Map<String, Value>, of: &'static Struct) -> bool {
    let (mut next, mut written) = (0, 0);
    for (name, value) in object {
        // Usually the fields of both are sorted by name.
        let Some(field) = of.next_field(name, &mut next) else {
            return false;
        };
        let stays = match field.empty {
            Empty::Written => {
                written += 1;
                true
            }
            Empty::Said => !value.is_null(),
            Empty::Dropped => !is_empty(value),
        };
        if !stays || !is_written(value, field.of) {
            return false;
        }
    }
    let all = of
        .fields
        .iter()
        .filter(|field| field.empty == Empty::Written);
    written == all.count()
}

fn clean_struct(object: &mut Map<String, Value>, of: &'static Struct) {
    deep::retain(object, |name, value| {
        let Some(field) = of.field(name) else {
            return false;
        };
        let is_null = value.is_null();
        clean(value, field.of);
        match field.empty {
            Empty::Written => true,
            Empty::Said => !is_null,
            Empty::Dropped => !is_null && !is_empty(value),
        }
    });
    for field in of.fields {
        if field.empty == Empty::Written && !object.contains_key(field.name) {
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
