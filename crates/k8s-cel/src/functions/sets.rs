//! Functions of lists as sets.

use super::dispatch::Dispatch;
use super::row::{Cost, FunctionRow, function, row, since};
use super::{access, cost, estimate};
use crate::cost::meter::Meter;
use crate::cost::work::Work;
use crate::values::equal::element;
use crate::values::value::{Fault, Val};

const TWO_LISTS: &[&str] = &["list(A), list(A) -> bool"];

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "sets.contains",
        Dispatch::ByOverload,
        Work::Pairs,
        &[row(
            TWO_LISTS,
            since(29),
            |meter, args| {
                let [a, b] = lists(args)?;
                all(meter, b, a).map(Val::Bool)
            },
            Cost::of(cost::pairs),
            estimate::pairs,
        )],
    ),
    function(
        "sets.equivalent",
        Dispatch::ByOverload,
        Work::Pairs,
        &[row(
            TWO_LISTS,
            since(29),
            |meter, args| {
                let [a, b] = lists(args)?;
                Ok(Val::Bool(all(meter, b, a)? && all(meter, a, b)?))
            },
            Cost::of(cost::pairs_twice),
            estimate::pairs_twice,
        )],
    ),
    function(
        "sets.intersects",
        Dispatch::ByOverload,
        Work::Pairs,
        &[row(
            TWO_LISTS,
            since(29),
            |meter, args| {
                let [a, b] = lists(args)?;
                for value in &elements(meter, a)? {
                    match access::has(meter, b, value) {
                        Ok(true) => return Ok(Val::Bool(true)),
                        // A value that cannot be compared is not in the list.
                        Ok(false) | Err(Fault::Error(_)) => {}
                        Err(stop) => return Err(stop),
                    }
                }
                Ok(Val::Bool(false))
            },
            Cost::of(cost::pairs),
            estimate::pairs,
        )],
    ),
];

/// Returns the two lists.
fn lists<'a, 'v>(args: &'a [Val<'v>]) -> core::result::Result<[&'a Val<'v>; 2], Fault> {
    match args {
        [a, b] => Ok([a, b]),
        _ => Err(Fault::no_such_overload()),
    }
}

/// Returns the elements of a list, with an error value for each invalid element.
pub(super) fn elements<'v>(
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

/// Returns true if the second list contains each element of the first list.
fn all<'v>(meter: &Meter<'v>, of: &Val<'v>, within: &Val<'v>) -> core::result::Result<bool, Fault> {
    for value in &elements(meter, of)? {
        if !access::has(meter, within, value)? {
            return Ok(false);
        }
    }
    Ok(true)
}
