//! Functions of timestamps and durations.

use super::dispatch::Dispatch;
use super::estimated_cost;
use super::row::{ALWAYS, ActualCost, FunctionRow, function, row};
use crate::cost::hidden_cost::HiddenCost;
use crate::values::timestamp::{CivilTime, Timestamp};
use crate::values::value::{EvalError, Val};
use crate::values::zone;
use k8s_go_text::duration::NANOS_PER_SECOND;

type Result<'v, T = Val<'v>> = core::result::Result<T, EvalError>;

const TIMESTAMP_TO_INT: &[&str] = &["timestamp. -> int", "timestamp.string -> int"];
const TIMESTAMP_OR_DURATION_TO_INT: &[&str] = &[
    "timestamp. -> int",
    "timestamp.string -> int",
    "duration. -> int",
];

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "getFullYear",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            TIMESTAMP_TO_INT,
            ALWAYS,
            |_, args| civil_component(args, |civil| civil.year),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getMonth",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            TIMESTAMP_TO_INT,
            ALWAYS,
            |_, args| civil_component(args, |civil| i64::from(civil.month) - 1),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getDayOfYear",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            TIMESTAMP_TO_INT,
            ALWAYS,
            |_, args| civil_component(args, |civil| civil.day_of_year),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getDayOfMonth",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            TIMESTAMP_TO_INT,
            ALWAYS,
            |_, args| civil_component(args, |civil| i64::from(civil.day) - 1),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getDate",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            TIMESTAMP_TO_INT,
            ALWAYS,
            |_, args| civil_component(args, |civil| i64::from(civil.day)),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getDayOfWeek",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            TIMESTAMP_TO_INT,
            ALWAYS,
            |_, args| civil_component(args, |civil| civil.day_of_week),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getHours",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            TIMESTAMP_OR_DURATION_TO_INT,
            ALWAYS,
            |_, args| {
                duration_or_civil_component(args, 3600 * NANOS_PER_SECOND, |civil| civil.hour)
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getMinutes",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            TIMESTAMP_OR_DURATION_TO_INT,
            ALWAYS,
            |_, args| {
                duration_or_civil_component(args, 60 * NANOS_PER_SECOND, |civil| civil.minute)
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getSeconds",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            TIMESTAMP_OR_DURATION_TO_INT,
            ALWAYS,
            |_, args| duration_or_civil_component(args, NANOS_PER_SECOND, |civil| civil.second),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getMilliseconds",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            TIMESTAMP_OR_DURATION_TO_INT,
            ALWAYS,
            |_, args| {
                if let [Val::Duration(nanos)] = args {
                    return Ok(Val::Int(nanos / (NANOS_PER_SECOND / 1000)));
                }
                let (time, _) = civil_time(args)?;
                Ok(Val::Int((time.nanos / 1_000_000).into()))
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
];

fn civil_component<'v>(args: &[Val<'v>], component: fn(CivilTime) -> i64) -> Result<'v> {
    let (_, civil) = civil_time(args)?;
    Ok(Val::Int(component(civil)))
}

/// Returns the timestamp argument, and its civil time in the time zone of the second argument, or
/// in UTC.
fn civil_time<'v>(args: &[Val<'v>]) -> Result<'v, (Timestamp, CivilTime)> {
    let (time, offset) = match args {
        [Val::Timestamp(time)] => (*time, 0),
        [Val::Timestamp(time), Val::String(zone)] => {
            let offset = zone::utc_offset(zone.as_str(), *time);
            (*time, offset.map_err(EvalError::new)?)
        }
        _ => return Err(EvalError::no_such_overload()),
    };
    Ok((time, time.civil(offset)))
}

fn duration_or_civil_component<'v>(
    args: &[Val<'v>],
    unit: i64,
    component: fn(CivilTime) -> i64,
) -> Result<'v> {
    match args {
        [Val::Duration(nanos)] => Ok(Val::Int(whole_units(*nanos, unit))),
        _ => civil_component(args, component),
    }
}

/// Returns the number of whole units in a duration. As on a server, floats may round an almost
/// complete unit up.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "the server computes with floats"
)]
fn whole_units(nanos: i64, unit: i64) -> i64 {
    ((nanos / unit) as f64 + (nanos % unit) as f64 / unit as f64) as i64
}
