//! Arithmetic: sums, differences, products and quotients.

use std::rc::Rc;

use super::actual_cost;
use super::call_form::CallForm;
use super::dispatch::{Dispatch, NoOverloadMessage, Trait};
use super::estimated_cost;
use super::operators::no_overload;
use super::row::{ALWAYS, ActualCost, FunctionRow, check_list_length, function, row};
use super::sets::elements;
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::Feature;
use crate::values::value::AppendedList;
use crate::values::value::{EvalError, Val};

type Result<'v> = core::result::Result<Val<'v>, EvalError>;

/// The signatures of an operator of numbers in the order of an old server.
const UNSORTED_NUMBERS: &[&str] = &[
    "int, int -> int",
    "uint, uint -> uint",
    "double, double -> double",
];

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "-_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Negater)),
        HiddenCost::Strings,
        &[row(
            &["double -> double", "int -> int"],
            ALWAYS,
            negate,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .unsorted(&["int -> int", "double -> double"]),
    function(
        "_+_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Adder)),
        HiddenCost::Strings,
        &[
            row(
                &["bytes, bytes -> bytes"],
                ALWAYS,
                add,
                ActualCost::by_overload_or_one(actual_cost::string_concatenation),
                estimated_cost::string_concatenation,
            ),
            row(
                &[
                    "double, double -> double",
                    "duration, duration -> duration",
                    "duration, timestamp -> timestamp",
                    "timestamp, duration -> timestamp",
                    "int, int -> int",
                ],
                ALWAYS,
                add,
                ActualCost::ONE,
                estimated_cost::one,
            ),
            row(
                &["list(A), list(A) -> list(A)"],
                ALWAYS,
                add,
                ActualCost::ONE,
                estimated_cost::list_concatenation,
            ),
            row(
                &["string, string -> string"],
                ALWAYS,
                add,
                ActualCost::by_overload_or_one(actual_cost::string_concatenation),
                estimated_cost::string_concatenation,
            ),
            row(
                &["uint, uint -> uint"],
                ALWAYS,
                add,
                ActualCost::ONE,
                estimated_cost::one,
            ),
        ],
    )
    .form(CallForm::Add)
    .unsorted(&[
        "int, int -> int",
        "uint, uint -> uint",
        "double, double -> double",
        "string, string -> string",
        "bytes, bytes -> bytes",
        "list(A), list(A) -> list(A)",
        "timestamp, duration -> timestamp",
        "duration, timestamp -> timestamp",
        "duration, duration -> duration",
    ]),
    function(
        "_-_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Subtractor)),
        HiddenCost::Strings,
        &[row(
            &[
                "double, double -> double",
                "duration, duration -> duration",
                "int, int -> int",
                "timestamp, duration -> timestamp",
                "timestamp, timestamp -> duration",
                "uint, uint -> uint",
            ],
            ALWAYS,
            subtract,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .unsorted(&[
        "int, int -> int",
        "uint, uint -> uint",
        "double, double -> double",
        "timestamp, timestamp -> duration",
        "timestamp, duration -> timestamp",
        "duration, duration -> duration",
    ]),
    function(
        "_*_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Multiplier)),
        HiddenCost::Strings,
        &[row(
            &[
                "double, double -> double",
                "int, int -> int",
                "uint, uint -> uint",
            ],
            ALWAYS,
            multiply,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .unsorted(UNSORTED_NUMBERS),
    function(
        "_/_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Divider)),
        HiddenCost::Strings,
        &[row(
            &[
                "double, double -> double",
                "int, int -> int",
                "uint, uint -> uint",
            ],
            ALWAYS,
            divide,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .unsorted(UNSORTED_NUMBERS),
    function(
        "_%_",
        Dispatch::Singleton(NoOverloadMessage::Operator(Trait::Modder)),
        HiddenCost::Strings,
        &[row(
            &["int, int -> int", "uint, uint -> uint"],
            ALWAYS,
            modulo,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
];

/// Returns the error of a result outside of the range of its type.
fn overflow(operand_type: &str) -> EvalError {
    EvalError::new(format!("{operand_type} overflow"))
}

fn int_or_overflow<'v>(value: Option<i64>) -> Result<'v> {
    value.map(Val::Int).ok_or_else(|| overflow("integer"))
}

fn uint_or_overflow<'v>(value: Option<u64>) -> Result<'v> {
    value
        .map(Val::Uint)
        .ok_or_else(|| overflow("unsigned integer"))
}

fn duration_or_overflow<'v>(value: Option<i64>) -> Result<'v> {
    value.map(Val::Duration).ok_or_else(|| overflow("integer"))
}

fn negate<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Int(value)] => int_or_overflow(value.checked_neg()),
        [Val::Double(value)] => Ok(Val::Double(-value)),
        [Val::Duration(nanos)] => duration_or_overflow(nanos.checked_neg()),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn add<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [a, b] = args else {
        return no_overload(tracker, args);
    };
    match (a, b) {
        (Val::String(a), Val::String(b)) => Ok(Val::string([a.as_str(), b.as_str()].concat())),
        (Val::Bytes(a), Val::Bytes(b)) => Ok(Val::Bytes([&**a, &**b].concat().into())),
        (Val::Timestamp(time), Val::Duration(nanos))
        | (Val::Duration(nanos), Val::Timestamp(time)) => time
            .checked_add_nanos(*nanos)
            .map(Val::Timestamp)
            .ok_or_else(|| overflow("timestamp")),
        (
            Val::List(_) | Val::JsonList(..) | Val::AppendedList(_),
            Val::List(_) | Val::JsonList(..) | Val::AppendedList(_),
        ) => concat(tracker, a, b),
        _ => sum(a, b),
    }
}

/// Returns the sum of two numbers or durations.
pub(super) fn sum<'v>(a: &Val<'v>, b: &Val<'v>) -> Result<'v> {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => int_or_overflow(a.checked_add(*b)),
        (Val::Uint(a), Val::Uint(b)) => uint_or_overflow(a.checked_add(*b)),
        (Val::Double(a), Val::Double(b)) => Ok(Val::Double(a + b)),
        (Val::Duration(a), Val::Duration(b)) => duration_or_overflow(a.checked_add(*b)),
        _ => Err(EvalError::no_such_overload()),
    }
}

/// Concatenates two lists. If the left list is a JSON list, the result is an [`AppendedList`],
/// except for an atomic list on a server that has [`ConvertedSums`](Feature::ConvertedSums).
fn concat<'v>(tracker: &mut CostTracker<'v>, a: &Val<'v>, b: &Val<'v>) -> Result<'v> {
    let size = a.size().saturating_add(b.size());
    check_list_length(size)?;
    // No copy is needed if one of the lists is empty.
    if let Val::List(values) = a {
        if values.is_empty() {
            return Ok(b.clone());
        }
        if b.size() == 0 {
            return Ok(a.clone());
        }
    }
    if let Val::JsonList(_, id) = a
        && tracker.declared_types.is_atomic_list(*id)
        && tracker.declared_types.has(Feature::ConvertedSums)
    {
        tracker.charge_hidden(size)?;
        let mut values = elements(tracker, a)?;
        values.extend(elements(tracker, b)?);
        return Ok(Val::list(values));
    }
    if let Some(appended) = AppendedList::from_list(tracker.declared_types, a) {
        tracker.charge_hidden(appended.hidden_cost(tracker.declared_types, b))?;
        return appended
            .with_appended(tracker.declared_types, b)
            .map(|sum| Val::AppendedList(Rc::new(sum)));
    }
    // Several intermediate lists may exist at once, so the limit is stricter.
    check_list_length(size.saturating_mul(4))?;
    tracker.charge_hidden(size)?;
    let mut values = elements(tracker, a)?;
    values.extend(elements(tracker, b)?);
    Ok(Val::concat(values))
}

fn subtract<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Int(a), Val::Int(b)] => int_or_overflow(a.checked_sub(*b)),
        [Val::Uint(a), Val::Uint(b)] => uint_or_overflow(a.checked_sub(*b)),
        [Val::Double(a), Val::Double(b)] => Ok(Val::Double(a - b)),
        [Val::Duration(a), Val::Duration(b)] => duration_or_overflow(a.checked_sub(*b)),
        [Val::Timestamp(a), Val::Timestamp(b)] => duration_or_overflow(a.checked_sub(*b)),
        [Val::Timestamp(time), Val::Duration(nanos)] => {
            let nanos = nanos.checked_neg().ok_or_else(|| overflow("integer"))?;
            let time = time.checked_add_nanos(nanos).map(Val::Timestamp);
            time.ok_or_else(|| overflow("timestamp"))
        }
        _ => Err(EvalError::no_such_overload()),
    }
}

fn multiply<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Int(a), Val::Int(b)] => int_or_overflow(a.checked_mul(*b)),
        [Val::Uint(a), Val::Uint(b)] => uint_or_overflow(a.checked_mul(*b)),
        [Val::Double(a), Val::Double(b)] => Ok(Val::Double(a * b)),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn divide<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Int(_), Val::Int(0)] | [Val::Uint(_), Val::Uint(0)] => {
            Err(EvalError::new("division by zero"))
        }
        [Val::Int(a), Val::Int(b)] => int_or_overflow(a.checked_div(*b)),
        [Val::Uint(a), Val::Uint(b)] => uint_or_overflow(a.checked_div(*b)),
        [Val::Double(a), Val::Double(b)] => Ok(Val::Double(a / b)),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn modulo<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Int(_), Val::Int(0)] | [Val::Uint(_), Val::Uint(0)] => {
            Err(EvalError::new("modulus by zero"))
        }
        [Val::Int(a), Val::Int(b)] => int_or_overflow(a.checked_rem(*b)),
        [Val::Uint(a), Val::Uint(b)] => uint_or_overflow(a.checked_rem(*b)),
        _ => Err(EvalError::no_such_overload()),
    }
}
