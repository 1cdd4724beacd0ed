//! Logic, equality and order.

use core::cmp::Ordering;

use super::cost;
use super::dispatch::{Dispatch, NoOverload, Trait};
use super::estimate;
use super::form::Form;
use super::row::{ALWAYS, Cost, FunctionRow, function, row, since};
use crate::cost::meter::Meter;
use crate::cost::work::Work;
use crate::values::equal::{compare_numbers, equal};
use crate::values::value::{Fault, Val};

type Result<'v> = core::result::Result<Val<'v>, Fault>;

/// The rows of a comparison operator. Numbers of different types have an order since 1.28.
macro_rules! ordered {
    ($wanted:path) => {
        &[
            row(
                &["bool, bool -> bool", "int, int -> bool"],
                ALWAYS,
                |_, args| compare(args, $wanted),
                Cost::ONE,
                estimate::one,
            )
            .orders($wanted),
            row(
                &["int, double -> bool", "int, uint -> bool"],
                since(28),
                |_, args| compare(args, $wanted),
                Cost::ONE,
                estimate::one,
            )
            .early_in_loops(),
            row(
                &["uint, uint -> bool"],
                ALWAYS,
                |_, args| compare(args, $wanted),
                Cost::ONE,
                estimate::one,
            ),
            row(
                &["uint, double -> bool", "uint, int -> bool"],
                since(28),
                |_, args| compare(args, $wanted),
                Cost::ONE,
                estimate::one,
            )
            .early_in_loops(),
            row(
                &["double, double -> bool"],
                ALWAYS,
                |_, args| compare(args, $wanted),
                Cost::ONE,
                estimate::one,
            ),
            row(
                &["double, int -> bool", "double, uint -> bool"],
                since(28),
                |_, args| compare(args, $wanted),
                Cost::ONE,
                estimate::one,
            )
            .early_in_loops(),
            row(
                &["string, string -> bool", "bytes, bytes -> bool"],
                ALWAYS,
                |_, args| compare(args, $wanted),
                Cost::if_known(cost::comparison),
                estimate::comparison,
            ),
            row(
                &["timestamp, timestamp -> bool", "duration, duration -> bool"],
                ALWAYS,
                |_, args| compare(args, $wanted),
                Cost::ONE,
                estimate::one,
            ),
        ]
    };
}

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    // The machine itself evaluates `!`, `&&`, `||` and `?:`.
    function(
        "!_",
        Dispatch::Shared(NoOverload::Unnamed),
        Work::Texts,
        &[row(
            &["bool -> bool"],
            ALWAYS,
            no_overload,
            Cost::ONE,
            estimate::one,
        )],
    )
    .form(Form::Not),
    function(
        "_==_",
        Dispatch::Shared(NoOverload::Operator(Trait::Equality)),
        Work::All,
        &[row(
            &["A, A -> bool"],
            ALWAYS,
            equals,
            Cost::of(cost::equality),
            estimate::equality,
        )],
    )
    .form(Form::Equal),
    function(
        "_!=_",
        Dispatch::Shared(NoOverload::Operator(Trait::Equality)),
        Work::All,
        &[row(
            &["A, A -> bool"],
            ALWAYS,
            differs,
            Cost::of(cost::comparison),
            estimate::comparison,
        )],
    )
    .form(Form::NotEqual),
    function(
        "_<_",
        Dispatch::Shared(NoOverload::Operator(Trait::Comparer)),
        Work::Texts,
        ordered!(Ordering::is_lt),
    ),
    function(
        "_<=_",
        Dispatch::Shared(NoOverload::Operator(Trait::Comparer)),
        Work::Texts,
        ordered!(Ordering::is_le),
    ),
    function(
        "_>_",
        Dispatch::Shared(NoOverload::Operator(Trait::Comparer)),
        Work::Texts,
        ordered!(Ordering::is_gt),
    ),
    function(
        "_>=_",
        Dispatch::Shared(NoOverload::Operator(Trait::Comparer)),
        Work::Texts,
        ordered!(Ordering::is_ge),
    ),
    function(
        "_&&_",
        Dispatch::Shared(NoOverload::Unnamed),
        Work::Texts,
        &[row(
            &["bool, bool -> bool"],
            ALWAYS,
            no_overload,
            Cost::ONE,
            estimate::one,
        )],
    )
    .form(Form::And),
    function(
        "_||_",
        Dispatch::Shared(NoOverload::Unnamed),
        Work::Texts,
        &[row(
            &["bool, bool -> bool"],
            ALWAYS,
            no_overload,
            Cost::ONE,
            estimate::one,
        )],
    )
    .form(Form::Or),
    function(
        "_?_:_",
        Dispatch::Shared(NoOverload::Unnamed),
        Work::Texts,
        &[row(
            &["bool, A, A -> A"],
            ALWAYS,
            no_overload,
            Cost::ONE,
            estimate::one,
        )],
    )
    .form(Form::Conditional),
    function(
        "@not_strictly_false",
        Dispatch::Shared(NoOverload::Typed),
        Work::Texts,
        &[row(
            &["bool -> bool"],
            ALWAYS,
            no_overload,
            Cost::ONE,
            estimate::one,
        )],
    )
    .form(Form::NotStrictlyFalse),
];

pub(super) fn no_overload<'v>(_: &mut Meter<'v>, _: &[Val<'v>]) -> Result<'v> {
    Err(Fault::no_such_overload())
}

fn are_equal<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> core::result::Result<bool, Fault> {
    let [a, b] = args else {
        return Err(Fault::no_such_overload());
    };
    equal(meter.declared, a, b)
}

fn equals<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    are_equal(meter, args).map(Val::Bool)
}

fn differs<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    match are_equal(meter, args) {
        // As in cel-go, values that cannot be compared differ.
        Err(Fault::Error(_)) => Ok(Val::Bool(true)),
        equal => equal.map(|equal| Val::Bool(!equal)),
    }
}

fn compare<'v>(args: &[Val<'v>], wanted: fn(Ordering) -> bool) -> Result<'v> {
    let [a, b] = args else {
        return Err(Fault::no_such_overload());
    };
    order(a, b).map(|order| Val::Bool(wanted(order)))
}

/// Returns the order of two values.
pub(super) fn order(a: &Val<'_>, b: &Val<'_>) -> core::result::Result<Ordering, Fault> {
    Ok(match (a, b) {
        // NaN fails before the type of the other value is checked.
        (Val::Double(a), _) if a.is_nan() => {
            return Err(Fault::error("NaN values cannot be ordered"));
        }
        (Val::Bool(a), Val::Bool(b)) => a.cmp(b),
        (Val::Text(a), Val::Text(b)) => a.as_str().cmp(b.as_str()),
        (Val::Bytes(a), Val::Bytes(b)) => a.cmp(b),
        (Val::Timestamp(a), Val::Timestamp(b)) => a.cmp(b),
        (Val::Duration(a), Val::Duration(b)) => a.cmp(b),
        (
            Val::Int(_) | Val::Uint(_) | Val::Double(_),
            Val::Int(_) | Val::Uint(_) | Val::Double(_),
        ) => {
            return match compare_numbers(a, b) {
                Some(order) => Ok(order),
                None => Err(Fault::error("NaN values cannot be ordered")),
            };
        }
        _ => return Err(Fault::no_such_overload()),
    })
}
