//! Parts of timestamps and durations.

use super::{Entry, row};
use crate::meter::Meter;
use crate::time::{self, Civil, NANOS};
use crate::value::{Fault, Val};

type Result<'v> = core::result::Result<Val<'v>, Fault>;

const OF_TIME: &[&str] = &["timestamp. -> int", "timestamp.string -> int"];
const OF_BOTH: &[&str] = &[
    "timestamp. -> int",
    "timestamp.string -> int",
    "duration. -> int",
];

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "getFullYear",
        &[row(OF_TIME, |m, args| part(m, args, |c| c.year))],
    ),
    (
        "getMonth",
        &[row(OF_TIME, |m, args| {
            part(m, args, |c| i64::from(c.month) - 1)
        })],
    ),
    (
        "getDayOfYear",
        &[row(OF_TIME, |m, args| part(m, args, |c| c.day_of_year))],
    ),
    (
        "getDayOfMonth",
        &[row(OF_TIME, |m, args| {
            part(m, args, |c| i64::from(c.day) - 1)
        })],
    ),
    (
        "getDate",
        &[row(OF_TIME, |m, args| part(m, args, |c| i64::from(c.day)))],
    ),
    (
        "getDayOfWeek",
        &[row(OF_TIME, |m, args| part(m, args, |c| c.day_of_week))],
    ),
    (
        "getHours",
        &[row(OF_BOTH, |m, args| {
            both(m, args, 3600 * NANOS, |c| c.hour)
        })],
    ),
    (
        "getMinutes",
        &[row(OF_BOTH, |m, args| {
            both(m, args, 60 * NANOS, |c| c.minute)
        })],
    ),
    (
        "getSeconds",
        &[row(OF_BOTH, |m, args| both(m, args, NANOS, |c| c.second))],
    ),
    (
        "getMilliseconds",
        &[row(OF_BOTH, |m, args| match args {
            [Val::Timestamp(time), ..] => {
                m.charge(1)?;
                Ok(Val::Int(i64::from(time.nanos / 1_000_000)))
            }
            _ => both(m, args, NANOS / 1000, |_| 0),
        })],
    ),
];

fn part<'v>(meter: &mut Meter<'v>, args: &[Val<'v>], of: fn(Civil) -> i64) -> Result<'v> {
    meter.charge(1)?;
    let (time, offset) = match args {
        [Val::Timestamp(time)] => (time, 0),
        [Val::Timestamp(time), Val::Text(zone)] => (time, offset(zone.as_str())?),
        _ => return Err(Fault::no_such_overload()),
    };
    Ok(Val::Int(of(time.civil(offset))))
}

/// The seconds that a zone is ahead; zones by name need a table that is not here.
fn offset(zone: &str) -> core::result::Result<i64, Fault> {
    match zone {
        "" | "UTC" | "GMT" | "Etc/UTC" => Ok(0),
        _ => time::offset(zone).ok_or_else(|| {
            Fault::Unsupported(format!("the time zone {zone:?} is not known here").into())
        }),
    }
}

fn both<'v>(
    meter: &mut Meter<'v>,
    args: &[Val<'v>],
    unit: i64,
    of: fn(Civil) -> i64,
) -> Result<'v> {
    match args {
        [Val::Duration(nanos)] => {
            meter.charge(1)?;
            Ok(Val::Int(nanos / unit))
        }
        _ => part(meter, args, of),
    }
}
