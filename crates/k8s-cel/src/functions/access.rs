//! Functions of lists and maps: index, `in` and `insert`.

use super::call_form::CallForm;
use super::dispatch::{Dispatch, NoOverloadMessage};
use super::operators::no_overload;
use super::row::{ALWAYS, ActualCost, FunctionRow, function, row, since};
use super::{actual_cost, estimated_cost};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::declared::DeclaredTypes;
use crate::types::feature::Feature;
use crate::values::equal::{
    check_hashable, element, entry, entry_at, equal, key_position, keys, to_equal_int,
};
use crate::values::go_print::{GoFormatted, declared_go_type};
use crate::values::value::{EvalError, Val};

type Result<'v> = core::result::Result<Val<'v>, EvalError>;

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "@in",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::All,
        &[
            row(
                &["A, list(A) -> bool"],
                ALWAYS,
                contains,
                ActualCost::by_overload_or_one(actual_cost::second),
                estimated_cost::second,
            ),
            row(
                &["A, map(A, B) -> bool"],
                ALWAYS,
                contains,
                ActualCost::ONE,
                estimated_cost::one,
            ),
        ],
    )
    .form(CallForm::In),
    function(
        "_[_]",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[row(
            &[
                "list(A), int -> A",
                "map(A, B), A -> B",
                "optional(list(A)), int -> optional(A)",
                "optional(map(A, B)), A -> optional(B)",
            ],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .form(CallForm::Index),
    function(
        "_[?_]",
        Dispatch::Singleton(NoOverloadMessage::Unnamed),
        HiddenCost::Strings,
        &[row(
            &[
                "list(A), int -> optional(A)",
                "optional(list(A)), int -> optional(A)",
                "map(A, B), A -> optional(B)",
                "optional(map(A, B)), A -> optional(B)",
            ],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    )
    .form(CallForm::OptionalIndex),
    function(
        "cel.@mapInsert",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &[
                "map(A, B), A, B -> map(A, B)",
                "map(A, B), map(A, B) -> map(A, B)",
            ],
            since(Feature::TwoVariableMacros),
            insert,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
];

/// Returns true if a list contains an element. A list of the object compares its elements with the
/// wanted value, and a failed comparison is an error unless an element is equal. A list that an
/// expression created compares the wanted value with its elements, and ignores failed comparisons.
pub(crate) fn list_contains<'v>(
    meter: &CostTracker<'v>,
    list: &Val<'v>,
    wanted: &Val<'v>,
) -> core::result::Result<bool, EvalError> {
    let is_made = matches!(list, Val::List(_));
    // The server does not search a list of the object for an error.
    if let (false, Val::Error(why)) = (is_made, wanted) {
        return Err(EvalError::Expression(why.clone()));
    }
    let mut fault = None;
    let elements = (0_usize..).map_while(|at| element(meter.declared, list, at));
    for value in elements {
        let found = match value {
            Ok(value) if is_made => equal(meter.declared, wanted, &value),
            value => value.and_then(|value| match (&value, wanted) {
                // The comparison is a method of the element, and null has another type than a list
                // or map.
                (
                    Val::JsonObject(..)
                    | Val::Map(_)
                    | Val::JsonList(..)
                    | Val::AppendedList(_)
                    | Val::List(_),
                    Val::Null,
                ) => Err(EvalError::no_such_overload()),
                _ => equal(meter.declared, &value, wanted),
            }),
        };
        match found {
            Ok(true) => return Ok(true),
            Err(stop @ (EvalError::CostLimit | EvalError::ServerPanic(_))) => return Err(stop),
            Err(error) if !is_made => {
                fault.get_or_insert(error);
            }
            _ => {}
        }
    }
    fault.map_or(Ok(false), Err)
}

fn contains<'v>(meter: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [wanted, within] = args else {
        return no_overload(meter, args);
    };
    match within {
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => {
            list_contains(meter, within, wanted).map(Val::Bool)
        }
        Val::Map(_) | Val::JsonObject(..) => {
            if let Val::Map(entries) = within
                && !entries.is_empty()
            {
                check_hashable(wanted)?;
            }
            match entry(meter.declared, within, wanted) {
                Some(Err(fault)) => Err(fault),
                found => Ok(Val::Bool(found.is_some())),
            }
        }
        _ => Err(EvalError::no_such_overload()),
    }
}

/// Returns the value under a key; `None` if the key is absent and `need_not_be` is true.
pub(crate) fn index<'v>(
    meter: &CostTracker<'v>,
    of: &Val<'v>,
    key: &Val<'v>,
    need_not_be: bool,
) -> core::result::Result<Option<core::result::Result<Val<'v>, EvalError>>, EvalError> {
    check_key(meter.declared, key)?;
    let found = match of {
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => {
            let at = number(key).ok_or_else(|| match key {
                Val::Double(_) | Val::Uint(_) => EvalError::new(format!(
                    "unsupported index value {} in list",
                    GoFormatted(key)
                )),
                key => no_index(key.type_name()),
            })?;
            let place = usize::try_from(at).ok();
            match place.and_then(|at| element(meter.declared, of, at)) {
                None if !need_not_be => {
                    return Err(EvalError::new(format!(
                        "index out of bounds: {}",
                        GoFormatted(key)
                    )));
                }
                // Lists of the object accept only integers.
                Some(_) if !matches!((of, key), (Val::List(_), _) | (_, Val::Int(_))) => {
                    Some(Err(EvalError::new(format!("unsupported index: {at}"))))
                }
                found => found,
            }
        }
        // The server reports an invalid element as present, and an invalid entry as an error.
        Val::Map(_) | Val::JsonObject(..) => entry(meter.declared, of, key).transpose()?.map(Ok),
        Val::Error(text) => return Err(EvalError::Expression(text.clone())),
        // A scalar does not contain anything.
        _ => None,
    };
    match found {
        None if need_not_be => Ok(None),
        None => Err(no_such_key(key)),
        found => Ok(found),
    }
}

/// Returns an error unless the key is of a type that can be looked up.
pub(crate) fn check_key(
    declared: &DeclaredTypes,
    key: &Val<'_>,
) -> core::result::Result<(), EvalError> {
    match key {
        Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Double(_) | Val::String(_) => Ok(()),
        key => Err(EvalError::new(format!(
            "invalid qualifier type: {}",
            declared_go_type(declared, key)
        ))),
    }
}

/// Returns the error for a missing key.
pub(crate) fn no_such_key(key: &Val<'_>) -> EvalError {
    EvalError::new(format!("no such key: {}", GoFormatted(key)))
}

/// Returns the error for an index of a wrong type.
pub(crate) fn no_index(type_name: &str) -> EvalError {
    EvalError::new(format!("unsupported index type '{type_name}' in list"))
}

/// Returns the index of an element.
fn number(value: &Val<'_>) -> Option<i64> {
    match value {
        Val::Int(value) => Some(*value),
        Val::Uint(value) => i64::try_from(*value).ok(),
        Val::Double(value) => to_equal_int(*value),
        _ => None,
    }
}

/// Adds entries to a map.
fn insert<'v>(meter: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (map, more) = match args {
        [Val::Map(map), key, value] => (map, vec![(key.clone(), value.clone())]),
        [Val::Map(map), more @ (Val::Map(_) | Val::JsonObject(..))] => {
            let entries = keys(meter.declared, more).into_iter().enumerate();
            let entries = entries.filter_map(|(at, key)| {
                let found = entry_at(meter.declared, more, at, &key)?;
                Some((key, found.unwrap_or_else(|fault| fault.as_value())))
            });
            (map, entries.collect())
        }
        _ => return Err(EvalError::no_such_overload()),
    };
    // This code copies and searches the map. The server need not do either.
    meter.charge_hidden(map.len() as u64 / 4)?;
    let mut map: Vec<_> = map.to_vec();
    for (key, value) in more {
        if key_position(meter.declared, &map, &key).is_some() {
            return Err(EvalError::new(format!(
                "insert failed: key {} already exists",
                GoFormatted(&key)
            )));
        }
        map.push((key, value));
    }
    Ok(Val::extended_map(map))
}
