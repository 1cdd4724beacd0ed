//! Functions of quantities such as `1.5Gi`, and the order of quantities and versions.

use core::cmp::Ordering;
use std::rc::Rc;

use k8s_go_text::quantity::{Quantity, TooManyDigitsError};

use super::actual_cost;
use super::dispatch::Dispatch;
use super::estimated_cost;
use super::row::{ALWAYS, ActualCost, FunctionRow, function, row};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::Feature;
use crate::values::opaque::Opaque;
use crate::values::value::{EvalError, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, EvalError>;

const QUANTITY_AND_OPERAND: &[&str] =
    &["Quantity.Quantity -> Quantity", "Quantity.int -> Quantity"];
const ORDER_TESTS: &[&str] = &["Quantity.Quantity -> bool", "Semver.Semver -> bool"];

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "quantity",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[
            row(
                &["string -> Quantity"],
                ALWAYS,
                parse_quantity,
                ActualCost::ONE,
                estimated_cost::one,
            )
            .removed_by(Feature::QuantityCosts),
            row(
                &["string -> Quantity"],
                ALWAYS,
                parse_quantity,
                ActualCost::by_function(actual_cost::reading),
                estimated_cost::reading,
            )
            .language(Feature::QuantityCosts),
        ],
    ),
    function(
        "isQuantity",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[
            row(
                &["string -> bool"],
                Some(Feature::Quantities),
                is_quantity,
                ActualCost::ONE,
                estimated_cost::one,
            )
            .removed_by(Feature::QuantityCosts),
            row(
                &["string -> bool"],
                Some(Feature::Quantities),
                is_quantity,
                ActualCost::by_function(actual_cost::reading),
                estimated_cost::reading,
            )
            .language(Feature::QuantityCosts),
        ],
    ),
    function(
        "sign",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["Quantity -> int"],
            ALWAYS,
            |_, args| quantity_argument(args).map(|quantity| Val::Int(quantity.sign())),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "isInteger",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["Quantity. -> bool"],
            ALWAYS,
            |_, args| {
                quantity_argument(args).map(|quantity| Val::Bool(quantity.as_int64().is_some()))
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "asInteger",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["Quantity. -> int"],
            ALWAYS,
            |_, args| {
                let integer = quantity_argument(args)?.as_int64().map(Val::Int);
                integer.ok_or_else(|| EvalError::new("cannot convert value to integer"))
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "asApproximateFloat",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["Quantity. -> double"],
            ALWAYS,
            |_, args| {
                quantity_argument(args)
                    .map(|quantity| Val::Double(quantity.as_approximate_float64()))
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "add",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            QUANTITY_AND_OPERAND,
            ALWAYS,
            |_, args| combine(args, Quantity::plus),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "sub",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            QUANTITY_AND_OPERAND,
            ALWAYS,
            |_, args| combine(args, Quantity::minus),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "isLessThan",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            ORDER_TESTS,
            ALWAYS,
            |_, args| order(args).map(|order| Val::Bool(order.is_lt())),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "isGreaterThan",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            ORDER_TESTS,
            ALWAYS,
            |_, args| order(args).map(|order| Val::Bool(order.is_gt())),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "compareTo",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["Quantity.Quantity -> int", "Semver.Semver -> int"],
            ALWAYS,
            |_, args| order(args).map(|order| Val::Int(order as i64)),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
];

fn parse_quantity<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    parse(args)?.map(quantity_value).map_err(EvalError::new)
}

fn is_quantity<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    Ok(Val::Bool(parse(args)?.is_ok()))
}

fn quantity_value<'v>(quantity: Quantity) -> Val<'v> {
    Val::Opaque(Opaque::Quantity(Rc::new(quantity)))
}

/// Parses the argument as a quantity. The inner error is the message of the parser.
fn parse<'v>(args: &[Val<'v>]) -> Result<'v, core::result::Result<Quantity, &'static str>> {
    let [Val::String(string)] = args else {
        return Err(EvalError::no_such_overload());
    };
    Ok(Quantity::parse(string.as_str()))
}

fn quantity_argument<'a, 'v>(args: &'a [Val<'v>]) -> Result<'v, &'a Quantity> {
    match args {
        [Val::Opaque(value)] => value.as_quantity(),
        _ => None,
    }
    .ok_or_else(EvalError::no_such_overload)
}

/// Returns the sum or the difference of two quantities.
fn combine<'v>(
    args: &[Val<'v>],
    operation: fn(&Quantity, &Quantity) -> core::result::Result<Quantity, TooManyDigitsError>,
) -> Result<'v> {
    let [Val::Opaque(a), b] = args else {
        return Err(EvalError::no_such_overload());
    };
    let a = a.as_quantity().ok_or_else(EvalError::no_such_overload)?;
    let result = match b {
        Val::Int(b) => operation(a, &Quantity::from(*b)),
        Val::Opaque(b) => operation(a, b.as_quantity().ok_or_else(EvalError::no_such_overload)?),
        _ => return Err(EvalError::no_such_overload()),
    };
    // A server would continue until it exceeds its memory or its time limit.
    let result = result.map_err(|TooManyDigitsError| EvalError::CostLimit)?;
    Ok(Val::Opaque(Opaque::ComputedQuantity(Rc::new(result))))
}

fn order<'v>(args: &[Val<'v>]) -> Result<'v, Ordering> {
    match args {
        [
            Val::Opaque(Opaque::Semver(a)),
            Val::Opaque(Opaque::Semver(b)),
        ] => Some(a.cmp(b)),
        [Val::Opaque(a), Val::Opaque(b)] => {
            let quantities = a.as_quantity().zip(b.as_quantity());
            quantities.map(|(a, b)| a.cmp(b))
        }
        _ => None,
    }
    .ok_or_else(EvalError::no_such_overload)
}
