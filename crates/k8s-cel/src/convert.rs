//! What a value of an object is in CEL, by its schema, and what is below it.

use core::fmt;
use std::rc::Rc;

use serde_json::{Map, Value};

use k8s_json_internals::number::Num;
use k8s_json_internals::print::go_type;

use super::base64::{self, Alphabet};
use super::duration;
use super::shapes::{self, ShapeId, ShapeKind, Shapes};
use super::time;
use super::value::{Fault, Text, Val};

/// The value, where null counts as one.
pub(super) fn convert<'v>(
    shapes: &Shapes,
    value: &'v Value,
    id: ShapeId,
) -> Result<Val<'v>, Fault> {
    let shape = shapes.get(id);
    if value.is_null() {
        return if shape.nullable {
            Ok(Val::Null)
        } else {
            Err(Fault::error(
                "invalid data, got null for schema with nullable=false",
            ))
        };
    }
    let expected = |what: &str| {
        let text = format!("invalid data, expected {what}, got {}", go_type(value));
        Err(Fault::error(text))
    };
    match &shape.kind {
        ShapeKind::IntOrString => int_or_string(value),
        ShapeKind::Bool => match value {
            Value::Bool(value) => Ok(Val::Bool(*value)),
            _ => expected("bool"),
        },
        ShapeKind::Int => match number(value) {
            Some(Num::Int(value)) => Ok(Val::Int(value)),
            _ => expected("int"),
        },
        ShapeKind::Double => match number(value) {
            Some(number) => Ok(Val::Double(number.as_float())),
            None => expected("float"),
        },
        ShapeKind::Text
        | ShapeKind::Bytes
        | ShapeKind::Date
        | ShapeKind::DateTime
        | ShapeKind::Duration => match value {
            Value::String(value) => text(value, &shape.kind),
            _ => expected("string"),
        },
        ShapeKind::List { .. } => match value {
            Value::Array(items) => Ok(Val::Items(items, id)),
            _ => Err(Fault::error(
                "invalid data, expected an array for the provided schema with type=array",
            )),
        },
        ShapeKind::Map(_) | ShapeKind::Object { .. } => match value {
            Value::Object(object) => Ok(Val::Object(object, id)),
            _ => Err(Fault::error(
                "invalid data, expected a map for the provided schema with type=object",
            )),
        },
        ShapeKind::Unknown => Ok(Val::Unknown(value)),
        ShapeKind::NoItems => Err(Fault::error(
            "invalid array type, expected Items with a non-empty Schema",
        )),
        ShapeKind::Untyped => Err(Fault::error(
            "invalid type, expected object, array, number, integer, boolean or string, or no type with \
             x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ",
        )),
    }
}

fn number(value: &Value) -> Option<Num> {
    match value {
        Value::Number(number) => Some(Num::of(number)),
        _ => None,
    }
}

fn int_or_string(value: &Value) -> Result<Val<'_>, Fault> {
    if let Value::String(text) = value {
        return Ok(Val::Text(Text::Borrowed(text)));
    }
    match number(value) {
        Some(Num::Int(value)) => Ok(Val::Int(value)),
        _ => Err(Fault::error(
            "invalid data, expected XIntOrString value to be either a string or integer",
        )),
    }
}

fn text<'v>(text: &'v str, kind: &ShapeKind) -> Result<Val<'v>, Fault> {
    let bad =
        |what: &str, why: &dyn fmt::Display| Fault::error(format!("Invalid {what} {text}: {why}"));
    match kind {
        ShapeKind::Bytes => base64::decode(text, Alphabet::Url)
            .map(|bytes| Val::Bytes(bytes.into()))
            .map_err(|why| bad("byte formatted string", &why)),
        ShapeKind::Date => time::parse_date(text)
            .map(Val::Timestamp)
            .map_err(|why| bad("date formatted string", &why)),
        ShapeKind::DateTime => time::parse_date_time(text)
            .map(Val::Timestamp)
            .map_err(|why| bad("date-time formatted string", &why)),
        ShapeKind::Duration => duration::parse_format_duration(text)
            .map(Val::Duration)
            .map_err(|why| bad("duration", &why)),
        _ => Ok(Val::Text(Text::Borrowed(text))),
    }
}

/// What is under a key; `None` where rules see nothing.
pub(super) fn get<'v>(
    shapes: &Shapes,
    object: &'v Map<String, Value>,
    id: ShapeId,
    key: &str,
) -> Option<Result<Val<'v>, Fault>> {
    match &shapes.get(id).kind {
        ShapeKind::Map(values) => Some(convert(shapes, object.get(key)?, *values)),
        ShapeKind::Object {
            has_properties: true,
            fields,
        } => {
            // Most names are written as they are.
            let field = shapes::find(fields, key)
                .filter(|field| field.escaped.as_deref() == Some(key))
                .or_else(|| {
                    let mut fields = fields.iter();
                    fields.find(|field| field.escaped.as_deref() == Some(key))
                })?;
            field_of(shapes, object, &field.name, field.shape)
        }
        _ => None,
    }
}

/// What is under a property; null counts as absent.
pub(super) fn field_of<'v>(
    shapes: &Shapes,
    object: &'v Map<String, Value>,
    name: &str,
    shape: ShapeId,
) -> Option<Result<Val<'v>, Fault>> {
    let value = object.get(name).filter(|value| !value.is_null())?;
    Some(convert(shapes, value, shape))
}

/// The shape of the items of a list.
pub(super) fn items_of(shapes: &Shapes, list: ShapeId) -> ShapeId {
    match &shapes.get(list).kind {
        ShapeKind::List { items, .. } => *items,
        _ => list,
    }
}

/// Whether rules see an entry of an object or map.
pub(super) fn is_described(shapes: &Shapes, id: ShapeId, key: &str) -> bool {
    match &shapes.get(id).kind {
        ShapeKind::Map(_) => true,
        ShapeKind::Object { fields, .. } => shapes::find(fields, key).is_some(),
        _ => false,
    }
}

/// How many levels of plain JSON are converted.
pub(super) const DEEPEST: u32 = 200;

/// A value as plain JSON, without a schema. What is too deep counts as null.
pub(super) fn native(value: &Value, levels: u32) -> Val<'_> {
    let Some(levels) = levels.checked_sub(1) else {
        return Val::Null;
    };
    match value {
        Value::Null => Val::Null,
        Value::Bool(value) => Val::Bool(*value),
        Value::Number(number) => match Num::of(number) {
            Num::Int(value) => Val::Int(value),
            Num::Float(value) => Val::Double(value),
        },
        Value::String(text) => Val::Text(Text::Borrowed(text)),
        Value::Array(items) => Val::list(items.iter().map(|item| native(item, levels)).collect()),
        Value::Object(object) => {
            let entry = |(key, value)| (Val::Text(Text::Borrowed(key)), native(value, levels));
            let entries = object
                .iter()
                .map(|(key, value): (&String, _)| entry((key.as_str(), value)));
            Val::Map(Rc::new(entries.collect()))
        }
    }
}
