//! Lists.

mod build;

use core::cmp::Ordering;

use super::row::{Entry, row};
use super::sets::elements;
use super::{arithmetic, cost, operators, strings};
use crate::cost::meter::Meter;
use crate::values::equal::equal;
use crate::values::value::{Fault, Val};
pub(super) use build::text_of_go;
use build::{flatten, join, join_converted, range, reverse, slice};

type Result<'v, T = Val<'v>> = core::result::Result<T, Fault>;

const SORTABLE: &[&str] = &[
    "list(int). -> bool",
    "list(uint). -> bool",
    "list(double). -> bool",
    "list(bool). -> bool",
    "list(duration). -> bool",
    "list(timestamp). -> bool",
    "list(string). -> bool",
    "list(bytes). -> bool",
];
const LARGEST: &[&str] = &[
    "list(int). -> int",
    "list(uint). -> uint",
    "list(double). -> double",
    "list(bool). -> bool",
    "list(duration). -> duration",
    "list(timestamp). -> timestamp",
    "list(string). -> string",
    "list(bytes). -> bytes",
];
const FIND: &[&str] = &[
    "list(A).A -> int",
    "string.string -> int",
    "string.string, int -> int",
];

const JOIN: &[&str] = &["list(string). -> string", "list(string).string -> string"];

pub(super) const FUNCTIONS: &[Entry] = &[
    ("isSorted", &[row(SORTABLE, is_sorted).costs(cost::walk)]),
    (
        "sum",
        &[
            row(&["list(int). -> int"], |m, args| sum(m, args, Val::Int(0))).costs(cost::walk),
            row(&["list(uint). -> uint"], |m, args| {
                sum(m, args, Val::Uint(0))
            })
            .costs(cost::walk),
            row(&["list(double). -> double"], |m, args| {
                sum(m, args, Val::Double(0.0))
            })
            .costs(cost::walk),
            row(&["list(duration). -> duration"], |m, args| {
                sum(m, args, Val::Duration(0))
            })
            .costs(cost::walk),
        ],
    ),
    (
        "min",
        &[row(LARGEST, |m, args| extreme(m, args, Ordering::Less)).costs(cost::walk)],
    ),
    (
        "max",
        &[row(LARGEST, |m, args| extreme(m, args, Ordering::Greater)).costs(cost::walk)],
    ),
    (
        "indexOf",
        &[row(FIND, |m, args| index_of(m, args, false)).costs(cost::walk)],
    ),
    (
        "lastIndexOf",
        &[row(FIND, |m, args| index_of(m, args, true)).costs(cost::walk)],
    ),
    (
        "join",
        &[
            row(JOIN, join).costs(cost::joined).since(29),
            row(JOIN, join_converted)
                .costs(cost::joined_converted)
                .until(29),
        ],
    ),
    (
        "slice",
        &[row(&["list(A).int, int -> list(A)"], slice)
            .costs_if_known(cost::slice)
            .since(34)],
    ),
    (
        "flatten",
        &[row(
            &["list(list(A)). -> list(A)", "list(dyn).int -> list(dyn)"],
            flatten,
        )
        .costs_if_known(cost::flatten)
        .since(34)],
    ),
    (
        "lists.range",
        &[row(&["int -> list(int)"], range)
            .costs_if_known(cost::range)
            .since(34)],
    ),
    (
        "distinct",
        &[row(&["list(A). -> list(A)"], distinct)
            .costs_if_known(cost::sorting)
            .since(34)],
    ),
    (
        "reverse",
        &[row(&["list(A). -> list(A)"], reverse)
            .costs_if_known(cost::copying)
            .since(34)],
    ),
    (
        "sort",
        &[row(
            &[
                "list(int). -> list(int)",
                "list(uint). -> list(uint)",
                "list(double). -> list(double)",
                "list(bool). -> list(bool)",
                "list(duration). -> list(duration)",
                "list(timestamp). -> list(timestamp)",
                "list(string). -> list(string)",
                "list(bytes). -> list(bytes)",
            ],
            |m, args| {
                let [list] = args else {
                    return Err(Fault::no_such_overload());
                };
                let values = elements(m, list)?;
                if values.is_empty() {
                    return Ok(list.clone());
                }
                sorted(values.clone(), values)
            },
        )
        .costs_if_known(cost::sorting)
        .since(34)],
    ),
    (
        "@sortByAssociatedKeys",
        &[row(
            &[
                "list(A).list(int) -> list(A)",
                "list(A).list(uint) -> list(A)",
                "list(A).list(double) -> list(A)",
                "list(A).list(bool) -> list(A)",
                "list(A).list(duration) -> list(A)",
                "list(A).list(timestamp) -> list(A)",
                "list(A).list(string) -> list(A)",
                "list(A).list(bytes) -> list(A)",
            ],
            |m, args| {
                let [list, keys] = args else {
                    return Err(Fault::no_such_overload());
                };
                let values = elements(m, list)?;
                sorted(values, elements(m, keys)?)
            },
        )
        .costs_if_known(cost::sorting_by)
        .since(34)],
    ),
];

fn is_sorted<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list] = args else {
        return Err(Fault::no_such_overload());
    };
    let values = elements(meter, list)?;
    if let Some(first) = values.first() {
        check_read(first)?;
        check_comparable(first)?;
    }
    for pair in values.windows(2) {
        // What cannot be compared is not a reason.
        if let [one, next] = pair {
            check_read(next)?;
            check_comparable(next)?;
            if matches!(operators::order(one, next), Ok(Ordering::Greater)) {
                return Ok(Val::Bool(false));
            }
        }
    }
    Ok(Val::Bool(true))
}

/// The sum of a list, or that of no elements.
fn sum<'v>(meter: &mut Meter<'v>, args: &[Val<'v>], none: Val<'v>) -> Result<'v> {
    let [list] = args else {
        return Err(Fault::no_such_overload());
    };
    let values = elements(meter, list)?;
    let mut total = none;
    for value in values {
        check_read(&value)?;
        total = arithmetic::sum(&total, &value)?;
    }
    Ok(total)
}

fn extreme<'v>(meter: &mut Meter<'v>, args: &[Val<'v>], wanted: Ordering) -> Result<'v> {
    let [list] = args else {
        return Err(Fault::no_such_overload());
    };
    let values = elements(meter, list)?;
    let mut values = values.into_iter();
    let what = if wanted == Ordering::Less {
        "min"
    } else {
        "max"
    };
    let mut best = values
        .next()
        .ok_or_else(|| Fault::error(format!("{what} called on empty list")))?;
    check_comparable(&best)?;
    for value in values {
        check_read(&value)?;
        check_comparable(&value)?;
        // What cannot be compared is passed over.
        if matches!(operators::order(&value, &best), Ok(order) if order == wanted) {
            best = value;
        }
    }
    Ok(best)
}

fn index_of<'v>(meter: &mut Meter<'v>, args: &[Val<'v>], last: bool) -> Result<'v> {
    match args {
        [Val::Text(text), Val::Text(part)] => strings::index_of(text, part, None, last),
        [Val::Text(text), Val::Text(part), Val::Int(offset)] => {
            strings::index_of(text, part, Some(*offset), last)
        }
        [within, wanted] => {
            let values = elements(meter, within)?;
            let mut found = -1;
            for (at, value) in (0_i64..).zip(&values) {
                // What cannot be compared is another value.
                if is_found(equal(meter.declared, value, wanted))? {
                    found = at;
                    if !last {
                        break;
                    }
                }
            }
            Ok(Val::Int(found))
        }
        _ => Err(Fault::no_such_overload()),
    }
}

fn distinct<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [list] = args else {
        return Err(Fault::no_such_overload());
    };
    let values = elements(meter, list)?;
    if values.is_empty() {
        return Ok(list.clone());
    }
    let mut kept: Vec<Val<'v>> = Vec::new();
    for value in values {
        let mut is_new = true;
        for other in &kept {
            if is_found(equal(meter.declared, &value, other))? {
                is_new = false;
                break;
            }
        }
        if is_new {
            kept.push(value);
        }
    }
    Ok(Val::list(kept))
}

/// Whether values are equal; those that cannot be compared are not.
fn is_found(equal: Result<'_, bool>) -> Result<'_, bool> {
    match equal {
        Err(Fault::Error(_)) => Ok(false),
        equal => equal,
    }
}

/// An element that cannot be read is an error.
fn check_read(value: &Val<'_>) -> core::result::Result<(), Fault> {
    match value {
        Val::Fault(text) => Err(Fault::Error(text.clone())),
        _ => Ok(()),
    }
}

/// Values in the order of their keys.
fn sorted<'v>(values: Vec<Val<'v>>, keys: Vec<Val<'v>>) -> Result<'v> {
    if values.len() != keys.len() {
        return Err(Fault::error(format!(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got {} and {} elements respectively",
            values.len(),
            keys.len()
        )));
    }
    if let Some(first) = keys.first() {
        if !is_comparable(first) {
            return Err(Fault::error("list elements must be comparable"));
        }
        if keys.iter().any(|key| key.type_name() != first.type_name()) {
            return Err(Fault::error("list elements must have the same type"));
        }
    }
    let mut pairs: Vec<(Val<'v>, Val<'v>)> = keys.into_iter().zip(values).collect();
    if pairs.iter().any(|(key, _)| is_nan(key)) {
        settle(&mut pairs);
    } else {
        pairs.sort_by(|(a, _), (b, _)| operators::order(a, b).unwrap_or(Ordering::Equal));
    }
    Ok(Val::list(
        pairs.into_iter().map(|(_, value)| value).collect(),
    ))
}

/// Whether it is of a type that has an order.
const fn is_comparable(value: &Val<'_>) -> bool {
    matches!(
        value,
        Val::Bool(_)
            | Val::Int(_)
            | Val::Uint(_)
            | Val::Double(_)
            | Val::Text(_)
            | Val::Bytes(_)
            | Val::Timestamp(_)
            | Val::Duration(_)
    )
}

fn check_comparable(value: &Val<'_>) -> core::result::Result<(), Fault> {
    if is_comparable(value) {
        Ok(())
    } else {
        Err(Fault::no_such_overload())
    }
}

const fn is_nan(value: &Val<'_>) -> bool {
    matches!(value, Val::Double(value) if value.is_nan())
}

/// Moves each pair to the front while it is less than the one before it. What is not a number stops that, as it does for a server
/// with lists of up to 12 elements; what the list cost bounds the work.
fn settle(pairs: &mut [(Val<'_>, Val<'_>)]) {
    for end in 1..pairs.len() {
        let Some(sorted) = pairs.get_mut(..=end) else {
            return;
        };
        for at in (1..=end).rev() {
            match sorted.get(at - 1..=at) {
                Some([(before, _), (key, _)])
                    if matches!(operators::order(key, before), Ok(Ordering::Less)) =>
                {
                    sorted.swap(at - 1, at);
                }
                _ => break,
            }
        }
    }
}
