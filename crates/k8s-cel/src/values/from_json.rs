//! Conversion of JSON values to CEL values by their declared types, and access to fields.

use core::fmt;

use k8s_go_text::base64::{self, Alphabet};
use k8s_go_text::duration;
use k8s_go_text::time;
use k8s_json_internals::number::JsonNumber;
use k8s_json_internals::print::go_type;
use serde_json::{Map, Value};

use super::opaque::Opaque;
use super::value::{EvalError, Str, Val};
use crate::types::declared::{self, Declaration, DeclaredId, DeclaredKind, DeclaredTypes};

const NOT_A_LIST: &str = "invalid data, expected an array for the provided schema with type=array";
const NOT_A_MAP: &str = "invalid data, expected a map for the provided schema with type=object";
const NO_FIELDS: &str = "invalid object type, expected either Properties or AdditionalProperties with \
                         Allows=true and non-empty Schema";
const NOT_INT_OR_STRING: &str =
    "invalid data, expected XIntOrString value to be either a string or integer";

/// Converts a JSON value. Null is a value here, not an absent field.
pub(crate) fn convert<'v>(
    declared_types: &DeclaredTypes,
    value: &'v Value,
    id: DeclaredId,
) -> Result<Val<'v>, EvalError> {
    convert_as(declared_types.get(id), value, id)
}

/// Converts a value like [`convert`]. The caller has already looked up `declaration`, which is the
/// declaration of `id`.
#[inline]
pub(super) fn convert_as<'v>(
    declaration: &Declaration,
    value: &'v Value,
    id: DeclaredId,
) -> Result<Val<'v>, EvalError> {
    match (&declaration.kind, value) {
        (DeclaredKind::String, Value::String(string)) => Ok(Val::String(Str::Borrowed(string))),
        (DeclaredKind::Map(_) | DeclaredKind::Object(_), Value::Object(object)) => {
            Ok(Val::JsonObject(object, id))
        }
        (DeclaredKind::List { .. }, Value::Array(items)) => Ok(Val::JsonList(items, id)),
        _ => convert_other(declaration, value),
    }
}

/// Converts the values that [`convert_as`] does not convert itself.
fn convert_other<'v>(declaration: &Declaration, value: &'v Value) -> Result<Val<'v>, EvalError> {
    if value.is_null() {
        return if declaration.nullable {
            Ok(Val::Null)
        } else {
            Err(EvalError::new(
                "invalid data, got null for schema with nullable=false",
            ))
        };
    }
    let expected = |expected_type: &str| {
        let message = format!(
            "invalid data, expected {expected_type}, got {}",
            go_type(value)
        );
        Err(EvalError::new(message))
    };
    match &declaration.kind {
        DeclaredKind::IntOrString => convert_int_or_string(value),
        DeclaredKind::Bool => match value {
            Value::Bool(value) => Ok(Val::Bool(*value)),
            _ => expected("bool"),
        },
        DeclaredKind::Int => match json_number(value) {
            Some(JsonNumber::Int(value)) => Ok(Val::Int(value)),
            _ => expected("int"),
        },
        DeclaredKind::Double => match json_number(value) {
            Some(number) => Ok(Val::Double(number.as_float())),
            None => expected("float"),
        },
        DeclaredKind::String
        | DeclaredKind::Bytes
        | DeclaredKind::Date
        | DeclaredKind::DateTime
        | DeclaredKind::Duration => match value {
            Value::String(value) => convert_string(value, &declaration.kind),
            _ => expected("string"),
        },
        DeclaredKind::List { .. } => Err(EvalError::new(NOT_A_LIST)),
        DeclaredKind::ObjectWithoutFields if value.is_object() => Err(EvalError::new(NO_FIELDS)),
        DeclaredKind::Map(_) | DeclaredKind::Object(_) | DeclaredKind::ObjectWithoutFields => {
            Err(EvalError::new(NOT_A_MAP))
        }
        DeclaredKind::PreserveUnknownFields => Ok(Val::Unstructured(value)),
        DeclaredKind::ListWithoutItems => Err(EvalError::new(
            "invalid array type, expected Items with a non-empty Schema",
        )),
        DeclaredKind::Untyped(name) => Err(EvalError::new(format!(
            "invalid type, expected object, array, number, integer, boolean or string, or no type with \
             x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got {name}"
        ))),
    }
}

/// Returns the value if it is a number.
fn json_number(value: &Value) -> Option<JsonNumber> {
    match value {
        Value::Number(number) => Some(JsonNumber::from_number(number)),
        _ => None,
    }
}

/// Converts a value of `x-kubernetes-int-or-string`.
fn convert_int_or_string(value: &Value) -> Result<Val<'_>, EvalError> {
    if let Value::String(string) = value {
        return Ok(Val::String(Str::Borrowed(string)));
    }
    match json_number(value) {
        Some(JsonNumber::Int(value)) => Ok(Val::Int(value)),
        _ => Err(EvalError::new(NOT_INT_OR_STRING)),
    }
}

/// Converts a string with or without a format.
fn convert_string<'v>(string: &'v str, kind: &DeclaredKind) -> Result<Val<'v>, EvalError> {
    parse_format(string, kind).unwrap_or(Ok(Val::String(Str::Borrowed(string))))
}

/// Parses a string with a format; `None` for a kind without a format.
fn parse_format<'v>(string: &str, kind: &DeclaredKind) -> Option<Result<Val<'v>, EvalError>> {
    let format_error = |format: &str, error: &dyn fmt::Display| {
        EvalError::new(format!("Invalid {format} {string}: {error}"))
    };
    Some(match kind {
        DeclaredKind::Bytes => base64::decode(string, Alphabet::Url)
            .map(|bytes| Val::Bytes(bytes.into()))
            .map_err(|error| format_error("byte formatted string", &error)),
        DeclaredKind::Date => time::parse_date(string)
            .map(|time| Val::Timestamp(time.into()))
            .map_err(|error| format_error("date formatted string", &error)),
        DeclaredKind::DateTime => time::parse_date_time(string)
            .map(|time| Val::Timestamp(time.into()))
            .map_err(|error| format_error("date-time formatted string", &error)),
        DeclaredKind::Duration => duration::parse_format_duration(string)
            .map(Val::Duration)
            .map_err(|error| format_error("duration", &error)),
        _ => return None,
    })
}

/// Converts a computed value to a declared type, as [`convert`] does for JSON.
#[expect(
    clippy::cast_precision_loss,
    reason = "CEL rounds the integer to a double"
)]
pub(super) fn convert_computed<'v>(
    declared_types: &DeclaredTypes,
    value: &Val<'v>,
    id: DeclaredId,
) -> Result<Val<'v>, EvalError> {
    let kind = &declared_types.get(id).kind;
    let expected_type = match (kind, value) {
        (DeclaredKind::IntOrString, Val::Int(_) | Val::String(_))
        | (DeclaredKind::Bool, Val::Bool(_))
        | (DeclaredKind::Int, Val::Int(_))
        | (DeclaredKind::Double, Val::Double(_))
        | (
            DeclaredKind::PreserveUnknownFields
            | DeclaredKind::ListWithoutItems
            | DeclaredKind::Untyped(_),
            _,
        ) => {
            return Ok(value.clone());
        }
        (DeclaredKind::Double, Val::Int(value)) => return Ok(Val::Double(*value as f64)),
        (
            DeclaredKind::String
            | DeclaredKind::Bytes
            | DeclaredKind::Date
            | DeclaredKind::DateTime
            | DeclaredKind::Duration,
            Val::String(string),
        ) => {
            return parse_format(string.as_str(), kind).unwrap_or_else(|| Ok(value.clone()));
        }
        (DeclaredKind::List { .. }, Val::JsonList(items, _)) => {
            return Ok(Val::JsonList(items, id));
        }
        (DeclaredKind::Map(_) | DeclaredKind::Object(_), Val::JsonObject(object, _)) => {
            return Ok(Val::JsonObject(object, id));
        }
        (DeclaredKind::IntOrString, _) => return Err(EvalError::new(NOT_INT_OR_STRING)),
        (DeclaredKind::List { .. }, _) => return Err(EvalError::new(NOT_A_LIST)),
        (DeclaredKind::ObjectWithoutFields, Val::JsonObject(..)) => {
            return Err(EvalError::new(NO_FIELDS));
        }
        (DeclaredKind::Map(_) | DeclaredKind::Object(_) | DeclaredKind::ObjectWithoutFields, _) => {
            return Err(EvalError::new(NOT_A_MAP));
        }
        (DeclaredKind::Bool, _) => "bool",
        (DeclaredKind::Int, _) => "int",
        (DeclaredKind::Double, _) => "float",
        _ => "string",
    };
    let actual_type = computed_go_type(value);
    Err(EvalError::new(format!(
        "invalid data, expected {expected_type}, got {actual_type}"
    )))
}

/// Returns the Go type of a computed value.
fn computed_go_type(value: &Val<'_>) -> &'static str {
    match value {
        Val::Null => "structpb.NullValue",
        Val::Bool(_) => "bool",
        Val::Int(_) => "int64",
        Val::Uint(_) => "uint64",
        Val::Double(_) => "float64",
        Val::String(_) | Val::Type(_) => "string",
        Val::Bytes(_) => "[]uint8",
        Val::Timestamp(_) => "time.Time",
        Val::Duration(_) => "time.Duration",
        Val::List(list) if list.is_strings() => "[]string",
        Val::List(_) => "[]ref.Val",
        Val::Map(_) => "map[ref.Val]ref.Val",
        Val::JsonList(..) | Val::AppendedList(_) => "[]interface {}",
        Val::JsonObject(..) => "map[string]interface {}",
        Val::Opaque(Opaque::Quantity(_) | Opaque::ComputedQuantity(_)) => "*resource.Quantity",
        Val::Opaque(Opaque::Url(_)) => "*url.URL",
        Val::Opaque(Opaque::Ip(_)) => "netip.Addr",
        Val::Opaque(Opaque::Cidr(_)) => "netip.Prefix",
        Val::Opaque(Opaque::Semver(_)) => "semver.Version",
        Val::Opaque(Opaque::Format(_) | Opaque::FormatPointer(_)) => "*cel.Format",
        Val::Error(_) => "*errors.errorString",
        Val::Unstructured(_) | Val::Optional(_) => "<nil>",
    }
}

/// Returns the value of a key, which for an object is a CEL name; `None` if there is no value that
/// expressions can read.
pub(crate) fn get_key<'v>(
    declared_types: &DeclaredTypes,
    object: &'v Map<String, Value>,
    id: DeclaredId,
    key: &str,
) -> Option<Result<Val<'v>, EvalError>> {
    match &declared_types.get(id).kind {
        DeclaredKind::Map(values) => Some(convert(declared_types, object.get(key)?, *values)),
        DeclaredKind::Object(fields) => {
            // Most fields have the same name in CEL and JSON, so that name is looked up first.
            let field = declared::find_field(fields, key)
                .filter(|field| field.escaped.as_deref() == Some(key))
                .or_else(|| {
                    let mut fields = fields.iter();
                    fields.find(|field| field.escaped.as_deref() == Some(key))
                })?;
            get_field(declared_types, object, &field.name, field.ty)
        }
        _ => None,
    }
}

/// Returns the value of a field. A field that is null counts as absent.
pub(crate) fn get_field<'v>(
    declared_types: &DeclaredTypes,
    object: &'v Map<String, Value>,
    name: &str,
    declaration: DeclaredId,
) -> Option<Result<Val<'v>, EvalError>> {
    field_value(declared_types, object.get(name), declaration)
}

/// Returns the value like [`get_field`], for a field that is already looked up.
pub(crate) fn field_value<'v>(
    declared_types: &DeclaredTypes,
    field: Option<&'v Value>,
    declaration: DeclaredId,
) -> Option<Result<Val<'v>, EvalError>> {
    let value = field.filter(|value| !value.is_null())?;
    Some(convert(declared_types, value, declaration))
}

/// Returns true if a field is present and not null, or an error if its value is invalid.
pub(crate) fn is_present(
    declared_types: &DeclaredTypes,
    field: Option<&Value>,
    declaration: DeclaredId,
) -> Result<bool, EvalError> {
    let Some(value) = field else { return Ok(false) };
    match (&declared_types.get(declaration).kind, value) {
        (_, Value::Null) => Ok(false),
        // The conversion of these values cannot fail.
        (DeclaredKind::String, Value::String(_))
        | (DeclaredKind::Object(_) | DeclaredKind::Map(_), Value::Object(_))
        | (DeclaredKind::List { .. }, Value::Array(_)) => Ok(true),
        _ => convert(declared_types, value, declaration).map(|_| true),
    }
}

/// Returns the id of the elements' declaration.
pub(super) fn items_id(declared_types: &DeclaredTypes, list: DeclaredId) -> DeclaredId {
    match &declared_types.get(list).kind {
        DeclaredKind::List { items, .. } => *items,
        _ => list,
    }
}

/// Returns true if expressions can read the entry or field with the JSON name.
pub(super) fn is_declared(declared_types: &DeclaredTypes, id: DeclaredId, key: &str) -> bool {
    match &declared_types.get(id).kind {
        DeclaredKind::Map(_) => true,
        DeclaredKind::Object(fields) => declared::find_field(fields, key).is_some(),
        _ => false,
    }
}

/// The maximum nesting of JSON values without a schema. The conversion is recursive.
pub(crate) const MAX_DEPTH: u32 = 200;

/// Converts a JSON value without a schema. Values below `depth` levels become null.
pub(crate) fn native_to_value(value: &Value, depth: u32) -> Val<'_> {
    let Some(depth) = depth.checked_sub(1) else {
        return Val::Null;
    };
    match value {
        Value::Null => Val::Null,
        Value::Bool(value) => Val::Bool(*value),
        Value::Number(number) => match JsonNumber::from_number(number) {
            JsonNumber::Int(value) => Val::Int(value),
            JsonNumber::Float(value) => Val::Double(value),
        },
        Value::String(string) => Val::String(Str::Borrowed(string)),
        Value::Array(items) => Val::list(
            items
                .iter()
                .map(|item| native_to_value(item, depth))
                .collect(),
        ),
        Value::Object(object) => native_map_to_value(object, depth),
    }
}

/// Converts a JSON object without a schema; see [`native_to_value`].
fn native_map_to_value(object: &Map<String, Value>, depth: u32) -> Val<'_> {
    let entry = |(key, value)| {
        (
            Val::String(Str::Borrowed(key)),
            native_to_value(value, depth),
        )
    };
    let entries = object
        .iter()
        .map(|(key, value): (&String, _)| entry((key.as_str(), value)));
    Val::map(entries.collect())
}

/// Unwraps optional values, and converts the content from plain Go values, as a server does at each
/// lookup.
pub(crate) fn unwrap_to_native<'v>(value: &Val<'v>) -> Val<'v> {
    let unsupported_error = |value_string: &dyn fmt::Display| {
        let ty = computed_go_type(value);
        let message = format!("unsupported conversion to ref.Val: ({ty}){value_string}");
        Val::Error(message.into())
    };
    match value {
        Val::Type(name) => Val::string(*name),
        Val::Error(message) => unsupported_error(message),
        Val::Optional(None) => Val::Null,
        Val::Optional(Some(inner)) => unwrap_to_native(inner),
        Val::JsonList(items, _) => Val::list(
            items
                .iter()
                .map(|item| native_to_value(item, MAX_DEPTH))
                .collect(),
        ),
        Val::JsonObject(object, _) => native_map_to_value(object, MAX_DEPTH),
        Val::Unstructured(value) => native_to_value(value, MAX_DEPTH),
        Val::Opaque(Opaque::Url(url)) => unsupported_error(url),
        Val::Opaque(Opaque::Quantity(quantity) | Opaque::ComputedQuantity(quantity)) => {
            unsupported_error(&quantity.canonical())
        }
        Val::Opaque(Opaque::Ip(address)) => unsupported_error(address),
        Val::Opaque(Opaque::Cidr(cidr)) => unsupported_error(cidr),
        Val::Opaque(Opaque::Semver(version)) => unsupported_error(version),
        value => value.clone(),
    }
}
