//! Values as Go prints and converts them.

use core::fmt;

use k8s_go_text::duration::GoDuration;
use k8s_json_internals::number::JsonNumber;

use super::opaque::Opaque;
use super::value::{EvalError, Str, Val};
use crate::types::declared::{DeclaredKind, DeclaredTypes, ListType};

/// Returns a float as Go prints it with the fewest digits.
pub(crate) fn format_double(value: f64) -> String {
    if value.is_infinite() {
        return (if value > 0.0 { "+Inf" } else { "-Inf" }).to_owned();
    }
    JsonNumber::Float(value).to_string()
}

/// A value as Go prints it in errors.
pub(crate) struct GoFormatted<'a, 'v>(pub(crate) &'a Val<'v>);

impl fmt::Display for GoFormatted<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Val::String(text) => f.write_str(text.as_str()),
            Val::Int(value) => write!(f, "{value}"),
            Val::Uint(value) => write!(f, "{value}"),
            Val::Bool(value) => write!(f, "{value}"),
            Val::Double(value) => f.write_str(&format_double(*value)),
            Val::Optional(Some(value)) => write!(f, "optional({})", GoFormatted(value)),
            Val::Error(text) => f.write_str(text),
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

/// Returns the Go type of a value, as errors print it. A list of the object has the Go type of its
/// list type.
pub(crate) fn declared_go_type(declared: &DeclaredTypes, value: &Val<'_>) -> &'static str {
    let list = match value {
        Val::JsonList(_, list) => *list,
        Val::AppendedList(joined) => joined.declaration,
        value => return value.go_type(),
    };
    match &declared.get(list).kind {
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

/// Returns a value as Go converts it to a string.
///
/// # Errors
///
/// Returns an error if the value does not convert, with the message of cel-go.
pub(crate) fn to_go_string<'v>(value: &Val<'v>) -> Result<Str<'v>, EvalError> {
    let of_type = |ty: &str| format!("type conversion error from {ty} to 'string'");
    Err(EvalError::new(match value {
        Val::String(text) => return Ok(text.clone()),
        Val::Optional(Some(inner)) => return to_go_string(inner),
        Val::Optional(None) => "optional.none() dereference".to_owned(),
        Val::Opaque(Opaque::Url(url)) => return Ok(Str::Owned(url.to_string().into())),
        Val::Opaque(Opaque::Quantity(of) | Opaque::ComputedQuantity(of)) => {
            return Ok(Str::Owned(of.canonical().into()));
        }
        Val::Int(_) | Val::Uint(_) => {
            let ty = value.type_name();
            format!("unsupported type conversion from '{ty}' to string")
        }
        Val::Type(_) => "type conversion not supported for 'type'".to_owned(),
        Val::Null => of_type("'null_type'"),
        Val::Timestamp(_) => of_type("'Timestamp'"),
        Val::Duration(_) => of_type("'Duration'"),
        Val::Double(_) => of_type("Double"),
        Val::Bool(_) => of_type("bool"),
        Val::Bytes(_) => of_type("Bytes"),
        Val::List(_) => of_type("list"),
        Val::Map(_) => of_type("map"),
        Val::JsonList(..) | Val::AppendedList(_) => of_type("'list(dyn)'"),
        Val::JsonObject(..) | Val::Unstructured(_) => of_type("'map(dyn, dyn)'"),
        Val::Error(_) | Val::Opaque(_) => return Err(join_error(value)),
    }))
}

/// Returns the error for a list element that is not a string.
pub(crate) fn join_error(value: &Val<'_>) -> EvalError {
    EvalError::new(format!("join: invalid input: {}", GoFormatted(value)))
}
