//! Arithmetic: sums, differences, products and quotients.

use std::rc::Rc;

use super::cost;
use super::dispatch::{Dispatch, NoOverload, Trait};
use super::estimate;
use super::form::Form;
use super::operators::no_overload;
use super::row::{ALWAYS, Cost, FunctionRow, check_count, function, row};
use super::sets::elements;
use crate::cost::meter::Meter;
use crate::cost::work::Work;
use crate::values::value::Joined;
use crate::values::value::{Fault, Val};

type Result<'v> = core::result::Result<Val<'v>, Fault>;

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "-_",
        Dispatch::Shared(NoOverload::Operator(Trait::Negater)),
        Work::Texts,
        &[row(
            &["double -> double", "int -> int"],
            ALWAYS,
            negate,
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "_+_",
        Dispatch::Shared(NoOverload::Operator(Trait::Adder)),
        Work::Texts,
        &[
            row(
                &["bytes, bytes -> bytes"],
                ALWAYS,
                add,
                Cost::if_known(cost::joining),
                estimate::joining,
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
                Cost::ONE,
                estimate::one,
            ),
            row(
                &["list(A), list(A) -> list(A)"],
                ALWAYS,
                add,
                Cost::ONE,
                estimate::concatenation,
            ),
            row(
                &["string, string -> string"],
                ALWAYS,
                add,
                Cost::if_known(cost::joining),
                estimate::joining,
            ),
            row(
                &["uint, uint -> uint"],
                ALWAYS,
                add,
                Cost::ONE,
                estimate::one,
            ),
        ],
    )
    .form(Form::Add),
    function(
        "_-_",
        Dispatch::Shared(NoOverload::Operator(Trait::Subtractor)),
        Work::Texts,
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
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "_*_",
        Dispatch::Shared(NoOverload::Operator(Trait::Multiplier)),
        Work::Texts,
        &[row(
            &[
                "double, double -> double",
                "int, int -> int",
                "uint, uint -> uint",
            ],
            ALWAYS,
            multiply,
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "_/_",
        Dispatch::Shared(NoOverload::Operator(Trait::Divider)),
        Work::Texts,
        &[row(
            &[
                "double, double -> double",
                "int, int -> int",
                "uint, uint -> uint",
            ],
            ALWAYS,
            divide,
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "_%_",
        Dispatch::Shared(NoOverload::Operator(Trait::Modder)),
        Work::Texts,
        &[row(
            &["int, int -> int", "uint, uint -> uint"],
            ALWAYS,
            modulo,
            Cost::ONE,
            estimate::one,
        )],
    ),
];

fn overflow(what: &str) -> Fault {
    Fault::error(format!("{what} overflow"))
}

fn int<'v>(value: Option<i64>) -> Result<'v> {
    value.map(Val::Int).ok_or_else(|| overflow("integer"))
}

fn uint<'v>(value: Option<u64>) -> Result<'v> {
    value
        .map(Val::Uint)
        .ok_or_else(|| overflow("unsigned integer"))
}

fn duration<'v>(value: Option<i64>) -> Result<'v> {
    value.map(Val::Duration).ok_or_else(|| overflow("integer"))
}

fn negate<'v>(_: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Int(value)] => int(value.checked_neg()),
        [Val::Double(value)] => Ok(Val::Double(-value)),
        [Val::Duration(nanos)] => duration(nanos.checked_neg()),
        _ => Err(Fault::no_such_overload()),
    }
}

fn add<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [a, b] = args else {
        return no_overload(meter, args);
    };
    match (a, b) {
        (Val::Text(a), Val::Text(b)) => Ok(Val::text([a.as_str(), b.as_str()].concat())),
        (Val::Bytes(a), Val::Bytes(b)) => Ok(Val::Bytes([&**a, &**b].concat().into())),
        (Val::Timestamp(time), Val::Duration(nanos))
        | (Val::Duration(nanos), Val::Timestamp(time)) => time
            .plus(*nanos)
            .map(Val::Timestamp)
            .ok_or_else(|| overflow("timestamp")),
        (
            Val::List(_) | Val::Items(..) | Val::Joined(_),
            Val::List(_) | Val::Items(..) | Val::Joined(_),
        ) => concat(meter, a, b),
        _ => sum(a, b),
    }
}

/// Returns the sum of two numbers or durations.
pub(super) fn sum<'v>(a: &Val<'v>, b: &Val<'v>) -> Result<'v> {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => int(a.checked_add(*b)),
        (Val::Uint(a), Val::Uint(b)) => uint(a.checked_add(*b)),
        (Val::Double(a), Val::Double(b)) => Ok(Val::Double(a + b)),
        (Val::Duration(a), Val::Duration(b)) => duration(a.checked_add(*b)),
        _ => Err(Fault::no_such_overload()),
    }
}

/// Concatenates two lists. A list that is added to a list of the object becomes a part of it.
fn concat<'v>(meter: &mut Meter<'v>, a: &Val<'v>, b: &Val<'v>) -> Result<'v> {
    let size = a.size().saturating_add(b.size());
    check_count(size)?;
    // A list that is concatenated with an empty list stays as it is.
    if let Val::List(values) = a {
        if values.is_empty() {
            return Ok(b.clone());
        }
        if b.size() == 0 {
            return Ok(a.clone());
        }
    }
    if let Some(joined) = Joined::of(meter.declared, a) {
        meter.work(joined.work(meter.declared, b))?;
        return joined
            .plus(meter.declared, b)
            .map(|sum| Val::Joined(Rc::new(sum)));
    }
    // Several lists may exist at once.
    check_count(size.saturating_mul(4))?;
    meter.work(size)?;
    let mut values = elements(meter, a)?;
    values.extend(elements(meter, b)?);
    Ok(Val::sum(values))
}

fn subtract<'v>(_: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Int(a), Val::Int(b)] => int(a.checked_sub(*b)),
        [Val::Uint(a), Val::Uint(b)] => uint(a.checked_sub(*b)),
        [Val::Double(a), Val::Double(b)] => Ok(Val::Double(a - b)),
        [Val::Duration(a), Val::Duration(b)] => duration(a.checked_sub(*b)),
        [Val::Timestamp(a), Val::Timestamp(b)] => duration(a.minus(*b)),
        [Val::Timestamp(time), Val::Duration(nanos)] => {
            let nanos = nanos.checked_neg().ok_or_else(|| overflow("integer"))?;
            let time = time.plus(nanos).map(Val::Timestamp);
            time.ok_or_else(|| overflow("timestamp"))
        }
        _ => Err(Fault::no_such_overload()),
    }
}

fn multiply<'v>(_: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Int(a), Val::Int(b)] => int(a.checked_mul(*b)),
        [Val::Uint(a), Val::Uint(b)] => uint(a.checked_mul(*b)),
        [Val::Double(a), Val::Double(b)] => Ok(Val::Double(a * b)),
        _ => Err(Fault::no_such_overload()),
    }
}

fn divide<'v>(_: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Int(_), Val::Int(0)] | [Val::Uint(_), Val::Uint(0)] => {
            Err(Fault::error("division by zero"))
        }
        [Val::Int(a), Val::Int(b)] => int(a.checked_div(*b)),
        [Val::Uint(a), Val::Uint(b)] => uint(a.checked_div(*b)),
        [Val::Double(a), Val::Double(b)] => Ok(Val::Double(a / b)),
        _ => Err(Fault::no_such_overload()),
    }
}

fn modulo<'v>(_: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    match args {
        [Val::Int(_), Val::Int(0)] | [Val::Uint(_), Val::Uint(0)] => {
            Err(Fault::error("modulus by zero"))
        }
        [Val::Int(a), Val::Int(b)] => int(a.checked_rem(*b)),
        [Val::Uint(a), Val::Uint(b)] => uint(a.checked_rem(*b)),
        _ => Err(Fault::no_such_overload()),
    }
}
