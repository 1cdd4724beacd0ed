//! Functions of lists as sets.

use super::dispatch::Dispatch;
use super::row::{ActualCost, FunctionRow, function, row, since};
use super::{access, actual_cost, estimated_cost};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::Feature;
use crate::values::equal::element;
use crate::values::value::{EvalError, Val};

const TWO_LISTS: &[&str] = &["list(A), list(A) -> bool"];

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "sets.contains",
        Dispatch::ByOverload,
        HiddenCost::Pairs,
        &[row(
            TWO_LISTS,
            since(Feature::Sets),
            |meter, args| {
                let [a, b] = lists(args)?;
                contains_all(meter, b, a).map(Val::Bool)
            },
            ActualCost::by_function(actual_cost::pairs),
            estimated_cost::pairs,
        )],
    ),
    function(
        "sets.equivalent",
        Dispatch::ByOverload,
        HiddenCost::Pairs,
        &[row(
            TWO_LISTS,
            since(Feature::Sets),
            |meter, args| {
                let [a, b] = lists(args)?;
                Ok(Val::Bool(
                    contains_all(meter, b, a)? && contains_all(meter, a, b)?,
                ))
            },
            ActualCost::by_function(actual_cost::pairs_twice),
            estimated_cost::pairs_twice,
        )],
    ),
    function(
        "sets.intersects",
        Dispatch::ByOverload,
        HiddenCost::Pairs,
        &[row(
            TWO_LISTS,
            since(Feature::Sets),
            |meter, args| {
                let [a, b] = lists(args)?;
                for value in &elements(meter, a)? {
                    match access::list_contains(meter, b, value) {
                        Ok(true) => return Ok(Val::Bool(true)),
                        // A value that cannot be compared is not in the list.
                        Ok(false) | Err(EvalError::Expression(_)) => {}
                        Err(stop) => return Err(stop),
                    }
                }
                Ok(Val::Bool(false))
            },
            ActualCost::by_function(actual_cost::pairs),
            estimated_cost::pairs,
        )],
    ),
];

/// Returns the two lists.
fn lists<'a, 'v>(args: &'a [Val<'v>]) -> core::result::Result<[&'a Val<'v>; 2], EvalError> {
    match args {
        [a, b] => Ok([a, b]),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// Returns the elements of a list, with an error value for each invalid element.
pub(super) fn elements<'v>(
    meter: &CostTracker<'v>,
    list: &Val<'v>,
) -> core::result::Result<Vec<Val<'v>>, EvalError> {
    if !matches!(
        list,
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_)
    ) {
        return Err(EvalError::no_such_overload());
    }
    let mut values = Vec::new();
    while let Some(value) = element(meter.declared, list, values.len()) {
        values.push(value.unwrap_or_else(|fault| fault.as_value()));
    }
    Ok(values)
}

/// Returns true if the second list contains each element of the first list.
fn contains_all<'v>(
    meter: &CostTracker<'v>,
    of: &Val<'v>,
    within: &Val<'v>,
) -> core::result::Result<bool, EvalError> {
    for value in &elements(meter, of)? {
        if !access::list_contains(meter, within, value)? {
            return Ok(false);
        }
    }
    Ok(true)
}
