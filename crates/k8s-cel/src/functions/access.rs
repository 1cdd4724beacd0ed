//! Functions of lists and maps: index, `in` and insertion.

use super::call_form::CallForm;
use super::dispatch::{Dispatch, NoOverloadMessage};
use super::operators::no_overload;
use super::row::{ALWAYS, ActualCost, FunctionRow, function, row};
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

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
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
                ActualCost::by_overload_or_one(actual_cost::second_elements),
                estimated_cost::second_elements_or_half,
            )
            .removed_by(Feature::UnknownListSizes),
            row(
                &["A, list(A) -> bool"],
                ALWAYS,
                contains,
                ActualCost::by_overload_or_one(actual_cost::second_elements),
                estimated_cost::second_elements,
            )
            .language(Feature::UnknownListSizes),
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
            Some(Feature::TwoVariableMacros),
            insert,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
];

/// Returns true if a list contains a value. For a JSON list, each element is compared with the
/// value; if no element is equal, the first failed comparison is the result. For a computed
/// list, the value is compared with each element, and failed comparisons count as unequal.
pub(crate) fn list_contains<'v>(
    tracker: &CostTracker<'v>,
    list: &Val<'v>,
    needle: &Val<'v>,
) -> core::result::Result<bool, EvalError> {
    let is_computed = matches!(list, Val::List(_));
    // The server rejects an error value before it searches a JSON list.
    if let (false, Val::Error(message)) = (is_computed, needle) {
        return Err(EvalError::Expression(message.clone()));
    }
    let mut first_error = None;
    let elements = (0_usize..).map_while(|index| element(tracker.declared_types, list, index));
    for value in elements {
        let is_equal = match value {
            Ok(value) if is_computed => equal(tracker.declared_types, needle, &value),
            value => value.and_then(|value| match (&value, needle) {
                // The server calls the element's comparison method, which rejects null for a list
                // or map.
                (
                    Val::JsonObject(..)
                    | Val::Map(_)
                    | Val::JsonList(..)
                    | Val::AppendedList(_)
                    | Val::List(_),
                    Val::Null,
                ) => Err(EvalError::no_such_overload()),
                _ => equal(tracker.declared_types, &value, needle),
            }),
        };
        match is_equal {
            Ok(true) => return Ok(true),
            Err(fatal @ (EvalError::CostLimit | EvalError::ServerPanic(_))) => return Err(fatal),
            Err(error) if !is_computed => {
                first_error.get_or_insert(error);
            }
            _ => {}
        }
    }
    first_error.map_or(Ok(false), Err)
}

/// Evaluates `needle in container`.
fn contains<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [needle, container] = args else {
        return no_overload(tracker, args);
    };
    match container {
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => {
            list_contains(tracker, container, needle).map(Val::Bool)
        }
        Val::Map(_) | Val::JsonObject(..) => {
            if let Val::Map(entries) = container
                && !entries.is_empty()
            {
                check_hashable(needle)?;
            }
            match entry(tracker.declared_types, container, needle) {
                Some(Err(error)) => Err(error),
                value => Ok(Val::Bool(value.is_some())),
            }
        }
        _ => Err(EvalError::no_such_overload()),
    }
}

/// Returns the element or entry of a container, or `None` if the key is absent and `is_optional` is
/// true. An element that does not have its declared type is an inner error.
pub(crate) fn index<'v>(
    tracker: &CostTracker<'v>,
    container: &Val<'v>,
    key: &Val<'v>,
    is_optional: bool,
) -> core::result::Result<Option<core::result::Result<Val<'v>, EvalError>>, EvalError> {
    check_key(tracker.declared_types, key)?;
    let value = match container {
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => {
            let index = to_index(key).ok_or_else(|| match key {
                Val::Double(_) | Val::Uint(_) => EvalError::new(format!(
                    "unsupported index value {} in list",
                    GoFormatted(key)
                )),
                key => unsupported_index_type(key.type_name()),
            })?;
            let position = usize::try_from(index).ok();
            match position.and_then(|position| element(tracker.declared_types, container, position))
            {
                None if !is_optional => {
                    return Err(EvalError::new(format!(
                        "index out of bounds: {}",
                        GoFormatted(key)
                    )));
                }
                // JSON lists accept only indices of type int.
                Some(_) if !matches!((container, key), (Val::List(_), _) | (_, Val::Int(_))) => {
                    Some(Err(EvalError::new(format!("unsupported index: {index}"))))
                }
                element => element,
            }
        }
        // The server returns an invalid element as a present value, but fails for an invalid entry.
        Val::Map(_) | Val::JsonObject(..) => entry(tracker.declared_types, container, key)
            .transpose()?
            .map(Ok),
        Val::Error(message) => return Err(EvalError::Expression(message.clone())),
        // A scalar contains no elements or entries.
        _ => None,
    };
    match value {
        None if is_optional => Ok(None),
        None => Err(no_such_key(key)),
        value => Ok(value),
    }
}

/// Returns an error unless the key's type supports lookups.
pub(crate) fn check_key(
    declared_types: &DeclaredTypes,
    key: &Val<'_>,
) -> core::result::Result<(), EvalError> {
    match key {
        Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Double(_) | Val::String(_) => Ok(()),
        // The type of an invalid element.
        Val::Error(_) => Err(EvalError::new("invalid qualifier type: *types.Err")),
        key => Err(EvalError::new(format!(
            "invalid qualifier type: {}",
            declared_go_type(declared_types, key)
        ))),
    }
}

/// Returns the error for a missing key.
pub(crate) fn no_such_key(key: &Val<'_>) -> EvalError {
    EvalError::new(format!("no such key: {}", GoFormatted(key)))
}

/// Returns the error for an index of an unsupported type.
pub(crate) fn unsupported_index_type(type_name: &str) -> EvalError {
    EvalError::new(format!("unsupported index type '{type_name}' in list"))
}

/// Returns a number as an index; `None` if the number is not an integer.
fn to_index(value: &Val<'_>) -> Option<i64> {
    match value {
        Val::Int(value) => Some(*value),
        Val::Uint(value) => i64::try_from(*value).ok(),
        Val::Double(value) => to_equal_int(*value),
        _ => None,
    }
}

/// Returns a map with added entries: one key and value, or all entries of another map.
fn insert<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (map, added) = match args {
        [Val::Map(map), key, value] => (map, vec![(key.clone(), value.clone())]),
        [Val::Map(map), added @ (Val::Map(_) | Val::JsonObject(..))] => {
            let entries = keys(tracker.declared_types, added).into_iter().enumerate();
            let entries = entries.filter_map(|(index, key)| {
                let value = entry_at(tracker.declared_types, added, index, &key)?;
                Some((key, value.unwrap_or_else(|error| error.as_value())))
            });
            (map, entries.collect())
        }
        _ => return Err(EvalError::no_such_overload()),
    };
    // This implementation copies and searches the map; the server does neither. Four entries count
    // as one step.
    tracker.charge_hidden(map.len() as u64 / 4)?;
    let mut map: Vec<_> = map.to_vec();
    for (key, value) in added {
        if key_position(tracker.declared_types, &map, &key).is_some() {
            return Err(EvalError::new(format!(
                "insert failed: key {} already exists",
                GoFormatted(&key)
            )));
        }
        map.push((key, value));
    }
    Ok(Val::extended_map(map))
}
