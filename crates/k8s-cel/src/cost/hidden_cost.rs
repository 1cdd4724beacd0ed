//! The work of calls beyond their costs: the server does not count the lengths of strings that it
//! reads, or the depths of values that it compares.

use serde_json::Value;

use crate::values::from_json::MAX_DEPTH;
use crate::values::value::{AppendedItem, AppendedStorage, Val};

/// The part of its arguments that a call reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HiddenCost {
    /// The strings.
    Strings,
    /// The strings and the elements of lists.
    Elements,
    /// All values inside the arguments.
    All,
    /// Each element of an argument, with all values inside, for each element of the other argument,
    /// or of the same.
    Pairs,
}

impl HiddenCost {
    /// Returns the work on these arguments.
    #[inline]
    pub(crate) fn of_arguments(self, args: &[Val<'_>]) -> u64 {
        match self {
            Self::Strings => args.iter().map(texts).sum(),
            more => more.of_parts(args),
        }
    }

    fn of_parts(self, args: &[Val<'_>]) -> u64 {
        let sum = |of: fn(&Val<'_>) -> u64| args.iter().map(of).sum::<u64>();
        match self {
            Self::Strings => sum(texts),
            Self::Elements => sum(elements),
            Self::All => sum(any),
            // The comparison of two values ends with the smaller value.
            Self::Pairs => match args {
                [one, other] => {
                    let pairs = |one, other: &Val<'_>| all(one).saturating_mul(other.size());
                    sum(elements).saturating_add(pairs(one, other).min(pairs(other, one)) / 4)
                }
                [one] => all(one).saturating_mul(one.size()) / 4,
                _ => sum(all),
            },
        }
    }
}

/// The bytes of a string that are read in one step.
const BYTES_PER_STEP: u64 = 64;

const fn bytes(text: &str) -> u64 {
    text.len() as u64 / BYTES_PER_STEP
}

/// Returns the work on a string.
#[inline]
pub(crate) const fn of_string(text: &str) -> u64 {
    bytes(text)
}

/// Returns the work on two strings that are compared.
#[inline]
pub(crate) const fn of_strings(one: &str, two: &str) -> u64 {
    bytes(one) + bytes(two)
}

fn texts(value: &Val<'_>) -> u64 {
    match value {
        Val::String(text) => bytes(text.as_str()),
        _ => 0,
    }
}

fn elements(value: &Val<'_>) -> u64 {
    match value {
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => value.size(),
        other => texts(other),
    }
}

/// Returns the same work as [`all`], with a fast path for scalars.
#[inline]
fn any(value: &Val<'_>) -> u64 {
    match value {
        Val::String(text) => bytes(text.as_str()),
        Val::Null | Val::Bool(_) | Val::Int(_) => 0,
        other => all(other),
    }
}

fn all(value: &Val<'_>) -> u64 {
    match value {
        Val::List(values) => values.iter().map(|value| 1 + all(value)).sum(),
        Val::Map(entries) => {
            let entry = |(key, value): &(Val<'_>, Val<'_>)| 1 + all(key) + all(value);
            entries.iter().map(entry).sum()
        }
        Val::JsonList(items, _) => items.iter().map(|item| 1 + json(item)).sum(),
        Val::JsonObject(object, _) => object.values().map(|value| 1 + json(value)).sum(),
        Val::AppendedList(joined) => {
            let item = |item: &AppendedItem<'_>| match item {
                AppendedItem::Json(value) => 1 + json(value),
                AppendedItem::Computed(value) => 1 + all(value),
            };
            match &joined.storage {
                AppendedStorage::Elements(items) => items.iter().map(item).sum(),
                AppendedStorage::Lists(items, added) => {
                    let items = items.iter().map(|item| 1 + json(item)).sum::<u64>();
                    items + added.iter().map(|(_, list)| all(list)).sum::<u64>()
                }
            }
        }
        Val::Unstructured(value) => json(value),
        Val::Optional(Some(value)) => 1 + all(value),
        other => texts(other),
    }
}

/// Returns the same work as [`all`], for a value of the object, up to the depth of comparisons.
fn json(value: &Value) -> u64 {
    json_to_depth(value, MAX_DEPTH)
}

fn json_to_depth(value: &Value, levels: u32) -> u64 {
    let Some(levels) = levels.checked_sub(1) else {
        return 0;
    };
    match value {
        Value::String(text) => bytes(text),
        Value::Array(items) => items
            .iter()
            .map(|item| 1 + json_to_depth(item, levels))
            .sum(),
        Value::Object(object) => object
            .values()
            .map(|value| 1 + json_to_depth(value, levels))
            .sum(),
        _ => 0,
    }
}
