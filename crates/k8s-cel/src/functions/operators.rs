//! Logical operators, equality and order.

use core::cmp::Ordering;

use super::actual_cost;
use super::call_form::CallForm;
use super::dispatch::{Dispatch, NoOverloadMessage, Trait};
use super::estimated_cost;
use super::row::{ALWAYS, ActualCost, FunctionRow, function, row};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::Feature;
use crate::values::equal::{compare_numbers, equal};
use crate::values::value::{EvalError, Val};

type Result<'v> = core::result::Result<Val<'v>, EvalError>;

/// The rows of an order operator. Servers compare numbers of different types since 1.28.
macro_rules! order_rows {
    ($accepts:path) => {
        &[
            row(
                &["bool, bool -> bool", "int, int -> bool"],
                ALWAYS,
                |_, args| compare(args, $accepts),
                ActualCost::ONE,
                estimated_cost::one,
            )
            .order_test($accepts),
            row(
                &["int, double -> bool", "int, uint -> bool"],
                Some(Feature::MixedComparisons),
                |_, args| compare(args, $accepts),
                ActualCost::ONE,
                estimated_cost::one,
            )
            .early_in_loops(),
            row(
                &["uint, uint -> bool"],
                ALWAYS,
                |_, args| compare(args, $accepts),
                ActualCost::ONE,
                estimated_cost::one,
            ),
            row(
                &["uint, double -> bool", "uint, int -> bool"],
                Some(Feature::MixedComparisons),
                |_, args| compare(args, $accepts),
                ActualCost::ONE,
                estimated_cost::one,
            )
            .early_in_loops(),
            row(
                &["double, double -> bool"],
                ALWAYS,
                |_, args| compare(args, $accepts),
                ActualCost::ONE,
                estimated_cost::one,
            ),
            row(
                &["double, int -> bool", "double, uint -> bool"],
                Some(Feature::MixedComparisons),
                |_, args| compare(args, $accepts),
                ActualCost::ONE,
                estimated_cost::one,
            )
            .early_in_loops(),
            row(
                &["string, string -> bool", "bytes, bytes -> bool"],
                ALWAYS,
                |_, args| compare(args, $accepts),
                ActualCost::by_overload_or_one(actual_cost::comparison),
                estimated_cost::comparison,
            ),
            row(
                &["timestamp, timestamp -> bool", "duration, duration -> bool"],
                ALWAYS,
                |_, args| compare(args, $accepts),
                ActualCost::ONE,
                estimated_cost::one,
            ),
        ]
    };
}

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    // The interpreter evaluates `!`, `&&`, `||` and `?:` without these functions.
    function(
        "!_",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[row(
            &["bool -> bool"],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .form(CallForm::Not),
    function(
        "_==_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Equality)),
        HiddenCost::All,
        &[
            row(
                &["A, A -> bool"],
                ALWAYS,
                equals,
                ActualCost::by_function(actual_cost::comparison),
                estimated_cost::comparison,
            )
            .removed_by(Feature::OpaqueEqualityCosts),
            row(
                &["A, A -> bool"],
                ALWAYS,
                equals,
                ActualCost::by_function(actual_cost::equality),
                estimated_cost::equality,
            )
            .language(Feature::OpaqueEqualityCosts),
        ],
    )
    .form(CallForm::Equal),
    function(
        "_!=_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Equality)),
        HiddenCost::All,
        &[row(
            &["A, A -> bool"],
            ALWAYS,
            not_equals,
            ActualCost::by_function(actual_cost::comparison),
            estimated_cost::comparison,
        )],
    )
    .form(CallForm::NotEqual),
    function(
        "_<_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Comparer)),
        HiddenCost::Strings,
        order_rows!(Ordering::is_lt),
    ),
    function(
        "_<=_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Comparer)),
        HiddenCost::Strings,
        order_rows!(Ordering::is_le),
    ),
    function(
        "_>_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Comparer)),
        HiddenCost::Strings,
        order_rows!(Ordering::is_gt),
    ),
    function(
        "_>=_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Comparer)),
        HiddenCost::Strings,
        order_rows!(Ordering::is_ge),
    ),
    function(
        "_&&_",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[row(
            &["bool, bool -> bool"],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .form(CallForm::And),
    function(
        "_||_",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[row(
            &["bool, bool -> bool"],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .form(CallForm::Or),
    function(
        "_?_:_",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[row(
            &["bool, A, A -> A"],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .form(CallForm::Conditional),
    function(
        "@not_strictly_false",
        Dispatch::Singleton(NoOverloadMessage::Typed),
        HiddenCost::Strings,
        &[row(
            &["bool -> bool"],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .form(CallForm::NotStrictlyFalse),
];

pub(super) fn no_overload<'v>(_: &mut CostTracker<'v>, _: &[Val<'v>]) -> Result<'v> {
    Err(EvalError::no_such_overload())
}

fn are_equal<'v>(
    tracker: &mut CostTracker<'v>,
    args: &[Val<'v>],
) -> core::result::Result<bool, EvalError> {
    let [a, b] = args else {
        return Err(EvalError::no_such_overload());
    };
    equal(tracker.declared_types, a, b)
}

fn equals<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    are_equal(tracker, args).map(Val::Bool)
}

fn not_equals<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match are_equal(tracker, args) {
        // As in cel-go, values that cannot be compared are not equal.
        Err(EvalError::Expression(_)) => Ok(Val::Bool(true)),
        equal => equal.map(|equal| Val::Bool(!equal)),
    }
}

fn compare<'v>(args: &[Val<'v>], accepts: fn(Ordering) -> bool) -> Result<'v> {
    let [a, b] = args else {
        return Err(EvalError::no_such_overload());
    };
    order(a, b).map(|order| Val::Bool(accepts(order)))
}

/// Returns the order of two values.
pub(super) fn order(a: &Val<'_>, b: &Val<'_>) -> core::result::Result<Ordering, EvalError> {
    Ok(match (a, b) {
        // As on a server, NaN is reported before the type of the right operand is checked.
        (Val::Double(a), _) if a.is_nan() => {
            return Err(EvalError::new("NaN values cannot be ordered"));
        }
        (Val::Bool(a), Val::Bool(b)) => a.cmp(b),
        (Val::String(a), Val::String(b)) => a.as_str().cmp(b.as_str()),
        (Val::Bytes(a), Val::Bytes(b)) => a.cmp(b),
        (Val::Timestamp(a), Val::Timestamp(b)) => a.cmp(b),
        (Val::Duration(a), Val::Duration(b)) => a.cmp(b),
        (
            Val::Int(_) | Val::Uint(_) | Val::Double(_),
            Val::Int(_) | Val::Uint(_) | Val::Double(_),
        ) => {
            return match compare_numbers(a, b) {
                Some(order) => Ok(order),
                None => Err(EvalError::new("NaN values cannot be ordered")),
            };
        }
        _ => return Err(EvalError::no_such_overload()),
    })
}
