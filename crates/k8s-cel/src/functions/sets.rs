//! Functions that treat lists as sets.

use super::dispatch::Dispatch;
use super::row::{ActualCost, FunctionRow, function, row};
use super::{access, actual_cost, estimated_cost};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::Feature;
use crate::values::equal::element;
use crate::values::value::{EvalError, Val};

const TWO_LISTS: &[&str] = &["list(A), list(A) -> bool"];

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "sets.contains",
        Dispatch::ByOverload,
        HiddenCost::Pairs,
        &[row(
            TWO_LISTS,
            Some(Feature::Sets),
            |tracker, args| {
                let [a, b] = two_arguments(args)?;
                contains_all(tracker, b, a).map(Val::Bool)
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
            Some(Feature::Sets),
            |tracker, args| {
                let [a, b] = two_arguments(args)?;
                Ok(Val::Bool(
                    contains_all(tracker, b, a)? && contains_all(tracker, a, b)?,
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
            Some(Feature::Sets),
            |tracker, args| {
                let [a, b] = two_arguments(args)?;
                for value in &elements(tracker, a)? {
                    match access::list_contains(tracker, b, value) {
                        Ok(true) => return Ok(Val::Bool(true)),
                        // A value that cannot be compared is not in the list.
                        Ok(false) | Err(EvalError::Expression(_)) => {}
                        Err(fatal) => return Err(fatal),
                    }
                }
                Ok(Val::Bool(false))
            },
            ActualCost::by_function(actual_cost::pairs),
            estimated_cost::pairs,
        )],
    ),
];

/// Returns the two arguments, or an error for another number of arguments.
fn two_arguments<'a, 'v>(args: &'a [Val<'v>]) -> core::result::Result<[&'a Val<'v>; 2], EvalError> {
    match args {
        [a, b] => Ok([a, b]),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// Returns the elements of a list. An invalid element becomes an error value.
pub(super) fn elements<'v>(
    tracker: &CostTracker<'v>,
    list: &Val<'v>,
) -> core::result::Result<Vec<Val<'v>>, EvalError> {
    if !matches!(
        list,
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_)
    ) {
        return Err(EvalError::no_such_overload());
    }
    let mut values = Vec::new();
    while let Some(value) = element(tracker.declared_types, list, values.len()) {
        values.push(value.unwrap_or_else(|error| error.as_value()));
    }
    Ok(values)
}

/// Returns true if `list` contains each element of `subset`.
fn contains_all<'v>(
    tracker: &CostTracker<'v>,
    subset: &Val<'v>,
    list: &Val<'v>,
) -> core::result::Result<bool, EvalError> {
    for value in &elements(tracker, subset)? {
        if !access::list_contains(tracker, list, value)? {
            return Ok(false);
        }
    }
    Ok(true)
}
