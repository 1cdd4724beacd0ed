//! Values as `%s` formats them, and the values inside lists and maps.

use core::fmt::Write as _;

use k8s_go_text::duration::CelDuration;
use k8s_json_internals::quote::GoQuoted;

use crate::cost::tracker::CostTracker;
use crate::functions::conversions::utf8;
use crate::functions::row::check_length;
use crate::values::equal::{element, entry_at, keys};
use crate::values::go_print::format_double;
use crate::values::value::{EvalError, Val};

type Result<T> = core::result::Result<T, EvalError>;

/// The maximum nesting of lists and maps. Each level takes stack.
const MAX_DEPTH: u32 = 200;

/// Returns an argument of a clause. An invalid value becomes a value too, which no clause accepts.
pub(super) fn argument_value(found: Result<Val<'_>>) -> Result<Val<'_>> {
    match found {
        Err(EvalError::Expression(why)) => Ok(Val::Error(why)),
        found => found,
    }
}

/// Appends a value that is not inside a list or map.
pub(super) fn write_string<'v>(
    meter: &CostTracker<'v>,
    value: &Val<'v>,
    out: &mut String,
) -> Result<()> {
    match value {
        Val::String(text) => out.push_str(text.as_str()),
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
        value => write_element(meter, value, MAX_DEPTH, out)?,
    }
    check_length(out.len())
}

fn bytes_to_str(bytes: &[u8]) -> Result<&str> {
    utf8(bytes).map_err(|why| {
        let why = GoQuoted(why);
        EvalError::new(format!("could not convert argument {why} to string"))
    })
}

/// Appends a value in the format of list elements.
pub(super) fn write_element<'v>(
    meter: &CostTracker<'v>,
    value: &Val<'v>,
    levels: u32,
    out: &mut String,
) -> Result<()> {
    let levels = levels.checked_sub(1).ok_or(EvalError::CostLimit)?;
    // Writing to a String cannot fail.
    let _ = match value {
        Val::Null => write!(out, "null"),
        Val::Bool(value) => write!(out, "{value}"),
        Val::Int(value) => write!(out, "{value}"),
        Val::Uint(value) => write!(out, "{value}"),
        Val::Double(value) if value.is_finite() => write!(out, "{value:.6}"),
        Val::Double(value) => write!(out, "\"{}\"", format_double(*value)),
        Val::String(text) => write!(out, "{}", GoQuoted(text.as_str())),
        Val::Bytes(bytes) => write!(out, "b{}", GoQuoted(bytes_to_str(bytes)?)),
        Val::Timestamp(time) => write!(out, "timestamp(\"{time}\")"),
        Val::Duration(nanos) => write!(out, "duration(\"{}\")", CelDuration(*nanos)),
        Val::Type(name) => write!(out, "{name}"),
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => {
            return list(meter, value, levels, out);
        }
        Val::Map(_) | Val::JsonObject(..) => return map(meter, value, levels, out),
        Val::Optional(_) | Val::Opaque(_) | Val::Unstructured(_) | Val::Error(_) => {
            let name = value.type_name();
            return Err(EvalError::new(format!("no formatting function for {name}")));
        }
    };
    Ok(())
}

fn list<'v>(meter: &CostTracker<'v>, list: &Val<'v>, levels: u32, out: &mut String) -> Result<()> {
    out.push('[');
    let mut at = 0;
    while let Some(value) = element(meter.declared, list, at) {
        out.push_str(if at > 0 { ", " } else { "" });
        write_element(meter, &argument_value(value)?, levels, out)?;
        check_length(out.len())?;
        at += 1;
    }
    out.push(']');
    Ok(())
}

/// Appends the entries of a map, in the order of their formatted keys.
fn map<'v>(meter: &CostTracker<'v>, map: &Val<'v>, levels: u32, out: &mut String) -> Result<()> {
    let mut entries = Vec::new();
    for (at, key) in keys(meter.declared, map).into_iter().enumerate() {
        let mut text = String::new();
        match &key {
            Val::String(_) | Val::Bool(_) | Val::Int(_) | Val::Uint(_) => {
                write_element(meter, &key, levels, &mut text)?;
            }
            other => {
                let name = other.type_name();
                let why = format!("no formatting function for map key of type {name}");
                return Err(EvalError::new(why));
            }
        }
        let Some(value) = entry_at(meter.declared, map, at, &key) else {
            return Err(EvalError::new(format!("could not find key: {text}")));
        };
        entries.push((text, argument_value(value)?));
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    out.push('{');
    for (at, (key, value)) in entries.iter().enumerate() {
        out.push_str(if at > 0 { ", " } else { "" });
        out.push_str(key);
        out.push(':');
        write_element(meter, value, levels, out)?;
        check_length(out.len())?;
    }
    out.push('}');
    Ok(())
}
