//! The work of calls beyond their costs: the server does not count the lengths of strings that it
//! reads, or the depths of values that it compares.

use serde_json::Value;

use crate::values::convert::DEEPEST;
use crate::values::value::{Item, Kept, Val};

/// The part of its arguments that a call reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// The strings.
    Texts,
    /// The strings and the elements of lists.
    Elements,
    /// All values inside the arguments.
    All,
    /// Each element of an argument, with all values inside, for each element of the other argument,
    /// or of the same.
    Pairs,
}

impl Work {
    /// Returns the work on these arguments.
    #[inline]
    pub(crate) fn on(self, args: &[Val<'_>]) -> u64 {
        match self {
            Self::Texts => args.iter().map(texts).sum(),
            more => more.on_parts(args),
        }
    }

    fn on_parts(self, args: &[Val<'_>]) -> u64 {
        let sum = |of: fn(&Val<'_>) -> u64| args.iter().map(of).sum::<u64>();
        match self {
            Self::Texts => sum(texts),
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
const STEP: u64 = 64;

const fn bytes(text: &str) -> u64 {
    text.len() as u64 / STEP
}

/// Returns the work on a string.
#[inline]
pub(crate) const fn of_text(text: &str) -> u64 {
    bytes(text)
}

/// Returns the work on two strings that are compared.
#[inline]
pub(crate) const fn of_texts(one: &str, two: &str) -> u64 {
    bytes(one) + bytes(two)
}

fn texts(value: &Val<'_>) -> u64 {
    match value {
        Val::Text(text) => bytes(text.as_str()),
        _ => 0,
    }
}

fn elements(value: &Val<'_>) -> u64 {
    match value {
        Val::List(_) | Val::Items(..) | Val::Joined(_) => value.size(),
        other => texts(other),
    }
}

/// Returns the same work as [`all`], with a fast path for scalars.
#[inline]
fn any(value: &Val<'_>) -> u64 {
    match value {
        Val::Text(text) => bytes(text.as_str()),
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
        Val::Items(items, _) => items.iter().map(|item| 1 + json(item)).sum(),
        Val::Object(object, _) => object.values().map(|value| 1 + json(value)).sum(),
        Val::Joined(joined) => {
            let item = |item: &Item<'_>| match item {
                Item::Json(value) => 1 + json(value),
                Item::Made(value) => 1 + all(value),
            };
            match &joined.kept {
                Kept::Each(items) => items.iter().map(item).sum(),
                Kept::Lists(items, added) => {
                    let items = items.iter().map(|item| 1 + json(item)).sum::<u64>();
                    items + added.iter().map(|(_, list)| all(list)).sum::<u64>()
                }
            }
        }
        Val::Unknown(value) => json(value),
        Val::Optional(Some(value)) => 1 + all(value),
        other => texts(other),
    }
}

/// Returns the same work as [`all`], for a value of the object, up to the depth of comparisons.
fn json(value: &Value) -> u64 {
    within(value, DEEPEST)
}

fn within(value: &Value, levels: u32) -> u64 {
    let Some(levels) = levels.checked_sub(1) else {
        return 0;
    };
    match value {
        Value::String(text) => bytes(text),
        Value::Array(items) => items.iter().map(|item| 1 + within(item, levels)).sum(),
        Value::Object(object) => object.values().map(|value| 1 + within(value, levels)).sum(),
        _ => 0,
    }
}
