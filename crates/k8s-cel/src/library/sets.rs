//! Lists as sets.

use super::{Entry, charge, row};
use crate::equal::{element, equal};
use crate::meter::Meter;
use crate::value::{Fault, Val};

const TWO_LISTS: &[&str] = &["list(A), list(A) -> bool"];

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "sets.contains",
        &[row(TWO_LISTS, |meter, args| {
            let [a, b] = lists(meter, args)?;
            all(meter, &b, &a).map(Val::Bool)
        })
        .costs(charge::pairs)
        .since(29)],
    ),
    (
        "sets.equivalent",
        &[row(TWO_LISTS, |meter, args| {
            let [a, b] = lists(meter, args)?;
            Ok(Val::Bool(all(meter, &a, &b)? && all(meter, &b, &a)?))
        })
        .costs(charge::pairs_twice)
        .since(29)],
    ),
    (
        "sets.intersects",
        &[row(TWO_LISTS, |meter, args| {
            let [a, b] = lists(meter, args)?;
            for value in &a {
                if has(meter, &b, value)? {
                    return Ok(Val::Bool(true));
                }
            }
            Ok(Val::Bool(false))
        })
        .costs(charge::pairs)
        .since(29)],
    ),
];

/// The elements of both lists.
fn lists<'v>(
    meter: &Meter<'v>,
    args: &[Val<'v>],
) -> core::result::Result<[Vec<Val<'v>>; 2], Fault> {
    let [a, b] = args else {
        return Err(Fault::no_such_overload());
    };
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
