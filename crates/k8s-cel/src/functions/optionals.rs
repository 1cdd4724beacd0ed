//! Functions of optional values.

use super::dispatch::Dispatch;
use super::estimate;
use super::form::Form;
use super::row::{ALWAYS, Cost, FunctionRow, function, row, since};
use super::sets::elements;
use crate::cost::meter::Meter;
use crate::cost::work::Work;
use crate::values::equal::element;
use crate::values::go_print::Printed;
use crate::values::value::{Fault, Val};

type Result<'v> = core::result::Result<Val<'v>, Fault>;

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "optional.none",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &[" -> optional(A)"],
            ALWAYS,
            |_, _| Ok(Val::Optional(None)),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "optional.of",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["A -> optional(A)"],
            ALWAYS,
            |_, args| {
                args.first()
                    .cloned()
                    .map(Val::some)
                    .ok_or_else(Fault::no_such_overload)
            },
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "optional.ofNonZeroValue",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["A -> optional(A)"],
            ALWAYS,
            of_non_zero,
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "hasValue",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["optional(A). -> bool"],
            ALWAYS,
            |_, args| match args {
                [Val::Optional(value)] => Ok(Val::Bool(value.is_some())),
                _ => Err(Fault::no_such_overload()),
            },
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "value",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["optional(A). -> A"],
            ALWAYS,
            |_, args| match args {
                [Val::Optional(Some(value))] => match &**value {
                    Val::Fault(text) => Err(Fault::Error(text.clone())),
                    value => Ok(value.clone()),
                },
                [Val::Optional(None)] => Err(Fault::error("optional.none() dereference")),
                _ => Err(Fault::no_such_overload()),
            },
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "first",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_LIST,
            since(28),
            |m, args| at_end(m, args, |_| 0),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "last",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_LIST,
            since(28),
            |m, args| at_end(m, args, |size| size - 1),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "optional.unwrap",
        Dispatch::ByOverload,
        Work::Elements,
        &[row(
            &["list(optional(A)) -> list(A)"],
            since(28),
            unwrap,
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "unwrapOpt",
        Dispatch::ByOverload,
        Work::Elements,
        &[row(
            &["list(optional(A)). -> list(A)"],
            since(28),
            unwrap,
            Cost::ONE,
            estimate::one,
        )],
    ),
    // The machine evaluates these functions: the second argument runs only if it is needed.
    function(
        "or",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["optional(A).optional(A) -> optional(A)"],
            ALWAYS,
            lazy,
            Cost::ONE,
            estimate::one,
        )],
    )
    .form(Form::OptionalOr),
    function(
        "orValue",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["optional(A).A -> A"],
            ALWAYS,
            lazy,
            Cost::ONE,
            estimate::one,
        )],
    )
    .form(Form::OptionalOrValue),
];

const OF_LIST: &[&str] = &["list(A). -> optional(A)"];

/// Returns an element of a list at a position that depends on the size of the list.
fn at_end<'v>(meter: &mut Meter<'v>, args: &[Val<'v>], place: fn(usize) -> usize) -> Result<'v> {
    let [list @ (Val::List(_) | Val::Items(..) | Val::Joined(_))] = args else {
        return Err(Fault::no_such_overload());
    };
    let size = usize::try_from(list.size()).unwrap_or(usize::MAX);
    if size == 0 {
        return Ok(Val::Optional(None));
    }
    let found = element(meter.declared, list, place(size));
    // An invalid element is present.
    let found = found.map(|found| found.unwrap_or_else(|fault| fault.as_value()));
    Ok(found.map_or(Val::Optional(None), Val::some))
}

/// Returns the values inside the optional values of a list.
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
