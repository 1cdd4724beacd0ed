//! Hidden costs of calls: work that the server does not count, such as reading long strings and
//! comparing deep values.

use serde_json::Value;

use crate::values::from_json::MAX_DEPTH;
use crate::values::value::{AppendedItem, AppendedStorage, Val};

/// The hidden cost of a call, by the values inside the arguments that the call reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HiddenCost {
    /// The call reads its arguments that are strings, if any. This is the smallest hidden cost.
    Strings,
    /// The call reads its arguments that are strings, and visits the elements of its arguments that
    /// are lists.
    Elements,
    /// The call reads all values inside the arguments.
    All,
    /// The call compares each element of an argument, with all values inside, with each element of
    /// the other argument, or of the same argument if there is only one.
    Pairs,
}

impl HiddenCost {
    /// Returns the hidden cost of a call with these arguments.
    #[inline]
    pub(crate) fn of_arguments(self, args: &[Val<'_>]) -> u64 {
        match self {
            Self::Strings => args.iter().map(string_cost).sum(),
            other => other.of_nested_values(args),
        }
    }

    fn of_nested_values(self, args: &[Val<'_>]) -> u64 {
        let sum = |cost: fn(&Val<'_>) -> u64| args.iter().map(cost).sum::<u64>();
        match self {
            Self::Strings => sum(string_cost),
            Self::Elements => sum(element_cost),
            Self::All => sum(nested_cost_fast),
            // A comparison of two values ends at the end of the smaller value. Four compared values
            // count as one step.
            Self::Pairs => match args {
                [left, right] => {
                    let pairs =
                        |outer, inner: &Val<'_>| nested_cost(outer).saturating_mul(inner.size());
                    sum(element_cost).saturating_add(pairs(left, right).min(pairs(right, left)) / 4)
                }
                [left] => nested_cost(left).saturating_mul(left.size()) / 4,
                _ => sum(nested_cost),
            },
        }
    }
}

/// The number of bytes of a string that count as one step.
const BYTES_PER_STEP: u64 = 64;

const fn string_steps(string: &str) -> u64 {
    string.len() as u64 / BYTES_PER_STEP
}

/// Returns the hidden cost of reading a string.
#[inline]
pub(crate) const fn of_string(string: &str) -> u64 {
    string_steps(string)
}

/// Returns the hidden cost of comparing two strings.
#[inline]
pub(crate) const fn of_strings(left: &str, right: &str) -> u64 {
    string_steps(left) + string_steps(right)
}

fn string_cost(value: &Val<'_>) -> u64 {
    match value {
        Val::String(string) => string_steps(string.as_str()),
        _ => 0,
    }
}

/// Returns the number of elements of a list, or the cost of reading a string.
fn element_cost(value: &Val<'_>) -> u64 {
    match value {
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => value.size(),
        other => string_cost(other),
    }
}

/// Returns the same cost as [`nested_cost`], with a fast path for scalars.
#[inline]
fn nested_cost_fast(value: &Val<'_>) -> u64 {
    match value {
        Val::String(string) => string_steps(string.as_str()),
        Val::Null | Val::Bool(_) | Val::Int(_) => 0,
        other => nested_cost(other),
    }
}

/// Returns the hidden cost of reading a value and all values inside.
fn nested_cost(value: &Val<'_>) -> u64 {
    match value {
        Val::List(values) => values.iter().map(|value| 1 + nested_cost(value)).sum(),
        Val::Map(entries) => {
            let entry =
                |(key, value): &(Val<'_>, Val<'_>)| 1 + nested_cost(key) + nested_cost(value);
            entries.iter().map(entry).sum()
        }
        Val::JsonList(items, _) => items.iter().map(|item| 1 + json_cost(item)).sum(),
        Val::JsonObject(object, _) => object.values().map(|value| 1 + json_cost(value)).sum(),
        Val::AppendedList(appended) => {
            let item = |item: &AppendedItem<'_>| match item {
                AppendedItem::Json(value) => 1 + json_cost(value),
                AppendedItem::Computed(value) => 1 + nested_cost(value),
            };
            match &appended.storage {
                AppendedStorage::Elements(items) => items.iter().map(item).sum(),
                AppendedStorage::Converted(_, values) => {
                    values.iter().map(|value| 1 + nested_cost(value)).sum()
                }
                AppendedStorage::Lists(items, added) => {
                    let items = items.iter().map(|item| 1 + json_cost(item)).sum::<u64>();
                    items + added.iter().map(|(_, list)| nested_cost(list)).sum::<u64>()
                }
            }
        }
        Val::Unstructured(value) => json_cost(value),
        Val::Optional(Some(value)) => 1 + nested_cost(value),
        other => string_cost(other),
    }
}

/// Returns the same cost as [`nested_cost`] for a JSON value. Values below the maximum depth of
/// comparisons are free.
fn json_cost(value: &Value) -> u64 {
    json_cost_to_depth(value, MAX_DEPTH)
}

/// Returns the [`json_cost`] of the levels down to `depth`.
fn json_cost_to_depth(value: &Value, depth: u32) -> u64 {
    let Some(depth) = depth.checked_sub(1) else {
        return 0;
    };
    match value {
        Value::String(string) => string_steps(string),
        Value::Array(items) => items
            .iter()
            .map(|item| 1 + json_cost_to_depth(item, depth))
            .sum(),
        Value::Object(object) => object
            .values()
            .map(|value| 1 + json_cost_to_depth(value, depth))
            .sum(),
        _ => 0,
    }
}
