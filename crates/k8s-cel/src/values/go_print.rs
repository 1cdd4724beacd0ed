//! Formats values as Go does in messages, and converts values to Go strings.

use core::fmt;

use k8s_go_text::duration::GoDuration;
use k8s_json_internals::number::JsonNumber;

use super::opaque::Opaque;
use super::value::{AppendedStorage, EvalError, Str, Val};
use crate::types::declared::{DeclaredKind, DeclaredTypes, ListType};

/// Returns the shortest form of a float, as Go formats it.
pub(crate) fn format_double(value: f64) -> String {
    if value.is_infinite() {
        return (if value > 0.0 { "+Inf" } else { "-Inf" }).to_owned();
    }
    JsonNumber::Float(value).to_string()
}

/// Formats a value as Go does in messages.
pub(crate) struct GoFormatted<'a, 'v>(pub(crate) &'a Val<'v>);

impl fmt::Display for GoFormatted<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Val::String(string) => f.write_str(string.as_str()),
            Val::Int(value) => write!(f, "{value}"),
            Val::Uint(value) => write!(f, "{value}"),
            Val::Bool(value) => write!(f, "{value}"),
            Val::Double(value) => f.write_str(&format_double(*value)),
            Val::Optional(Some(value)) => write!(f, "optional({})", GoFormatted(value)),
            Val::Error(message) => f.write_str(message),
            // Go prints the number of the enum value `NULL_VALUE`.
            Val::Null => f.write_str("0"),
            Val::Duration(nanos) => write!(f, "{}", GoDuration(*nanos)),
            Val::Timestamp(time) => f.write_str(&time.to_go_string()),
            Val::Type(name) => f.write_str(name),
            Val::Bytes(bytes) => {
                let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
                write!(f, "[{}]", bytes.join(" "))
            }
            Val::List(values) => {
                let values: Vec<String> =
                    values.iter().map(|v| GoFormatted(v).to_string()).collect();
                write!(f, "[{}]", values.join(", "))
            }
            Val::Map(entries) => {
                let entries = entries.iter();
                let entries: Vec<String> = entries
                    .map(|(key, value)| format!("{}: {}", GoFormatted(key), GoFormatted(value)))
                    .collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
            Val::Opaque(Opaque::Ip(address)) => write!(f, "{address}"),
            Val::Opaque(Opaque::Cidr(cidr)) => write!(f, "{cidr}"),
            Val::Opaque(Opaque::Url(url)) => write!(f, "{url}"),
            Val::Opaque(Opaque::Semver(version)) => write!(f, "{version}"),
            Val::Opaque(Opaque::Quantity(quantity) | Opaque::ComputedQuantity(quantity)) => {
                f.write_str(&quantity.canonical())
            }
            Val::Optional(None) => f.write_str("optional.none()"),
            other => f.write_str(other.type_name()),
        }
    }
}

/// Returns the Go type of a value for messages. For a JSON list, the list type determines the Go
/// type.
pub(crate) fn declared_go_type(declared_types: &DeclaredTypes, value: &Val<'_>) -> &'static str {
    let list = match value {
        Val::JsonList(_, list) => *list,
        Val::AppendedList(appended)
            if !matches!(appended.storage, AppendedStorage::Converted(..)) =>
        {
            appended.declaration
        }
        value => return value.go_type(),
    };
    match &declared_types.get(list).kind {
        DeclaredKind::List {
            list_type: ListType::Set,
            ..
        } => "*common.unstructuredSetList",
        DeclaredKind::List {
            list_type: ListType::Map(_),
            ..
        } => "*common.unstructuredMapList",
        _ => value.go_type(),
    }
}

/// Returns the value as a string, as cel-go converts it.
///
/// # Errors
///
/// Returns cel-go's error if the value cannot be converted.
pub(crate) fn to_go_string<'v>(value: &Val<'v>) -> Result<Str<'v>, EvalError> {
    let conversion_error = |ty: &str| format!("type conversion error from {ty} to 'string'");
    Err(EvalError::new(match value {
        Val::String(string) => return Ok(string.clone()),
        Val::Optional(Some(inner)) => return to_go_string(inner),
        Val::Optional(None) => "optional.none() dereference".to_owned(),
        Val::Opaque(Opaque::Url(url)) => return Ok(Str::Owned(url.to_string().into())),
        Val::Opaque(Opaque::Quantity(quantity) | Opaque::ComputedQuantity(quantity)) => {
            return Ok(Str::Owned(quantity.canonical().into()));
        }
        Val::Int(_) | Val::Uint(_) => {
            let ty = value.type_name();
            format!("unsupported type conversion from '{ty}' to string")
        }
        Val::Type(_) => "type conversion not supported for 'type'".to_owned(),
        Val::Null => conversion_error("'null_type'"),
        Val::Timestamp(_) => conversion_error("'Timestamp'"),
        Val::Duration(_) => conversion_error("'Duration'"),
        Val::Double(_) => conversion_error("Double"),
        Val::Bool(_) => conversion_error("bool"),
        Val::Bytes(_) => conversion_error("Bytes"),
        Val::List(_) => conversion_error("list"),
        Val::Map(_) => conversion_error("map"),
        Val::JsonList(..) | Val::AppendedList(_) => conversion_error("'list(dyn)'"),
        Val::JsonObject(..) | Val::Unstructured(_) => conversion_error("'map(dyn, dyn)'"),
        Val::Error(_) | Val::Opaque(_) => return Err(join_error(value)),
    }))
}

/// Returns the error for a list element that cannot be joined, because it is not a string.
pub(crate) fn join_error(value: &Val<'_>) -> EvalError {
    EvalError::new(format!("join: invalid input: {}", GoFormatted(value)))
}
