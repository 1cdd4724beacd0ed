//! Functions of lists. The rows and their functions share one file, so that a row is near its
//! function.

use core::cmp::Ordering;

use super::build::{flatten, join, join_converted, range, reverse, slice};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::functions::dispatch::{Dispatch, NoOverloadMessage};
use crate::functions::row::{
    ALWAYS, ActualCost, FunctionRow, Implementation, OverloadRow, function, row,
};
use crate::functions::sets::elements;
use crate::functions::strings::Occurrence;
use crate::functions::{actual_cost, arithmetic, estimated_cost, operators, strings};
use crate::types::feature::Feature;
use crate::values::equal::equal;
use crate::values::value::{EvalError, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, EvalError>;

const IS_SORTED: &[&str] = &[
    "list(int). -> bool",
    "list(uint). -> bool",
    "list(double). -> bool",
    "list(bool). -> bool",
    "list(duration). -> bool",
    "list(timestamp). -> bool",
    "list(string). -> bool",
    "list(bytes). -> bool",
];
const MIN_OR_MAX: &[&str] = &[
    "list(int). -> int",
    "list(uint). -> uint",
    "list(double). -> double",
    "list(bool). -> bool",
    "list(duration). -> duration",
    "list(timestamp). -> timestamp",
    "list(string). -> string",
    "list(bytes). -> bytes",
];
/// The overloads of `indexOf` and `lastIndexOf`. The first overload decides the type of an argument
/// whose type is not known.
const LIST_FIRST: &[&str] = &[
    "list(A).A -> int",
    "string.string -> int",
    "string.string, int -> int",
];
const STRING_FIRST: &[&str] = &[
    "string.string -> int",
    "string.string, int -> int",
    "list(A).A -> int",
];

/// Returns the rows of a function that searches in a list or string.
const fn search_rows(call: Implementation) -> [OverloadRow; 2] {
    let cost = ActualCost::by_function(actual_cost::deep_reading);
    let estimate = estimated_cost::deep_reading;
    [
        row(LIST_FIRST, ALWAYS, call, cost, estimate).until(Feature::Includes),
        row(STRING_FIRST, Some(Feature::Includes), call, cost, estimate),
    ]
}

const JOIN: &[&str] = &["list(string). -> string", "list(string).string -> string"];

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(in crate::functions) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "isSorted",
        Dispatch::ByOverload,
        HiddenCost::Elements,
        &[row(
            IS_SORTED,
            ALWAYS,
            is_sorted,
            ActualCost::by_function(actual_cost::deep_reading),
            estimated_cost::deep_reading,
        )],
    ),
    function(
        "sum",
        Dispatch::ByOverload,
        HiddenCost::Elements,
        &[
            row(
                &["list(int). -> int"],
                ALWAYS,
                |tracker, args| sum(tracker, args, Val::Int(0)),
                ActualCost::by_function(actual_cost::deep_reading),
                estimated_cost::deep_reading,
            ),
            row(
                &["list(uint). -> uint"],
                ALWAYS,
                |tracker, args| sum(tracker, args, Val::Uint(0)),
                ActualCost::by_function(actual_cost::deep_reading),
                estimated_cost::deep_reading,
            ),
            row(
                &["list(double). -> double"],
                ALWAYS,
                |tracker, args| sum(tracker, args, Val::Double(0.0)),
                ActualCost::by_function(actual_cost::deep_reading),
                estimated_cost::deep_reading,
            ),
            row(
                &["list(duration). -> duration"],
                ALWAYS,
                |tracker, args| sum(tracker, args, Val::Duration(0)),
                ActualCost::by_function(actual_cost::deep_reading),
                estimated_cost::deep_reading,
            ),
        ],
    ),
    function(
        "min",
        Dispatch::ByOverload,
        HiddenCost::Elements,
        &[row(
            MIN_OR_MAX,
            ALWAYS,
            |tracker, args| min_or_max(tracker, args, Ordering::Less),
            ActualCost::by_function(actual_cost::deep_reading),
            estimated_cost::deep_reading,
        )],
    ),
    function(
        "max",
        Dispatch::ByOverload,
        HiddenCost::Elements,
        &[row(
            MIN_OR_MAX,
            ALWAYS,
            |tracker, args| min_or_max(tracker, args, Ordering::Greater),
            ActualCost::by_function(actual_cost::deep_reading),
            estimated_cost::deep_reading,
        )],
    ),
    function(
        "indexOf",
        Dispatch::ByOverload,
        HiddenCost::All,
        &search_rows(|tracker, args| index_of(tracker, args, Occurrence::First)),
    )
    .unsorted(STRING_FIRST),
    function(
        "lastIndexOf",
        Dispatch::ByOverload,
        HiddenCost::All,
        &search_rows(|tracker, args| index_of(tracker, args, Occurrence::Last)),
    )
    .unsorted(STRING_FIRST),
    function(
        "includes",
        Dispatch::ByOverload,
        HiddenCost::All,
        &[row(
            &["dyn.dyn -> bool"],
            Some(Feature::Includes),
            includes,
            ActualCost::by_function(actual_cost::deep_reading),
            estimated_cost::includes,
        )],
    ),
    function(
        "join",
        Dispatch::ByOverload,
        HiddenCost::Elements,
        &[
            row(
                JOIN,
                Some(Feature::StringsVersion2),
                join,
                ActualCost::by_function(actual_cost::join),
                estimated_cost::join,
            ),
            row(
                JOIN,
                ALWAYS,
                join_converted,
                ActualCost::by_function(actual_cost::join_converted),
                estimated_cost::join,
            )
            .until(Feature::StringsVersion2),
        ],
    ),
    function(
        "slice",
        Dispatch::ByOverload,
        HiddenCost::Elements,
        &[row(
            &["list(A).int, int -> list(A)"],
            Some(Feature::ListsVersion3),
            slice,
            ActualCost::by_overload_or_one(actual_cost::slice),
            estimated_cost::slice,
        )],
    ),
    function(
        "flatten",
        Dispatch::Singleton(NoOverloadMessage::Member),
        HiddenCost::Elements,
        &[row(
            &["list(list(A)). -> list(A)", "list(dyn).int -> list(dyn)"],
            Some(Feature::ListsVersion3),
            flatten,
            ActualCost::by_overload_or_one(actual_cost::flatten),
            estimated_cost::flatten,
        )],
    ),
    function(
        "lists.range",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["int -> list(int)"],
            Some(Feature::ListsVersion3),
            range,
            ActualCost::by_overload_or_one(actual_cost::range),
            estimated_cost::range,
        )],
    ),
    function(
        "distinct",
        Dispatch::ByOverload,
        HiddenCost::Pairs,
        &[row(
            &["list(A). -> list(A)"],
            Some(Feature::ListsVersion3),
            distinct,
            ActualCost::by_overload_or_one(actual_cost::comparing),
            estimated_cost::comparing,
        )],
    ),
    function(
        "reverse",
        Dispatch::ByOverload,
        HiddenCost::Elements,
        &[row(
            &["list(A). -> list(A)"],
            Some(Feature::ListsVersion3),
            reverse,
            ActualCost::by_overload_or_one(actual_cost::copying),
            estimated_cost::copying,
        )],
    ),
    function(
        "sort",
        Dispatch::Singleton(NoOverloadMessage::NamedUnlessReceiver),
        HiddenCost::Elements,
        &[
            row(
                &[
                    "list(int). -> list(int)",
                    "list(uint). -> list(uint)",
                    "list(double). -> list(double)",
                    "list(bool). -> list(bool)",
                    "list(duration). -> list(duration)",
                    "list(timestamp). -> list(timestamp)",
                ],
                Some(Feature::ListsVersion3),
                sort,
                ActualCost::by_overload_or_one(actual_cost::comparing),
                estimated_cost::comparing,
            ),
            row(
                &[
                    "list(string). -> list(string)",
                    "list(bytes). -> list(bytes)",
                ],
                Some(Feature::ListsVersion3),
                sort,
                ActualCost::by_overload_or_one(actual_cost::comparing),
                estimated_cost::comparing_strings,
            ),
        ],
    ),
    function(
        "@sortByAssociatedKeys",
        Dispatch::Singleton(NoOverloadMessage::Named),
        HiddenCost::Elements,
        &[
            row(
                &[
                    "list(A).list(int) -> list(A)",
                    "list(A).list(uint) -> list(A)",
                    "list(A).list(double) -> list(A)",
                    "list(A).list(bool) -> list(A)",
                    "list(A).list(duration) -> list(A)",
                    "list(A).list(timestamp) -> list(A)",
                ],
                Some(Feature::ListsVersion3),
                sort_by_keys,
                ActualCost::by_overload_or_one(actual_cost::comparing_keys),
                estimated_cost::comparing_keys,
            ),
            row(
                &[
                    "list(A).list(string) -> list(A)",
                    "list(A).list(bytes) -> list(A)",
                ],
                Some(Feature::ListsVersion3),
                sort_by_keys,
                ActualCost::by_overload_or_one(actual_cost::comparing_keys),
                estimated_cost::comparing_string_keys,
            ),
        ],
    ),
];

fn is_sorted<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list] = args else {
        return Err(EvalError::no_such_overload());
    };
    let values = elements(tracker, list)?;
    if let Some(first) = values.first() {
        check_not_error(first)?;
        check_comparable(first)?;
    }
    for pair in values.windows(2) {
        // As on a server, values that cannot be compared count as sorted.
        if let [current, next] = pair {
            check_not_error(next)?;
            check_comparable(next)?;
            if matches!(operators::order(current, next), Ok(Ordering::Greater)) {
                return Ok(Val::Bool(false));
            }
        }
    }
    Ok(Val::Bool(true))
}

/// Returns the sum of a list, starting with a zero of the element type.
fn sum<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>], zero: Val<'v>) -> Result<'v> {
    let [list] = args else {
        return Err(EvalError::no_such_overload());
    };
    let values = elements(tracker, list)?;
    let mut total = zero;
    for value in values {
        check_not_error(&value)?;
        total = arithmetic::sum(&total, &value)?;
    }
    Ok(total)
}

/// Returns the smallest or the largest element. `direction` is the order of the result relative to
/// the other elements.
fn min_or_max<'v>(
    tracker: &mut CostTracker<'v>,
    args: &[Val<'v>],
    direction: Ordering,
) -> Result<'v> {
    let [list] = args else {
        return Err(EvalError::no_such_overload());
    };
    let values = elements(tracker, list)?;
    let mut values = values.into_iter();
    let name = if direction == Ordering::Less {
        "min"
    } else {
        "max"
    };
    let mut best = values
        .next()
        .ok_or_else(|| EvalError::new(format!("{name} called on empty list")))?;
    check_comparable(&best)?;
    for value in values {
        check_not_error(&value)?;
        check_comparable(&value)?;
        // As on a server, values that cannot be compared are skipped.
        if matches!(operators::order(&value, &best), Ok(order) if order == direction) {
            best = value;
        }
    }
    Ok(best)
}

/// Returns the index of an element in a list, or of a substring in a string. Returns -1 if the list
/// or string does not contain the value.
fn index_of<'v>(
    tracker: &mut CostTracker<'v>,
    args: &[Val<'v>],
    occurrence: Occurrence,
) -> Result<'v> {
    match args {
        [Val::String(string), Val::String(substring)] => {
            strings::index_of(tracker, string, substring, None, occurrence)
        }
        [
            Val::String(string),
            Val::String(substring),
            Val::Int(offset),
        ] => strings::index_of(tracker, string, substring, Some(*offset), occurrence),
        [list, needle] => {
            let values = elements(tracker, list)?;
            let mut position = -1;
            for (index, value) in (0_i64..).zip(&values) {
                // A value that cannot be compared counts as unequal.
                if equal_without_errors(equal(tracker.declared_types, value, needle))? {
                    position = index;
                    if occurrence == Occurrence::First {
                        break;
                    }
                }
            }
            Ok(Val::Int(position))
        }
        _ => Err(EvalError::no_such_overload()),
    }
}

/// Returns true if a list contains an element. A value that is not a list contains only itself.
fn includes<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [container, needle] = args else {
        return Err(EvalError::no_such_overload());
    };
    let values = match elements(tracker, container) {
        Ok(elements) => elements,
        Err(_) => vec![container.clone()],
    };
    for value in &values {
        if equal_without_errors(equal(tracker.declared_types, value, needle))? {
            return Ok(Val::Bool(true));
        }
    }
    Ok(Val::Bool(false))
}

/// Returns the elements that do not equal an earlier element.
fn distinct<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list] = args else {
        return Err(EvalError::no_such_overload());
    };
    let values = elements(tracker, list)?;
    if values.is_empty() {
        return Ok(list.clone());
    }
    let mut distinct_values: Vec<Val<'v>> = Vec::new();
    for value in values {
        let mut is_new = true;
        for other in &distinct_values {
            if equal_without_errors(equal(tracker.declared_types, &value, other))? {
                is_new = false;
                break;
            }
        }
        if is_new {
            distinct_values.push(value);
        }
    }
    Ok(Val::list(distinct_values))
}

/// Returns the result of a comparison, or false for values that cannot be compared.
fn equal_without_errors(equal: Result<'_, bool>) -> Result<'_, bool> {
    match equal {
        Err(EvalError::Expression(_)) => Ok(false),
        equal => equal,
    }
}

/// Returns the error of an element that is an error value.
fn check_not_error(value: &Val<'_>) -> core::result::Result<(), EvalError> {
    match value {
        Val::Error(message) => Err(EvalError::Expression(message.clone())),
        _ => Ok(()),
    }
}

fn sort<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list] = args else {
        return Err(EvalError::no_such_overload());
    };
    let values = elements(tracker, list)?;
    if values.is_empty() {
        return Ok(list.clone());
    }
    sorted(values.clone(), values)
}

fn sort_by_keys<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list, keys] = args else {
        return Err(EvalError::no_such_overload());
    };
    let values = elements(tracker, list)?;
    sorted(values, elements(tracker, keys)?)
}

/// Returns the values sorted by their keys.
fn sorted<'v>(values: Vec<Val<'v>>, keys: Vec<Val<'v>>) -> Result<'v> {
    if values.len() != keys.len() {
        return Err(EvalError::new(format!(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got {} and {} elements respectively",
            values.len(),
            keys.len()
        )));
    }
    if let Some(first) = keys.first() {
        if !is_comparable(first) {
            return Err(EvalError::new("list elements must be comparable"));
        }
        if keys.iter().any(|key| key.type_name() != first.type_name()) {
            return Err(EvalError::new("list elements must have the same type"));
        }
    }
    let mut pairs: Vec<(Val<'v>, Val<'v>)> = keys.into_iter().zip(values).collect();
    if pairs.iter().any(|(key, _)| is_nan(key)) {
        insertion_sort(&mut pairs);
    } else {
        pairs.sort_by(|(a, _), (b, _)| operators::order(a, b).unwrap_or(Ordering::Equal));
    }
    Ok(Val::list(
        pairs.into_iter().map(|(_, value)| value).collect(),
    ))
}

/// Returns true if the value has an ordered type.
const fn is_comparable(value: &Val<'_>) -> bool {
    matches!(
        value,
        Val::Bool(_)
            | Val::Int(_)
            | Val::Uint(_)
            | Val::Double(_)
            | Val::String(_)
            | Val::Bytes(_)
            | Val::Timestamp(_)
            | Val::Duration(_)
    )
}

fn check_comparable(value: &Val<'_>) -> core::result::Result<(), EvalError> {
    if is_comparable(value) {
        Ok(())
    } else {
        Err(EvalError::no_such_overload())
    }
}

const fn is_nan(value: &Val<'_>) -> bool {
    matches!(value, Val::Double(value) if value.is_nan())
}

/// Sorts pairs by their keys with the insertion sort that a server uses for lists of up to 12
/// elements, so that NaN keys have the same effect. For longer lists, the effect may differ. The
/// cost of the list bounds the quadratic work.
fn insertion_sort(pairs: &mut [(Val<'_>, Val<'_>)]) {
    for end in 1..pairs.len() {
        let Some(sorted) = pairs.get_mut(..=end) else {
            return;
        };
        for index in (1..=end).rev() {
            match sorted.get(index - 1..=index) {
                Some([(previous, _), (key, _)])
                    if matches!(operators::order(key, previous), Ok(Ordering::Less)) =>
                {
                    sorted.swap(index - 1, index);
                }
                _ => break,
            }
        }
    }
}
