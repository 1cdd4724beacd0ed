//! Functions of lists and maps: index, `in` and `insert`.

use super::dispatch::{Dispatch, NoOverload};
use super::form::Form;
use super::operators::no_overload;
use super::row::{ALWAYS, Cost, FunctionRow, function, row, since};
use super::{cost, estimate};
use crate::cost::meter::Meter;
use crate::cost::work::Work;
use crate::types::declared::DeclaredTypes;
use crate::values::equal::{
    check_hashable, element, entry, entry_at, equal, keys, place_of, whole,
};
use crate::values::go_print::{Printed, go_type};
use crate::values::value::{Fault, Val};

type Result<'v> = core::result::Result<Val<'v>, Fault>;

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "@in",
        Dispatch::Shared(NoOverload::Unnamed),
        Work::All,
        &[
            row(
                &["A, list(A) -> bool"],
                ALWAYS,
                contained,
                Cost::if_known(cost::second),
                estimate::second,
            ),
            row(
                &["A, map(A, B) -> bool"],
                ALWAYS,
                contained,
                Cost::ONE,
                estimate::one,
            ),
        ],
    )
    .form(Form::In),
    function(
        "_[_]",
        Dispatch::Shared(NoOverload::Unnamed),
        Work::Texts,
        &[row(
            &[
                "list(A), int -> A",
                "map(A, B), A -> B",
                "optional(list(A)), int -> optional(A)",
                "optional(map(A, B)), A -> optional(B)",
            ],
            ALWAYS,
            no_overload,
            Cost::ONE,
            estimate::one,
        )],
    )
    .form(Form::Index),
    function(
        "_[?_]",
        Dispatch::Shared(NoOverload::Unnamed),
        Work::Texts,
        &[row(
            &[
                "list(A), int -> optional(A)",
                "optional(list(A)), int -> optional(A)",
                "map(A, B), A -> optional(B)",
                "optional(map(A, B)), A -> optional(B)",
            ],
            ALWAYS,
            no_overload,
            Cost::ONE,
            estimate::one,
        )],
    )
    .form(Form::OptionalIndex),
    function(
        "cel.@mapInsert",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &[
                "map(A, B), A, B -> map(A, B)",
                "map(A, B), map(A, B) -> map(A, B)",
            ],
            since(32),
            insert,
            Cost::ONE,
            estimate::one,
        )],
    ),
];

/// Returns true if a list contains an element. A list of the object compares its elements with the
/// wanted value, and a failed comparison is an error unless an element is equal. A list that an
/// expression created compares the wanted value with its elements, and ignores failed comparisons.
pub(crate) fn has<'v>(
    meter: &Meter<'v>,
    list: &Val<'v>,
    wanted: &Val<'v>,
) -> core::result::Result<bool, Fault> {
    let is_made = matches!(list, Val::List(_));
    // The server does not search a list of the object for an error.
    if let (false, Val::Fault(why)) = (is_made, wanted) {
        return Err(Fault::Error(why.clone()));
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
                    Val::Object(..) | Val::Map(_) | Val::Items(..) | Val::Joined(_) | Val::List(_),
                    Val::Null,
                ) => Err(Fault::no_such_overload()),
                _ => equal(meter.declared, &value, wanted),
            }),
        };
        match found {
            Ok(true) => return Ok(true),
            Err(stop @ (Fault::Cost | Fault::Crash(_))) => return Err(stop),
            Err(error) if !is_made => {
                fault.get_or_insert(error);
            }
            _ => {}
        }
    }
    fault.map_or(Ok(false), Err)
}

fn contained<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [wanted, within] = args else {
        return no_overload(meter, args);
    };
    match within {
        Val::List(_) | Val::Items(..) | Val::Joined(_) => has(meter, within, wanted).map(Val::Bool),
        Val::Map(_) | Val::Object(..) => {
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
        _ => Err(Fault::no_such_overload()),
    }
}

/// Returns the value under a key; `None` if the key is absent and `need_not_be` is true.
pub(crate) fn index<'v>(
    meter: &Meter<'v>,
    of: &Val<'v>,
    key: &Val<'v>,
    need_not_be: bool,
) -> core::result::Result<Option<core::result::Result<Val<'v>, Fault>>, Fault> {
    check_key(meter.declared, key)?;
    let found = match of {
        Val::List(_) | Val::Items(..) | Val::Joined(_) => {
            let at = number(key).ok_or_else(|| match key {
                Val::Double(_) | Val::Uint(_) => {
                    Fault::error(format!("unsupported index value {} in list", Printed(key)))
                }
                key => no_index(key.type_name()),
            })?;
            let place = usize::try_from(at).ok();
            match place.and_then(|at| element(meter.declared, of, at)) {
                None if !need_not_be => {
                    return Err(Fault::error(format!(
                        "index out of bounds: {}",
                        Printed(key)
                    )));
                }
                // Lists of the object accept only integers.
                Some(_) if !matches!((of, key), (Val::List(_), _) | (_, Val::Int(_))) => {
                    Some(Err(Fault::error(format!("unsupported index: {at}"))))
                }
                found => found,
            }
        }
        // The server reports an invalid element as present, and an invalid entry as an error.
        Val::Map(_) | Val::Object(..) => entry(meter.declared, of, key).transpose()?.map(Ok),
        Val::Fault(text) => return Err(Fault::Error(text.clone())),
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
) -> core::result::Result<(), Fault> {
    match key {
        Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Double(_) | Val::Text(_) => Ok(()),
        key => Err(Fault::error(format!(
            "invalid qualifier type: {}",
            go_type(declared, key)
        ))),
    }
}

/// Returns the error for a missing key.
pub(crate) fn no_such_key(key: &Val<'_>) -> Fault {
    Fault::error(format!("no such key: {}", Printed(key)))
}

/// Returns the error for an index of a wrong type.
pub(crate) fn no_index(type_name: &str) -> Fault {
    Fault::error(format!("unsupported index type '{type_name}' in list"))
}

/// Returns the index of an element.
fn number(value: &Val<'_>) -> Option<i64> {
    match value {
        Val::Int(value) => Some(*value),
        Val::Uint(value) => i64::try_from(*value).ok(),
        Val::Double(value) => whole(*value),
        _ => None,
    }
}

/// Adds entries to a map.
fn insert<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let (map, more) = match args {
        [Val::Map(map), key, value] => (map, vec![(key.clone(), value.clone())]),
        [Val::Map(map), more @ (Val::Map(_) | Val::Object(..))] => {
            let entries = keys(meter.declared, more).into_iter().enumerate();
            let entries = entries.filter_map(|(at, key)| {
                let found = entry_at(meter.declared, more, at, &key)?;
                Some((key, found.unwrap_or_else(|fault| fault.as_value())))
            });
            (map, entries.collect())
        }
        _ => return Err(Fault::no_such_overload()),
    };
    // This code copies and searches the map. The server need not do either.
    meter.work(map.len() as u64 / 4)?;
    let mut map: Vec<_> = map.to_vec();
    for (key, value) in more {
        if place_of(meter.declared, &map, &key).is_some() {
            return Err(Fault::error(format!(
                "insert failed: key {} already exists",
                Printed(&key)
            )));
        }
        map.push((key, value));
    }
    Ok(Val::grown(map))
}
