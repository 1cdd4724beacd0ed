//! Logic, equality and order.

use core::cmp::Ordering;

use super::cost;
use super::row::{Entry, row};
use crate::cost::meter::Meter;
use crate::values::equal::{compare_numbers, equal};
use crate::values::value::{Fault, Val};

type Result<'v> = core::result::Result<Val<'v>, Fault>;

/// The rows of an operator that compares. Numbers of different types have an order since 1.28.
macro_rules! ordered {
    ($wanted:path) => {
        &[
            row(&["bool, bool -> bool", "int, int -> bool"], |_, args| {
                compare(args, $wanted)
            })
            .orders($wanted),
            row(&["int, double -> bool", "int, uint -> bool"], |_, args| {
                compare(args, $wanted)
            })
            .since(28),
            row(&["uint, uint -> bool"], |_, args| compare(args, $wanted)),
            row(&["uint, double -> bool", "uint, int -> bool"], |_, args| {
                compare(args, $wanted)
            })
            .since(28),
            row(&["double, double -> bool"], |_, args| {
                compare(args, $wanted)
            }),
            row(
                &["double, int -> bool", "double, uint -> bool"],
                |_, args| compare(args, $wanted),
            )
            .since(28),
            row(
                &["string, string -> bool", "bytes, bytes -> bool"],
                |_, args| compare(args, $wanted),
            )
            .costs_if_known(cost::comparison),
            row(
                &["timestamp, timestamp -> bool", "duration, duration -> bool"],
                |_, args| compare(args, $wanted),
            ),
        ]
    };
}

pub(super) const FUNCTIONS: &[Entry] = &[
    // This one, `&&`, `||` and the choice are evaluated by the machine itself.
    ("!_", &[row(&["bool -> bool"], no_overload)]),
    (
        "_==_",
        &[row(&["A, A -> bool"], equals).costs(cost::equality)],
    ),
    (
        "_!=_",
        &[row(&["A, A -> bool"], differs).costs(cost::comparison)],
    ),
    ("_<_", ordered!(Ordering::is_lt)),
    ("_<=_", ordered!(Ordering::is_le)),
    ("_>_", ordered!(Ordering::is_gt)),
    ("_>=_", ordered!(Ordering::is_ge)),
    ("_&&_", &[row(&["bool, bool -> bool"], no_overload)]),
    ("_||_", &[row(&["bool, bool -> bool"], no_overload)]),
    ("_?_:_", &[row(&["bool, A, A -> A"], no_overload)]),
    (
        "@not_strictly_false",
        &[row(&["bool -> bool"], no_overload)],
    ),
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
        // As upstream has it, what cannot be compared differs.
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

/// The order of two values.
pub(super) fn order(a: &Val<'_>, b: &Val<'_>) -> core::result::Result<Ordering, Fault> {
    Ok(match (a, b) {
        // What is not a number does not even ask for the type of the other.
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
