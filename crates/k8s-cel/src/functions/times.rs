//! Parts of timestamps and durations.

use k8s_go_text::duration::NANOS;

use super::row::{Entry, row};
use crate::values::timestamp::{Civil, Timestamp};
use crate::values::value::{Fault, Val};
use crate::values::zone;

type Result<'v, T = Val<'v>> = core::result::Result<T, Fault>;

const OF_TIME: &[&str] = &["timestamp. -> int", "timestamp.string -> int"];
const OF_BOTH: &[&str] = &[
    "timestamp. -> int",
    "timestamp.string -> int",
    "duration. -> int",
];

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "getFullYear",
        &[row(OF_TIME, |_, args| part(args, |c| c.year))],
    ),
    (
        "getMonth",
        &[row(OF_TIME, |_, args| {
            part(args, |c| i64::from(c.month) - 1)
        })],
    ),
    (
        "getDayOfYear",
        &[row(OF_TIME, |_, args| part(args, |c| c.day_of_year))],
    ),
    (
        "getDayOfMonth",
        &[row(OF_TIME, |_, args| part(args, |c| i64::from(c.day) - 1))],
    ),
    (
        "getDate",
        &[row(OF_TIME, |_, args| part(args, |c| i64::from(c.day)))],
    ),
    (
        "getDayOfWeek",
        &[row(OF_TIME, |_, args| part(args, |c| c.day_of_week))],
    ),
    (
        "getHours",
        &[row(OF_BOTH, |_, args| both(args, 3600 * NANOS, |c| c.hour))],
    ),
    (
        "getMinutes",
        &[row(OF_BOTH, |_, args| both(args, 60 * NANOS, |c| c.minute))],
    ),
    (
        "getSeconds",
        &[row(OF_BOTH, |_, args| both(args, NANOS, |c| c.second))],
    ),
    (
        "getMilliseconds",
        &[row(OF_BOTH, |_, args| {
            if let [Val::Duration(nanos)] = args {
                return Ok(Val::Int(nanos / (NANOS / 1000)));
            }
            let (time, _) = local(args)?;
            Ok(Val::Int((time.nanos / 1_000_000).into()))
        })],
    ),
];

fn part<'v>(args: &[Val<'v>], of: fn(Civil) -> i64) -> Result<'v> {
    let (_, civil) = local(args)?;
    Ok(Val::Int(of(civil)))
}

/// A time, and how people read it in a zone: the one that is named, or UTC.
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

/// How many units there are. The server computes with floats, where a part that is almost a unit becomes one.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "that is what the server does"
)]
fn whole(nanos: i64, unit: i64) -> i64 {
    ((nanos / unit) as f64 + (nanos % unit) as f64 / unit as f64) as i64
}
