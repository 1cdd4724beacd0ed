//! Functions that return and use string formats.

use super::actual_cost;
use super::dispatch::Dispatch;
use super::estimated_cost;
use super::row::{ALWAYS, ActualCost, FunctionRow, function, row};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::format::CelFormat;
use crate::types::feature::Feature;
use crate::values::opaque::Opaque;
use crate::values::value::{EvalError, Val};

/// Declares the function `format.$name`, which returns the format of that name.
macro_rules! format_function {
    ($name:literal) => {
        function(
            concat!("format.", $name),
            Dispatch::ByOverload,
            HiddenCost::Strings,
            &[row(
                &[" -> NamedFormat"],
                ALWAYS,
                |tracker, _| find_format(tracker, $name).ok_or_else(EvalError::no_such_overload),
                ActualCost::ONE,
                estimated_cost::one,
            )],
        )
    };
}

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "format.named",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string -> optional(NamedFormat)"],
            ALWAYS,
            |tracker, args| {
                let [Val::String(name)] = args else {
                    return Err(EvalError::no_such_overload());
                };
                Ok(find_format(tracker, name.as_str()).map_or(Val::Optional(None), Val::some))
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    format_function!("dns1123Label"),
    format_function!("dns1123Subdomain"),
    format_function!("dns1035Label"),
    format_function!("dns1035LabelPrefix"),
    format_function!("dns1123LabelPrefix"),
    format_function!("dns1123SubdomainPrefix"),
    format_function!("qualifiedName"),
    format_function!("labelValue"),
    format_function!("uri"),
    format_function!("uuid"),
    format_function!("byte"),
    format_function!("date"),
    format_function!("datetime"),
    function(
        "validate",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["NamedFormat.string -> optional(list(string))"],
            ALWAYS,
            |_, args| {
                let [Val::Opaque(value), Val::String(string)] = args else {
                    return Err(EvalError::no_such_overload());
                };
                let format = value.as_format();
                let format = format.ok_or_else(EvalError::no_such_overload)?;
                let messages = format.check(string.as_str());
                Ok(if messages.is_empty() {
                    Val::Optional(None)
                } else {
                    Val::some(Val::strings(
                        messages.into_iter().map(Val::string).collect(),
                    ))
                })
            },
            ActualCost::by_function(actual_cost::validation),
            estimated_cost::validation,
        )],
    ),
];

fn find_format<'v>(tracker: &CostTracker<'v>, name: &str) -> Option<Val<'v>> {
    let format = CelFormat::find(name)?;
    let format = if tracker.declared_types.has(Feature::FormatValues) {
        Opaque::Format(format)
    } else {
        Opaque::FormatPointer(format)
    };
    Some(Val::Opaque(format))
}
