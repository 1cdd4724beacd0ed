//! Formats values for `%s`, with the values inside lists and maps.

use core::fmt::Write as _;

use k8s_go_text::duration::CelDuration;
use k8s_json_internals::quote::GoQuoted;

use crate::cost::tracker::CostTracker;
use crate::functions::conversions::decode_utf8;
use crate::functions::row::check_string_length;
use crate::values::equal::{element, entry_at, keys};
use crate::values::go_print::format_double;
use crate::values::value::{EvalError, Val};

type Result<T> = core::result::Result<T, EvalError>;

/// The maximum nesting of lists and maps, because each level uses stack.
const MAX_DEPTH: u32 = 200;

/// Returns an argument of a specifier. An error of the expression becomes an error value, which no
/// verb accepts.
pub(super) fn argument_value(argument: Result<Val<'_>>) -> Result<Val<'_>> {
    match argument {
        Err(EvalError::Expression(message)) => Ok(Val::Error(message)),
        argument => argument,
    }
}

/// Appends a value that is not inside a list or map.
pub(super) fn write_as_string<'v>(
    tracker: &CostTracker<'v>,
    value: &Val<'v>,
    out: &mut String,
) -> Result<()> {
    match value {
        Val::String(string) => out.push_str(string.as_str()),
        Val::Bytes(bytes) => out.push_str(bytes_to_str(bytes)?),
        Val::Double(value) => out.push_str(&format_double(*value)),
        // Writing to a String cannot fail.
        Val::Timestamp(time) => drop(write!(out, "{time}")),
        Val::Duration(nanos) => drop(write!(out, "{}", CelDuration(*nanos))),
        Val::Optional(_) | Val::Opaque(_) | Val::Unstructured(_) | Val::Error(_) => {
            return Err(EvalError::new(format!(
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, \
                 durations, and timestamps, was given {}",
                value.type_name()
            )));
        }
        value => write_element(tracker, value, MAX_DEPTH, out)?,
    }
    check_string_length(out.len())
}

fn bytes_to_str(bytes: &[u8]) -> Result<&str> {
    decode_utf8(bytes).map_err(|message| {
        let quoted = GoQuoted(message);
        EvalError::new(format!("could not convert argument {quoted} to string"))
    })
}

/// Appends a value in the format of list elements.
pub(super) fn write_element<'v>(
    tracker: &CostTracker<'v>,
    value: &Val<'v>,
    depth: u32,
    out: &mut String,
) -> Result<()> {
    let depth = depth.checked_sub(1).ok_or(EvalError::CostLimit)?;
    // Writing to a String cannot fail.
    let _ = match value {
        Val::Null => write!(out, "null"),
        Val::Bool(value) => write!(out, "{value}"),
        Val::Int(value) => write!(out, "{value}"),
        Val::Uint(value) => write!(out, "{value}"),
        Val::Double(value) if value.is_finite() => write!(out, "{value:.6}"),
        Val::Double(value) => write!(out, "\"{}\"", format_double(*value)),
        Val::String(string) => write!(out, "{}", GoQuoted(string.as_str())),
        Val::Bytes(bytes) => write!(out, "b{}", GoQuoted(bytes_to_str(bytes)?)),
        Val::Timestamp(time) => write!(out, "timestamp(\"{time}\")"),
        Val::Duration(nanos) => write!(out, "duration(\"{}\")", CelDuration(*nanos)),
        Val::Type(name) => write!(out, "{name}"),
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => {
            return write_list(tracker, value, depth, out);
        }
        Val::Map(_) | Val::JsonObject(..) => return write_map(tracker, value, depth, out),
        Val::Optional(_) | Val::Opaque(_) | Val::Unstructured(_) | Val::Error(_) => {
            let name = value.type_name();
            return Err(EvalError::new(format!("no formatting function for {name}")));
        }
    };
    Ok(())
}

fn write_list<'v>(
    tracker: &CostTracker<'v>,
    list: &Val<'v>,
    depth: u32,
    out: &mut String,
) -> Result<()> {
    out.push('[');
    let mut index = 0;
    while let Some(value) = element(tracker.declared_types, list, index) {
        out.push_str(if index > 0 { ", " } else { "" });
        write_element(tracker, &argument_value(value)?, depth, out)?;
        check_string_length(out.len())?;
        index += 1;
    }
    out.push(']');
    Ok(())
}

/// Appends a map, with its entries sorted by formatted key.
fn write_map<'v>(
    tracker: &CostTracker<'v>,
    map: &Val<'v>,
    depth: u32,
    out: &mut String,
) -> Result<()> {
    let mut entries = Vec::new();
    for (index, key) in keys(tracker.declared_types, map).into_iter().enumerate() {
        let mut formatted_key = String::new();
        match &key {
            Val::String(_) | Val::Bool(_) | Val::Int(_) | Val::Uint(_) => {
                write_element(tracker, &key, depth, &mut formatted_key)?;
            }
            other => {
                let name = other.type_name();
                let message = format!("no formatting function for map key of type {name}");
                return Err(EvalError::new(message));
            }
        }
        let Some(value) = entry_at(tracker.declared_types, map, index, &key) else {
            return Err(EvalError::new(format!(
                "could not find key: {formatted_key}"
            )));
        };
        entries.push((formatted_key, argument_value(value)?));
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    out.push('{');
    for (index, (key, value)) in entries.iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        out.push_str(key);
        out.push(':');
        write_element(tracker, value, depth, out)?;
        check_string_length(out.len())?;
    }
    out.push('}');
    Ok(())
}
