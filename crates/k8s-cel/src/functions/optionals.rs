//! Functions of optional values.

use super::call_form::CallForm;
use super::dispatch::Dispatch;
use super::estimated_cost;
use super::operators::no_overload;
use super::row::{ALWAYS, ActualCost, FunctionRow, function, row};
use super::sets::elements;
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::Feature;
use crate::values::equal::element;
use crate::values::go_print::GoFormatted;
use crate::values::value::{EvalError, Val};

type Result<'v> = core::result::Result<Val<'v>, EvalError>;

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "optional.none",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &[" -> optional(A)"],
            ALWAYS,
            |_, _| Ok(Val::Optional(None)),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "optional.of",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["A -> optional(A)"],
            ALWAYS,
            |_, args| {
                args.first()
                    .cloned()
                    .map(Val::some)
                    .ok_or_else(EvalError::no_such_overload)
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "optional.ofNonZeroValue",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["A -> optional(A)"],
            ALWAYS,
            of_non_zero_value,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "hasValue",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["optional(A). -> bool"],
            ALWAYS,
            |_, args| match args {
                [Val::Optional(value)] => Ok(Val::Bool(value.is_some())),
                _ => Err(EvalError::no_such_overload()),
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "value",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["optional(A). -> A"],
            ALWAYS,
            |_, args| match args {
                [Val::Optional(Some(value))] => match &**value {
                    Val::Error(message) => Err(EvalError::Expression(message.clone())),
                    value => Ok(value.clone()),
                },
                [Val::Optional(None)] => Err(EvalError::new("optional.none() dereference")),
                _ => Err(EvalError::no_such_overload()),
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "first",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            LIST_TO_OPTIONAL,
            Some(Feature::Optionals),
            |tracker, args| optional_element(tracker, args, |_| 0),
            ActualCost::ONE,
            estimated_cost::one,
        )
        .language(Feature::OptionalsVersion2)],
    ),
    function(
        "last",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            LIST_TO_OPTIONAL,
            Some(Feature::Optionals),
            |tracker, args| optional_element(tracker, args, |size| size - 1),
            ActualCost::ONE,
            estimated_cost::one,
        )
        .language(Feature::OptionalsVersion2)],
    ),
    function(
        "optional.unwrap",
        Dispatch::ByOverload,
        HiddenCost::Elements,
        &[row(
            &["list(optional(A)) -> list(A)"],
            Some(Feature::Optionals),
            unwrap,
            ActualCost::ONE,
            estimated_cost::one,
        )
        .language(Feature::OptionalsVersion2)],
    ),
    function(
        "unwrapOpt",
        Dispatch::ByOverload,
        HiddenCost::Elements,
        &[row(
            &["list(optional(A)). -> list(A)"],
            Some(Feature::Optionals),
            unwrap,
            ActualCost::ONE,
            estimated_cost::one,
        )
        .language(Feature::OptionalsVersion2)],
    ),
    // The interpreter evaluates these functions, and runs the second argument only if it is needed.
    function(
        "or",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["optional(A).optional(A) -> optional(A)"],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .form(CallForm::OptionalOr),
    function(
        "orValue",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["optional(A).A -> A"],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .form(CallForm::OptionalOrValue),
];

const LIST_TO_OPTIONAL: &[&str] = &["list(A). -> optional(A)"];

/// Returns the element whose index `position` computes from the size of the list; the absent
/// optional value for an empty list.
fn optional_element<'v>(
    tracker: &mut CostTracker<'v>,
    args: &[Val<'v>],
    position: fn(usize) -> usize,
) -> Result<'v> {
    let [list @ (Val::List(_) | Val::JsonList(..) | Val::AppendedList(_))] = args else {
        return Err(EvalError::no_such_overload());
    };
    let size = usize::try_from(list.size()).unwrap_or(usize::MAX);
    if size == 0 {
        return Ok(Val::Optional(None));
    }
    let value = element(tracker.declared_types, list, position(size));
    // An invalid element is a present error value.
    let value = value.map(|value| value.unwrap_or_else(|error| error.as_value()));
    Ok(value.map_or(Val::Optional(None), Val::some))
}

/// Returns the content of each present optional value of a list.
fn unwrap<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list] = args else {
        return Err(EvalError::no_such_overload());
    };
    let mut values = Vec::new();
    for value in elements(tracker, list)? {
        match value {
            Val::Optional(Some(value)) => values.push((*value).clone()),
            Val::Optional(None) => {}
            other => {
                let other = GoFormatted(&other);
                return Err(EvalError::new(format!("value {other} is not optional")));
            }
        }
    }
    Ok(Val::list(values))
}

/// Returns the argument as an optional value, which is absent for the zero value of the type. As on
/// a server, a JSON list or object is never a zero value.
fn of_non_zero_value<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [value] = args else {
        return Err(EvalError::no_such_overload());
    };
    let is_zero = match value {
        Val::Null => true,
        Val::Bool(value) => !value,
        Val::Int(value) => *value == 0,
        Val::Uint(value) => *value == 0,
        Val::Double(value) => *value == 0.0,
        Val::Duration(nanos) => *nanos == 0,
        Val::Timestamp(time) => time.is_zero(),
        Val::String(_) | Val::Bytes(_) | Val::List(_) | Val::Map(_) => value.size() == 0,
        _ => false,
    };
    Ok(if is_zero {
        Val::Optional(None)
    } else {
        Val::some(value.clone())
    })
}
