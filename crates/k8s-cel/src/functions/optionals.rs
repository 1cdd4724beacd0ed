//! Optional values.

use super::access::Printed;
use super::row::{Entry, row};
use super::sets::elements;
use crate::cost::meter::Meter;
use crate::values::equal::element;
use crate::values::value::{Fault, Val};

type Result<'v> = core::result::Result<Val<'v>, Fault>;

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "optional.none",
        &[row(&[" -> optional(A)"], |_, _| Ok(Val::Optional(None)))],
    ),
    (
        "optional.of",
        &[row(&["A -> optional(A)"], |_, args| {
            args.first()
                .cloned()
                .map(Val::some)
                .ok_or_else(Fault::no_such_overload)
        })],
    ),
    (
        "optional.ofNonZeroValue",
        &[row(&["A -> optional(A)"], of_non_zero)],
    ),
    (
        "hasValue",
        &[row(&["optional(A). -> bool"], |_, args| match args {
            [Val::Optional(value)] => Ok(Val::Bool(value.is_some())),
            _ => Err(Fault::no_such_overload()),
        })],
    ),
    (
        "value",
        &[row(&["optional(A). -> A"], |_, args| match args {
            [Val::Optional(Some(value))] => match &**value {
                Val::Fault(text) => Err(Fault::Error(text.clone())),
                value => Ok(value.clone()),
            },
            [Val::Optional(None)] => Err(Fault::error("optional.none() dereference")),
            _ => Err(Fault::no_such_overload()),
        })],
    ),
    (
        "first",
        &[row(OF_LIST, |m, args| at_end(m, args, |_| 0)).since(28)],
    ),
    (
        "last",
        &[row(OF_LIST, |m, args| at_end(m, args, |size| size - 1)).since(28)],
    ),
    (
        "optional.unwrap",
        &[row(&["list(optional(A)) -> list(A)"], unwrap).since(28)],
    ),
    (
        "unwrapOpt",
        &[row(&["list(optional(A)). -> list(A)"], unwrap).since(28)],
    ),
    // The machine evaluates these: the second argument runs only where it is needed.
    (
        "or",
        &[row(&["optional(A).optional(A) -> optional(A)"], lazy)],
    ),
    ("orValue", &[row(&["optional(A).A -> A"], lazy)]),
];

const OF_LIST: &[&str] = &["list(A). -> optional(A)"];

/// An element of a list, by how many there are.
fn at_end<'v>(meter: &mut Meter<'v>, args: &[Val<'v>], place: fn(usize) -> usize) -> Result<'v> {
    let [list @ (Val::List(_) | Val::Items(..) | Val::Joined(_))] = args else {
        return Err(Fault::no_such_overload());
    };
    let size = usize::try_from(list.size()).unwrap_or(usize::MAX);
    if size == 0 {
        return Ok(Val::Optional(None));
    }
    let found = element(meter.declared, list, place(size));
    // What cannot be read is there.
    let found = found.map(|found| found.unwrap_or_else(|fault| fault.as_value()));
    Ok(found.map_or(Val::Optional(None), Val::some))
}

/// What is in the optional values of a list.
fn unwrap<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list] = args else {
        return Err(Fault::no_such_overload());
    };
    let mut found = Vec::new();
    for value in elements(meter, list)? {
        match value {
            Val::Optional(Some(value)) => found.push((*value).clone()),
            Val::Optional(None) => {}
            other => {
                let other = Printed(&other);
                return Err(Fault::error(format!("value {other} is not optional")));
            }
        }
    }
    Ok(Val::list(found))
}

fn of_non_zero<'v>(_: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [value] = args else {
        return Err(Fault::no_such_overload());
    };
    let is_zero = match value {
        Val::Null => true,
        Val::Bool(value) => !value,
        Val::Int(value) => *value == 0,
        Val::Uint(value) => *value == 0,
        Val::Double(value) => *value == 0.0,
        Val::Duration(nanos) => *nanos == 0,
        Val::Timestamp(time) => time.is_first(),
        Val::Text(_) | Val::Bytes(_) | Val::List(_) | Val::Map(_) => value.size() == 0,
        _ => false,
    };
    Ok(if is_zero {
        Val::Optional(None)
    } else {
        Val::some(value.clone())
    })
}

fn lazy<'v>(_: &mut Meter<'v>, _: &[Val<'v>]) -> Result<'v> {
    Err(Fault::no_such_overload())
}
