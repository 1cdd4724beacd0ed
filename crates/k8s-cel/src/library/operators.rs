//! Logic, equality and order.

use core::cmp::Ordering;

use super::Entry;
use crate::equal::{compare_numbers, equal};
use crate::machine::Machine;
use crate::value::{Fault, Val};

type Result<'v> = core::result::Result<Val<'v>, Fault>;

const ORDER: &[&str] = &[
    "bool, bool -> bool",
    "int, int -> bool",
    "int, double -> bool",
    "int, uint -> bool",
    "uint, uint -> bool",
    "uint, double -> bool",
    "uint, int -> bool",
    "double, double -> bool",
    "double, int -> bool",
    "double, uint -> bool",
    "string, string -> bool",
    "bytes, bytes -> bool",
    "timestamp, timestamp -> bool",
    "duration, duration -> bool",
];

pub(super) const FUNCTIONS: &[Entry] = &[
    ("!_", &["bool -> bool"], not),
    ("_==_", &["A, A -> bool"], equals),
    ("_!=_", &["A, A -> bool"], differs),
    ("_<_", ORDER, |m, args| compare(m, args, Ordering::is_lt)),
    ("_<=_", ORDER, |m, args| compare(m, args, Ordering::is_le)),
    ("_>_", ORDER, |m, args| compare(m, args, Ordering::is_gt)),
    ("_>=_", ORDER, |m, args| compare(m, args, Ordering::is_ge)),
    // These are evaluated by the machine itself.
    ("_&&_", &["bool, bool -> bool"], no_overload),
    ("_||_", &["bool, bool -> bool"], no_overload),
    ("_?_:_", &["bool, A, A -> A"], no_overload),
    ("@not_strictly_false", &["bool -> bool"], no_overload),
];

pub(super) fn no_overload<'v>(_: &mut Machine<'v>, _: &[Val<'v>]) -> Result<'v> {
    Err(Fault::no_such_overload())
}

fn not<'v>(machine: &mut Machine<'v>, args: &[Val<'v>]) -> Result<'v> {
    machine.charge(1)?;
    match args {
        [Val::Bool(value)] => Ok(Val::Bool(!value)),
        _ => Err(Fault::no_such_overload()),
    }
}

fn are_equal<'v>(machine: &mut Machine<'v>, args: &[Val<'v>]) -> core::result::Result<bool, Fault> {
    let [a, b] = args else {
        return Err(Fault::no_such_overload());
    };
    if matches!(a, Val::Foreign(_) | Val::Quantity(_)) {
        machine.charge(1)?;
    } else {
        machine.charge_tenths(a.size().min(b.size()))?;
    }
    equal(machine.declared, a, b)
}

fn equals<'v>(machine: &mut Machine<'v>, args: &[Val<'v>]) -> Result<'v> {
    are_equal(machine, args).map(Val::Bool)
}

fn differs<'v>(machine: &mut Machine<'v>, args: &[Val<'v>]) -> Result<'v> {
    match are_equal(machine, args) {
        // As upstream has it, what cannot be compared differs.
        Err(Fault::Error(_)) => Ok(Val::Bool(true)),
        equal => equal.map(|equal| Val::Bool(!equal)),
    }
}

fn compare<'v>(
    machine: &mut Machine<'v>,
    args: &[Val<'v>],
    wanted: fn(Ordering) -> bool,
) -> Result<'v> {
    let [a, b] = args else {
        return no_overload(machine, args);
    };
    match (a, b) {
        (Val::Text(_), Val::Text(_)) | (Val::Bytes(_), Val::Bytes(_)) => {
            machine.charge_tenths(a.size().min(b.size()))?;
        }
        _ => machine.charge(1)?,
    }
    order(a, b).map(|order| Val::Bool(wanted(order)))
}

/// The order of two values.
pub(super) fn order(a: &Val<'_>, b: &Val<'_>) -> core::result::Result<Ordering, Fault> {
    Ok(match (a, b) {
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
