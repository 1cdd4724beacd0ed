//! Lists as sets.

use super::Entry;
use crate::equal::{element, equal};
use crate::machine::Machine;
use crate::value::{Fault, Val};

const TWO_LISTS: &[&str] = &["list(A), list(A) -> bool"];

pub(super) const FUNCTIONS: &[Entry] = &[
    ("sets.contains", TWO_LISTS, |machine, args| {
        let [a, b] = lists(machine, args, 1)?;
        all(machine, &b, &a).map(Val::Bool)
    }),
    ("sets.equivalent", TWO_LISTS, |machine, args| {
        let [a, b] = lists(machine, args, 2)?;
        Ok(Val::Bool(all(machine, &a, &b)? && all(machine, &b, &a)?))
    }),
    ("sets.intersects", TWO_LISTS, |machine, args| {
        let [a, b] = lists(machine, args, 1)?;
        for value in &a {
            if has(machine, &b, value)? {
                return Ok(Val::Bool(true));
            }
        }
        Ok(Val::Bool(false))
    }),
];

/// The elements of both lists. Each is compared with each, which is what it costs.
fn lists<'v>(
    machine: &mut Machine<'v>,
    args: &[Val<'v>],
    times: u64,
) -> core::result::Result<[Vec<Val<'v>>; 2], Fault> {
    let [a, b] = args else {
        return Err(Fault::no_such_overload());
    };
    let cost = a.size().saturating_mul(b.size()).saturating_mul(times);
    machine.charge(cost.saturating_add(1))?;
    Ok([elements(machine, a)?, elements(machine, b)?])
}

pub(super) fn elements<'v>(
    machine: &Machine<'v>,
    list: &Val<'v>,
) -> core::result::Result<Vec<Val<'v>>, Fault> {
    if !matches!(list, Val::List(_) | Val::Items(..)) {
        return Err(Fault::no_such_overload());
    }
    let mut values = Vec::new();
    while let Some(value) = element(machine.declared, list, values.len()) {
        values.push(value?);
    }
    Ok(values)
}

fn has<'v>(
    machine: &Machine<'v>,
    list: &[Val<'v>],
    value: &Val<'v>,
) -> core::result::Result<bool, Fault> {
    for other in list {
        if equal(machine.declared, other, value)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether all of one are in the other.
fn all<'v>(
    machine: &Machine<'v>,
    of: &[Val<'v>],
    within: &[Val<'v>],
) -> core::result::Result<bool, Fault> {
    for value in of {
        if !has(machine, within, value)? {
            return Ok(false);
        }
    }
    Ok(true)
}
