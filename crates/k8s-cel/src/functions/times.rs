//! Functions of timestamps and durations.

use super::dispatch::Dispatch;
use super::estimate;
use super::row::{ALWAYS, Cost, FunctionRow, function, row};
use crate::cost::work::Work;
use crate::values::timestamp::{Civil, Timestamp};
use crate::values::value::{Fault, Val};
use crate::values::zone;
use k8s_go_text::duration::NANOS;

type Result<'v, T = Val<'v>> = core::result::Result<T, Fault>;

const OF_TIME: &[&str] = &["timestamp. -> int", "timestamp.string -> int"];
const OF_BOTH: &[&str] = &[
    "timestamp. -> int",
    "timestamp.string -> int",
    "duration. -> int",
];

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "getFullYear",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_TIME,
            ALWAYS,
            |_, args| part(args, |c| c.year),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getMonth",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_TIME,
            ALWAYS,
            |_, args| part(args, |c| i64::from(c.month) - 1),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getDayOfYear",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_TIME,
            ALWAYS,
            |_, args| part(args, |c| c.day_of_year),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getDayOfMonth",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_TIME,
            ALWAYS,
            |_, args| part(args, |c| i64::from(c.day) - 1),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getDate",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_TIME,
            ALWAYS,
            |_, args| part(args, |c| i64::from(c.day)),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getDayOfWeek",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_TIME,
            ALWAYS,
            |_, args| part(args, |c| c.day_of_week),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getHours",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_BOTH,
            ALWAYS,
            |_, args| both(args, 3600 * NANOS, |c| c.hour),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getMinutes",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_BOTH,
            ALWAYS,
            |_, args| both(args, 60 * NANOS, |c| c.minute),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getSeconds",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_BOTH,
            ALWAYS,
            |_, args| both(args, NANOS, |c| c.second),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getMilliseconds",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_BOTH,
            ALWAYS,
            |_, args| {
                if let [Val::Duration(nanos)] = args {
                    return Ok(Val::Int(nanos / (NANOS / 1000)));
                }
                let (time, _) = local(args)?;
                Ok(Val::Int((time.nanos / 1_000_000).into()))
            },
            Cost::ONE,
            estimate::one,
        )],
    ),
];

fn part<'v>(args: &[Val<'v>], of: fn(Civil) -> i64) -> Result<'v> {
    let (_, civil) = local(args)?;
    Ok(Val::Int(of(civil)))
}

/// Returns a time, and its civil form in the zone of the second argument, or in UTC.
fn local<'v>(args: &[Val<'v>]) -> Result<'v, (Timestamp, Civil)> {
    let (time, offset) = match args {
        [Val::Timestamp(time)] => (*time, 0),
        [Val::Timestamp(time), Val::Text(zone)] => {
            let offset = zone::offset(zone.as_str(), *time);
            (*time, offset.map_err(Fault::error)?)
        }
        _ => return Err(Fault::no_such_overload()),
    };
    Ok((time, time.civil(offset)))
}

fn both<'v>(args: &[Val<'v>], unit: i64, of: fn(Civil) -> i64) -> Result<'v> {
    match args {
        [Val::Duration(nanos)] => Ok(Val::Int(whole(*nanos, unit))),
        _ => part(args, of),
    }
}

/// Returns the number of units in a duration. The server computes with floats, in which a part that
/// is almost a unit becomes a unit.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "that is what the server does"
)]
fn whole(nanos: i64, unit: i64) -> i64 {
    ((nanos / unit) as f64 + (nanos % unit) as f64 / unit as f64) as i64
}
