//! Lists as sets.

use super::{Entry, row};
use crate::equal::{element, equal};
use crate::meter::Meter;
use crate::value::{Fault, Val};

const TWO_LISTS: &[&str] = &["list(A), list(A) -> bool"];

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "sets.contains",
        &[row(TWO_LISTS, |meter, args| {
            let [a, b] = lists(meter, args, 1)?;
            all(meter, &b, &a).map(Val::Bool)
        })
        .since(29)],
    ),
    (
        "sets.equivalent",
        &[row(TWO_LISTS, |meter, args| {
            let [a, b] = lists(meter, args, 2)?;
            Ok(Val::Bool(all(meter, &a, &b)? && all(meter, &b, &a)?))
        })
        .since(29)],
    ),
    (
        "sets.intersects",
        &[row(TWO_LISTS, |meter, args| {
            let [a, b] = lists(meter, args, 1)?;
            for value in &a {
                if has(meter, &b, value)? {
                    return Ok(Val::Bool(true));
                }
            }
            Ok(Val::Bool(false))
        })
        .since(29)],
    ),
];

/// The elements of both lists. Each is compared with each, which is what it costs.
fn lists<'v>(
    meter: &mut Meter<'v>,
    args: &[Val<'v>],
    times: u64,
) -> core::result::Result<[Vec<Val<'v>>; 2], Fault> {
    let [a, b] = args else {
        return Err(Fault::no_such_overload());
    };
    let cost = a.size().saturating_mul(b.size()).saturating_mul(times);
    meter.charge(cost.saturating_add(1))?;
    Ok([elements(meter, a)?, elements(meter, b)?])
}

pub(super) fn elements<'v>(
    meter: &Meter<'v>,
    list: &Val<'v>,
) -> core::result::Result<Vec<Val<'v>>, Fault> {
    if !matches!(list, Val::List(_) | Val::Items(..) | Val::Joined(_)) {
        return Err(Fault::no_such_overload());
    }
    let mut values = Vec::new();
    while let Some(value) = element(meter.declared, list, values.len()) {
        values.push(value?);
    }
    Ok(values)
}

/// The elements, where one that cannot be read stands for its error.
pub(super) fn read_or_faulty<'v>(
    meter: &Meter<'v>,
    list: &Val<'v>,
) -> core::result::Result<Vec<Val<'v>>, Fault> {
    if !matches!(list, Val::List(_) | Val::Items(..) | Val::Joined(_)) {
        return Err(Fault::no_such_overload());
    }
    let mut values = Vec::new();
    while let Some(value) = element(meter.declared, list, values.len()) {
        values.push(value.unwrap_or_else(|fault| fault.as_value()));
    }
    Ok(values)
}

fn has<'v>(
    meter: &Meter<'v>,
    list: &[Val<'v>],
    value: &Val<'v>,
) -> core::result::Result<bool, Fault> {
    for other in list {
        if equal(meter.declared, other, value)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether all of one are in the other.
fn all<'v>(
    meter: &Meter<'v>,
    of: &[Val<'v>],
    within: &[Val<'v>],
) -> core::result::Result<bool, Fault> {
    for value in of {
        if !has(meter, within, value)? {
            return Ok(false);
        }
    }
    Ok(true)
}
