//! Formats values with their types, for comparisons with other implementations.

use core::fmt::Write;

use super::CelValue;
use crate::types::declared::DeclaredTypes;
use crate::values::equal::{element, entry_by_key, keys};
use crate::values::from_json::MAX_DEPTH;
use crate::values::opaque::Opaque;
use crate::values::value::{EvalError, Val};

impl CelValue<'_> {
    /// Returns the value as a string that includes the types, so that different values have
    /// different strings: `1`, `1u`, `double(3ff0000000000000)`, `"a"`,
    /// `timestamp(2020-01-01T00:00:00Z)`, `some([none])`. The entries of a map are sorted by their
    /// formatted keys and values.
    #[doc(hidden)]
    #[must_use]
    pub fn to_typed_string(&self, declared_types: &DeclaredTypes) -> String {
        let mut out = String::new();
        write_value(&mut out, declared_types, &self.0, MAX_DEPTH);
        out
    }
}

fn write_value(out: &mut String, declared_types: &DeclaredTypes, value: &Val<'_>, depth: u32) {
    let Some(depth) = depth.checked_sub(1) else {
        out.push_str("...");
        return;
    };
    // Writing to a `String` cannot fail.
    let _ = match value {
        Val::Null => write!(out, "null"),
        Val::Bool(value) => write!(out, "{value}"),
        Val::Int(value) => write!(out, "{value}"),
        Val::Uint(value) => write!(out, "{value}u"),
        Val::Double(value) if value.is_nan() => write!(out, "double(nan)"),
        Val::Double(value) => write!(out, "double({:016x})", value.to_bits()),
        Val::String(value) => write!(out, "{}", quoted(value.as_str())),
        Val::Bytes(bytes) => write!(
            out,
            "b({})",
            bytes
                .iter()
                .fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
        ),
        Val::Timestamp(time) => write!(out, "timestamp({time})"),
        Val::Duration(nanos) => write!(out, "duration({nanos})"),
        Val::Optional(None) => write!(out, "none"),
        Val::Optional(Some(value)) => {
            out.push_str("some(");
            write_value(out, declared_types, value, depth);
            write!(out, ")")
        }
        Val::Error(message) => write!(out, "error({message})"),
        Val::Type(name) => write!(out, "type({name})"),
        Val::Opaque(value) => write!(out, "{}", format_opaque(value)),
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => {
            write_list(out, declared_types, value, depth);
            Ok(())
        }
        Val::Map(_) | Val::JsonObject(..) => {
            write_map(out, declared_types, value, depth);
            Ok(())
        }
        Val::Unstructured(value) => write!(out, "unknown({value})"),
    };
}

fn quoted(string: &str) -> String {
    format!("\"{}\"", string.replace('\\', "\\\\").replace('"', "\\\""))
}

fn write_list(out: &mut String, declared_types: &DeclaredTypes, value: &Val<'_>, depth: u32) {
    out.push('[');
    let mut index = 0;
    while let Some(element) = element(declared_types, value, index) {
        if index > 0 {
            out.push_str(", ");
        }
        write_result(out, declared_types, element, depth);
        index += 1;
    }
    out.push(']');
}

fn write_map(out: &mut String, declared_types: &DeclaredTypes, value: &Val<'_>, depth: u32) {
    let keys = keys(declared_types, value);
    let mut entries: Vec<String> = keys
        .iter()
        .enumerate()
        .map(|(index, key)| {
            let mut out = String::new();
            write_value(&mut out, declared_types, key, depth);
            out.push_str(": ");
            let entry_value =
                entry_by_key(declared_types, value, index, key).unwrap_or_else(|| {
                    // The declared type of the entry does not allow null.
                    let name = if let Val::String(name) = key {
                        name.as_str()
                    } else {
                        key.type_name()
                    };
                    Err(EvalError::new(format!("no such key: {name}")))
                });
            write_result(&mut out, declared_types, entry_value, depth);
            out
        })
        .collect();
    entries.sort_unstable();
    out.push('{');
    out.push_str(&entries.join(", "));
    out.push('}');
}

fn write_result(
    out: &mut String,
    declared_types: &DeclaredTypes,
    result: Result<Val<'_>, EvalError>,
    depth: u32,
) {
    match result {
        Ok(value) => write_value(out, declared_types, &value, depth),
        Err(error) => {
            let _ = write!(out, "error({error})");
        }
    }
}

fn format_opaque(value: &Opaque) -> String {
    match value {
        Opaque::Quantity(quantity) | Opaque::ComputedQuantity(quantity) => {
            format!("quantity({quantity})")
        }
        Opaque::Url(url) => format!("url({})", quoted(&url.to_string())),
        Opaque::Ip(address) => format!("ip({address})"),
        Opaque::Cidr(cidr) => format!("cidr({cidr})"),
        Opaque::Semver(version) => format!("semver({version})"),
        Opaque::Format(format) | Opaque::FormatPointer(format) => {
            format!("format({})", format.name.to_lowercase())
        }
    }
}
