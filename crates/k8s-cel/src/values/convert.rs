//! The conversion of values of an object to CEL by their schema, and the lookup of values below
//! them.

use core::fmt;

use k8s_go_text::base64::{self, Alphabet};
use k8s_go_text::duration;
use k8s_go_text::time;
use k8s_json_internals::number::Num;
use k8s_json_internals::print::go_type;
use serde_json::{Map, Value};

use super::opaque::Opaque;
use super::value::{Fault, Text, Val};
use crate::types::declared::{self, Declaration, DeclaredId, DeclaredKind, DeclaredTypes};

const NOT_A_LIST: &str = "invalid data, expected an array for the provided schema with type=array";
const NOT_A_MAP: &str = "invalid data, expected a map for the provided schema with type=object";
const NOT_INT_OR_STRING: &str =
    "invalid data, expected XIntOrString value to be either a string or integer";

/// Converts a value. Null is a value here.
pub(crate) fn convert<'v>(
    declared: &DeclaredTypes,
    value: &'v Value,
    id: DeclaredId,
) -> Result<Val<'v>, Fault> {
    convert_as(declared.get(id), value, id)
}

/// Converts a value like [`convert`], with the declaration of its type.
#[inline]
pub(super) fn convert_as<'v>(
    declaration: &Declaration,
    value: &'v Value,
    id: DeclaredId,
) -> Result<Val<'v>, Fault> {
    match (&declaration.kind, value) {
        (DeclaredKind::Text, Value::String(text)) => Ok(Val::Text(Text::Borrowed(text))),
        (DeclaredKind::Map(_) | DeclaredKind::Object(_), Value::Object(object)) => {
            Ok(Val::Object(object, id))
        }
        (DeclaredKind::List { .. }, Value::Array(items)) => Ok(Val::Items(items, id)),
        _ => formatted(declaration, value),
    }
}

/// Converts a value like [`convert`], if it is not a string, list or object without a format.
fn formatted<'v>(declaration: &Declaration, value: &'v Value) -> Result<Val<'v>, Fault> {
    if value.is_null() {
        return if declaration.nullable {
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
    match &declaration.kind {
        DeclaredKind::IntOrString => int_or_string(value),
        DeclaredKind::Bool => match value {
            Value::Bool(value) => Ok(Val::Bool(*value)),
            _ => expected("bool"),
        },
        DeclaredKind::Int => match number(value) {
            Some(Num::Int(value)) => Ok(Val::Int(value)),
            _ => expected("int"),
        },
        DeclaredKind::Double => match number(value) {
            Some(number) => Ok(Val::Double(number.as_float())),
            None => expected("float"),
        },
        DeclaredKind::Text
        | DeclaredKind::Bytes
        | DeclaredKind::Date
        | DeclaredKind::DateTime
        | DeclaredKind::Duration => match value {
            Value::String(value) => text(value, &declaration.kind),
            _ => expected("string"),
        },
        DeclaredKind::List { .. } => Err(Fault::error(NOT_A_LIST)),
        DeclaredKind::Map(_) | DeclaredKind::Object(_) => Err(Fault::error(NOT_A_MAP)),
        DeclaredKind::Unknown => Ok(Val::Unknown(value)),
        DeclaredKind::NoItems => Err(Fault::error(
            "invalid array type, expected Items with a non-empty Schema",
        )),
        DeclaredKind::Untyped(name) => Err(Fault::error(format!(
            "invalid type, expected object, array, number, integer, boolean or string, or no type with \
             x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got {name}"
        ))),
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
        _ => Err(Fault::error(NOT_INT_OR_STRING)),
    }
}

fn text<'v>(text: &'v str, kind: &DeclaredKind) -> Result<Val<'v>, Fault> {
    parsed(text, kind).unwrap_or(Ok(Val::Text(Text::Borrowed(text))))
}

/// Returns the value of a string with a format; `None` for a plain string.
fn parsed<'v>(text: &str, kind: &DeclaredKind) -> Option<Result<Val<'v>, Fault>> {
    let bad =
        |what: &str, why: &dyn fmt::Display| Fault::error(format!("Invalid {what} {text}: {why}"));
    Some(match kind {
        DeclaredKind::Bytes => base64::decode(text, Alphabet::Url)
            .map(|bytes| Val::Bytes(bytes.into()))
            .map_err(|why| bad("byte formatted string", &why)),
        DeclaredKind::Date => time::parse_date(text)
            .map(|found| Val::Timestamp(found.into()))
            .map_err(|why| bad("date formatted string", &why)),
        DeclaredKind::DateTime => time::parse_date_time(text)
            .map(|found| Val::Timestamp(found.into()))
            .map_err(|why| bad("date-time formatted string", &why)),
        DeclaredKind::Duration => duration::parse_format_duration(text)
            .map(Val::Duration)
            .map_err(|why| bad("duration", &why)),
        _ => return None,
    })
}

/// Converts a value of an expression to a declared type, as [`convert`] does for JSON.
#[expect(
    clippy::cast_precision_loss,
    reason = "that is what the conversion does"
)]
pub(super) fn adopt<'v>(
    declared: &DeclaredTypes,
    value: &Val<'v>,
    id: DeclaredId,
) -> Result<Val<'v>, Fault> {
    let kind = &declared.get(id).kind;
    let what = match (kind, value) {
        (DeclaredKind::IntOrString, Val::Int(_) | Val::Text(_))
        | (DeclaredKind::Bool, Val::Bool(_))
        | (DeclaredKind::Int, Val::Int(_))
        | (DeclaredKind::Double, Val::Double(_))
        | (DeclaredKind::Unknown | DeclaredKind::NoItems | DeclaredKind::Untyped(_), _) => {
            return Ok(value.clone());
        }
        (DeclaredKind::Double, Val::Int(value)) => return Ok(Val::Double(*value as f64)),
        (
            DeclaredKind::Text
            | DeclaredKind::Bytes
            | DeclaredKind::Date
            | DeclaredKind::DateTime
            | DeclaredKind::Duration,
            Val::Text(text),
        ) => {
            return parsed(text.as_str(), kind).unwrap_or_else(|| Ok(value.clone()));
        }
        (DeclaredKind::List { .. }, Val::Items(items, _)) => return Ok(Val::Items(items, id)),
        (DeclaredKind::Map(_) | DeclaredKind::Object(_), Val::Object(object, _)) => {
            return Ok(Val::Object(object, id));
        }
        (DeclaredKind::IntOrString, _) => return Err(Fault::error(NOT_INT_OR_STRING)),
        (DeclaredKind::List { .. }, _) => return Err(Fault::error(NOT_A_LIST)),
        (DeclaredKind::Map(_) | DeclaredKind::Object(_), _) => return Err(Fault::error(NOT_A_MAP)),
        (DeclaredKind::Bool, _) => "bool",
        (DeclaredKind::Int, _) => "int",
        (DeclaredKind::Double, _) => "float",
        _ => "string",
    };
    let found = made_type(value);
    Err(Fault::error(format!(
        "invalid data, expected {what}, got {found}"
    )))
}

/// Returns the Go type of a value that an expression created.
const fn made_type(value: &Val<'_>) -> &'static str {
    match value {
        Val::Null => "structpb.NullValue",
        Val::Bool(_) => "bool",
        Val::Int(_) => "int64",
        Val::Uint(_) => "uint64",
        Val::Double(_) => "float64",
        Val::Text(_) | Val::Type(_) => "string",
        Val::Bytes(_) => "[]uint8",
        Val::Timestamp(_) => "time.Time",
        Val::Duration(_) => "time.Duration",
        Val::List(_) => "[]ref.Val",
        Val::Map(_) => "map[ref.Val]ref.Val",
        Val::Items(..) | Val::Joined(_) => "[]interface {}",
        Val::Object(..) => "map[string]interface {}",
        Val::Opaque(Opaque::Quantity(_) | Opaque::Sum(_)) => "*resource.Quantity",
        Val::Opaque(Opaque::Url(_)) => "*url.URL",
        Val::Opaque(Opaque::Ip(_)) => "netip.Addr",
        Val::Opaque(Opaque::Cidr(_)) => "netip.Prefix",
        Val::Opaque(Opaque::Semver(_)) => "semver.Version",
        Val::Opaque(Opaque::Format(_)) => "*cel.Format",
        Val::Fault(_) => "*errors.errorString",
        Val::Unknown(_) | Val::Optional(_) => "<nil>",
    }
}

/// Returns the value under a key; `None` if rules do not see a value there.
pub(crate) fn get<'v>(
    declared: &DeclaredTypes,
    object: &'v Map<String, Value>,
    id: DeclaredId,
    key: &str,
) -> Option<Result<Val<'v>, Fault>> {
    match &declared.get(id).kind {
        DeclaredKind::Map(values) => Some(convert(declared, object.get(key)?, *values)),
        DeclaredKind::Object(fields) => {
            // The names of most fields are not escaped.
            let field = declared::find(fields, key)
                .filter(|field| field.escaped.as_deref() == Some(key))
                .or_else(|| {
                    let mut fields = fields.iter();
                    fields.find(|field| field.escaped.as_deref() == Some(key))
                })?;
            field_of(declared, object, &field.name, field.ty)
        }
        _ => None,
    }
}

/// Returns the value of a property; null counts as absent.
pub(crate) fn field_of<'v>(
    declared: &DeclaredTypes,
    object: &'v Map<String, Value>,
    name: &str,
    declaration: DeclaredId,
) -> Option<Result<Val<'v>, Fault>> {
    field_value(declared, object.get(name), declaration)
}

/// Returns the value like [`field_of`], for a value that is already looked up.
pub(crate) fn field_value<'v>(
    declared: &DeclaredTypes,
    found: Option<&'v Value>,
    declaration: DeclaredId,
) -> Option<Result<Val<'v>, Fault>> {
    let value = found.filter(|value| !value.is_null())?;
    Some(convert(declared, value, declaration))
}

/// Returns true if the value is present and not null. Returns an error if it is invalid.
pub(crate) fn is_there(
    declared: &DeclaredTypes,
    found: Option<&Value>,
    declaration: DeclaredId,
) -> Result<bool, Fault> {
    let Some(value) = found else { return Ok(false) };
    match (&declared.get(declaration).kind, value) {
        (_, Value::Null) => Ok(false),
        // The conversion of these values never fails.
        (DeclaredKind::Text, Value::String(_))
        | (DeclaredKind::Object(_) | DeclaredKind::Map(_), Value::Object(_))
        | (DeclaredKind::List { .. }, Value::Array(_)) => Ok(true),
        _ => convert(declared, value, declaration).map(|_| true),
    }
}

/// Returns the declared type of the items of a list.
pub(super) fn items_of(declared: &DeclaredTypes, list: DeclaredId) -> DeclaredId {
    match &declared.get(list).kind {
        DeclaredKind::List { items, .. } => *items,
        _ => list,
    }
}

/// Returns true if rules see an entry of an object or map.
pub(super) fn is_described(declared: &DeclaredTypes, id: DeclaredId, key: &str) -> bool {
    match &declared.get(id).kind {
        DeclaredKind::Map(_) => true,
        DeclaredKind::Object(fields) => declared::find(fields, key).is_some(),
        _ => false,
    }
}

/// The maximum number of levels of plain JSON that are converted.
pub(crate) const DEEPEST: u32 = 200;

/// Converts a value to plain JSON, without a schema. A value at a deeper level counts as null.
pub(crate) fn native(value: &Value, levels: u32) -> Val<'_> {
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
        Value::Object(object) => native_map(object, levels),
    }
}

fn native_map(object: &Map<String, Value>, levels: u32) -> Val<'_> {
    let entry = |(key, value)| (Val::Text(Text::Borrowed(key)), native(value, levels));
    let entries = object
        .iter()
        .map(|(key, value): (&String, _)| entry((key.as_str(), value)));
    Val::map(entries.collect())
}

/// Returns the value inside an optional value, as a plain value: a server creates it from plain
/// values of Go at each look-up.
pub(crate) fn unwrapped<'v>(value: &Val<'v>) -> Val<'v> {
    let unsupported = |text: &dyn fmt::Display| {
        let ty = made_type(value);
        let text = format!("unsupported conversion to ref.Val: ({ty}){text}");
        Val::Fault(text.into())
    };
    match value {
        Val::Type(name) => Val::text(*name),
        Val::Fault(text) => unsupported(text),
        Val::Optional(None) => Val::Null,
        Val::Optional(Some(inner)) => unwrapped(inner),
        Val::Items(items, _) => Val::list(items.iter().map(|item| native(item, DEEPEST)).collect()),
        Val::Object(object, _) => native_map(object, DEEPEST),
        Val::Unknown(value) => native(value, DEEPEST),
        Val::Opaque(Opaque::Url(url)) => unsupported(url),
        Val::Opaque(Opaque::Quantity(quantity) | Opaque::Sum(quantity)) => {
            unsupported(&quantity.canonical())
        }
        Val::Opaque(Opaque::Ip(address)) => unsupported(address),
        Val::Opaque(Opaque::Cidr(cidr)) => unsupported(cidr),
        Val::Opaque(Opaque::Semver(version)) => unsupported(version),
        value => value.clone(),
    }
}
