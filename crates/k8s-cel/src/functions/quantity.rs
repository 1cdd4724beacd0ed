//! Quantities such as `1.5Gi`, and the order of quantities and versions.

use core::cmp::Ordering;
use std::rc::Rc;

use k8s_go_text::quantity::{Quantity, TooLong};

use super::cost;
use super::dispatch::Dispatch;
use super::estimate;
use super::row::{ALWAYS, Cost, FunctionRow, function, row, since};
use crate::cost::work::Work;
use crate::values::opaque::Opaque;
use crate::values::value::{Fault, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, Fault>;

const TWO: &[&str] = &["Quantity.Quantity -> Quantity", "Quantity.int -> Quantity"];
const ORDER: &[&str] = &["Quantity.Quantity -> bool", "Semver.Semver -> bool"];

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "quantity",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string -> Quantity"],
            ALWAYS,
            |_, args| read(args)?.map(of_quantity).map_err(Fault::error),
            Cost::of(cost::reading),
            estimate::reading,
        )],
    ),
    function(
        "isQuantity",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string -> bool"],
            since(28),
            |_, args| Ok(Val::Bool(read(args)?.is_ok())),
            Cost::of(cost::reading),
            estimate::reading,
        )],
    ),
    function(
        "sign",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["Quantity -> int"],
            ALWAYS,
            |_, args| one(args).map(|quantity| Val::Int(quantity.sign())),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "isInteger",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["Quantity. -> bool"],
            ALWAYS,
            |_, args| one(args).map(|quantity| Val::Bool(quantity.as_integer().is_some())),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "asInteger",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["Quantity. -> int"],
            ALWAYS,
            |_, args| {
                let integer = one(args)?.as_integer().map(Val::Int);
                integer.ok_or_else(|| Fault::error("cannot convert value to integer"))
            },
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "asApproximateFloat",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["Quantity. -> double"],
            ALWAYS,
            |_, args| one(args).map(|quantity| Val::Double(quantity.as_float())),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "add",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            TWO,
            ALWAYS,
            |_, args| both(args, Quantity::plus),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "sub",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            TWO,
            ALWAYS,
            |_, args| both(args, Quantity::minus),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "isLessThan",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            ORDER,
            ALWAYS,
            |_, args| order(args).map(|order| Val::Bool(order.is_lt())),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "isGreaterThan",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            ORDER,
            ALWAYS,
            |_, args| order(args).map(|order| Val::Bool(order.is_gt())),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "compareTo",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["Quantity.Quantity -> int", "Semver.Semver -> int"],
            ALWAYS,
            |_, args| order(args).map(|order| Val::Int(order as i64)),
            Cost::ONE,
            estimate::one,
        )],
    ),
];

fn of_quantity<'v>(quantity: Quantity) -> Val<'v> {
    Val::Opaque(Opaque::Quantity(Rc::new(quantity)))
}

/// Parses a quantity, or returns the error of the parser.
fn read<'v>(args: &[Val<'v>]) -> Result<'v, core::result::Result<Quantity, &'static str>> {
    let [Val::Text(text)] = args else {
        return Err(Fault::no_such_overload());
    };
    Ok(Quantity::parse(text.as_str()))
}

fn one<'a, 'v>(args: &'a [Val<'v>]) -> Result<'v, &'a Quantity> {
    match args {
        [Val::Opaque(value)] => value.as_quantity(),
        _ => None,
    }
    .ok_or_else(Fault::no_such_overload)
}

fn both<'v>(
    args: &[Val<'v>],
    result: fn(&Quantity, &Quantity) -> core::result::Result<Quantity, TooLong>,
) -> Result<'v> {
    let [Val::Opaque(a), b] = args else {
        return Err(Fault::no_such_overload());
    };
    let a = a.as_quantity().ok_or_else(Fault::no_such_overload)?;
    let result = match b {
        Val::Int(b) => result(a, &Quantity::from(*b)),
        Val::Opaque(b) => result(a, b.as_quantity().ok_or_else(Fault::no_such_overload)?),
        _ => return Err(Fault::no_such_overload()),
    };
    // A server would go on until its memory or its time limit ends the computation.
    let result = result.map_err(|TooLong| Fault::Cost)?;
    Ok(Val::Opaque(Opaque::Sum(Rc::new(result))))
}

fn order<'v>(args: &[Val<'v>]) -> Result<'v, Ordering> {
    match args {
        [
            Val::Opaque(Opaque::Semver(a)),
            Val::Opaque(Opaque::Semver(b)),
        ] => Some(a.cmp(b)),
        [Val::Opaque(a), Val::Opaque(b)] => {
            let both = a.as_quantity().zip(b.as_quantity());
            both.map(|(a, b)| a.cmp(b))
        }
        _ => None,
    }
    .ok_or_else(Fault::no_such_overload)
}
