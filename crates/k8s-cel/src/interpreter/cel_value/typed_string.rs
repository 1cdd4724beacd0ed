//! Values with the types of all parts, for comparisons with other implementations.

use core::fmt::Write;

use super::CelValue;
use crate::types::declared::DeclaredTypes;
use crate::values::equal::{element, entry_by_key, keys};
use crate::values::from_json::MAX_DEPTH;
use crate::values::opaque::Opaque;
use crate::values::value::{EvalError, Val};

impl CelValue<'_> {
    /// Returns the value with its type as a string, so that different values have different
    /// strings: `1`, `1u`, `double(3ff0000000000000)`, `"a"`, `timestamp(2020-01-01T00:00:00Z)`,
    /// `some([none])`. Entries of maps are in the order of their strings.
    #[doc(hidden)]
    #[must_use]
    pub fn to_typed_string(&self, declared: &DeclaredTypes) -> String {
        let mut text = String::new();
        print(&mut text, declared, &self.0, MAX_DEPTH);
        text
    }
}

fn print(text: &mut String, declared: &DeclaredTypes, value: &Val<'_>, levels: u32) {
    let Some(levels) = levels.checked_sub(1) else {
        text.push_str("...");
        return;
    };
    // Writing to a string never fails.
    let _ = match value {
        Val::Null => write!(text, "null"),
        Val::Bool(value) => write!(text, "{value}"),
        Val::Int(value) => write!(text, "{value}"),
        Val::Uint(value) => write!(text, "{value}u"),
        Val::Double(value) if value.is_nan() => write!(text, "double(nan)"),
        Val::Double(value) => write!(text, "double({:016x})", value.to_bits()),
        Val::String(value) => write!(text, "{}", quoted(value.as_str())),
        Val::Bytes(bytes) => write!(
            text,
            "b({})",
            bytes
                .iter()
                .fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
        ),
        Val::Timestamp(time) => write!(text, "timestamp({time})"),
        Val::Duration(nanos) => write!(text, "duration({nanos})"),
        Val::Optional(None) => write!(text, "none"),
        Val::Optional(Some(value)) => {
            text.push_str("some(");
            print(text, declared, value, levels);
            write!(text, ")")
        }
        Val::Error(why) => write!(text, "error({why})"),
        Val::Type(name) => write!(text, "type({name})"),
        Val::Opaque(value) => write!(text, "{}", opaque(value)),
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => {
            list(text, declared, value, levels);
            Ok(())
        }
        Val::Map(_) | Val::JsonObject(..) => {
            map(text, declared, value, levels);
            Ok(())
        }
        Val::Unstructured(value) => write!(text, "unknown({value})"),
    };
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn list(text: &mut String, declared: &DeclaredTypes, value: &Val<'_>, levels: u32) {
    text.push('[');
    let mut at = 0;
    while let Some(element) = element(declared, value, at) {
        if at > 0 {
            text.push_str(", ");
        }
        result(text, declared, element, levels);
        at += 1;
    }
    text.push(']');
}

fn map(text: &mut String, declared: &DeclaredTypes, value: &Val<'_>, levels: u32) {
    let keys = keys(declared, value);
    let mut entries: Vec<String> = keys
        .iter()
        .enumerate()
        .map(|(at, key)| {
            let mut text = String::new();
            print(&mut text, declared, key, levels);
            text.push_str(": ");
            let found = entry_by_key(declared, value, at, key).unwrap_or_else(|| {
                // The declared type does not allow this null.
                let name = if let Val::String(name) = key {
                    name.as_str()
                } else {
                    key.type_name()
                };
                Err(EvalError::new(format!("no such key: {name}")))
            });
            result(&mut text, declared, found, levels);
            text
        })
        .collect();
    entries.sort_unstable();
    text.push('{');
    text.push_str(&entries.join(", "));
    text.push('}');
}

fn result(
    text: &mut String,
    declared: &DeclaredTypes,
    found: Result<Val<'_>, EvalError>,
    levels: u32,
) {
    match found {
        Ok(value) => print(text, declared, &value, levels),
        Err(fault) => {
            let _ = write!(text, "error({fault})");
        }
    }
}

fn opaque(value: &Opaque) -> String {
    match value {
        Opaque::Quantity(quantity) | Opaque::ComputedQuantity(quantity) => {
            format!("quantity({quantity})")
        }
        Opaque::Url(url) => format!("url({})", quoted(&url.to_string())),
        Opaque::Ip(address) => format!("ip({address})"),
        Opaque::Cidr(cidr) => format!("cidr({cidr})"),
        Opaque::Semver(version) => format!("semver({version})"),
        Opaque::Format(format) => format!("format({})", format.name.to_lowercase()),
    }
}
