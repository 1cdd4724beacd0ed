//! Hidden costs of calls: work that the server does not count, such as reading long strings and
//! comparing deep values.

use core::ops::ControlFlow;

use serde_json::Value;

use super::tracker::MAX_HIDDEN;
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
        let sum = |cost: fn(&Val<'_>) -> u64| args.iter().map(cost).fold(0, u64::saturating_add);
        match self {
            Self::Strings => sum(string_cost),
            Self::Elements => sum(element_cost),
            Self::All => sum(nested_cost_fast),
            // A comparison of two values ends at the end of the smaller value. Four compared values
            // count as one step.
            Self::Pairs => match args {
                [left, right] => {
                    let pairs = pair_cost(left, right).min(pair_cost(right, left));
                    sum(element_cost).saturating_add(pairs)
                }
                [left] => pair_cost(left, left),
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

/// The number of compared values that count as one step.
const PAIRS_PER_STEP: u64 = 4;

/// Returns the hidden cost of comparing `outer`, with all values inside, with each element of
/// `inner`.
fn pair_cost(outer: &Val<'_>, inner: &Val<'_>) -> u64 {
    let size = inner.size();
    let limit = (PAIRS_PER_STEP * (MAX_HIDDEN + 1)).div_ceil(size.max(1));
    nested_cost_up_to(outer, limit).saturating_mul(size) / PAIRS_PER_STEP
}

/// Returns the hidden cost of reading a value and all values inside. A cost above the maximum is
/// not counted to its end.
fn nested_cost(value: &Val<'_>) -> u64 {
    nested_cost_up_to(value, MAX_HIDDEN + 1)
}

/// Returns the [`nested_cost`] of a value, or a cost of at least `limit`. Values may share the
/// values inside, so their number may be exponential in the size of the expression.
fn nested_cost_up_to(value: &Val<'_>, limit: u64) -> u64 {
    let mut count = StepCount { steps: 0, limit };
    let _ = count.add_nested(value);
    count.steps
}

/// A number of steps, whose counting ends at a limit.
struct StepCount {
    steps: u64,
    limit: u64,
}

impl StepCount {
    const fn add(&mut self, steps: u64) -> ControlFlow<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps < self.limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// Adds the cost of the values inside a value.
    fn add_nested(&mut self, value: &Val<'_>) -> ControlFlow<()> {
        match value {
            Val::List(values) => values.iter().try_for_each(|value| self.add_element(value)),
            Val::Map(entries) => entries.iter().try_for_each(|(key, value)| {
                self.add_nested(key)?;
                self.add_element(value)
            }),
            Val::JsonList(items, _) => self.add_json_elements(items.iter(), MAX_DEPTH),
            Val::JsonObject(object, _) => self.add_json_elements(object.values(), MAX_DEPTH),
            Val::AppendedList(appended) => self.add_appended(&appended.storage),
            Val::Unstructured(value) => self.add_json(value, MAX_DEPTH),
            Val::Optional(Some(value)) => self.add_element(value),
            other => self.add(string_cost(other)),
        }
    }

    fn add_element(&mut self, value: &Val<'_>) -> ControlFlow<()> {
        self.add(1)?;
        self.add_nested(value)
    }

    fn add_appended(&mut self, storage: &AppendedStorage<'_>) -> ControlFlow<()> {
        match storage {
            AppendedStorage::Elements(items) => items.iter().try_for_each(|item| match item {
                AppendedItem::Json(value) => self.add_json_elements([*value], MAX_DEPTH),
                AppendedItem::Computed(value) => self.add_element(value),
            }),
            AppendedStorage::Converted(_, values) => {
                values.iter().try_for_each(|value| self.add_element(value))
            }
            AppendedStorage::Lists(items, added) => {
                self.add_json_elements(items.iter(), MAX_DEPTH)?;
                // An empty list counts too, because many lists may share it.
                added
                    .iter()
                    .try_for_each(|(_, list)| self.add_element(list))
            }
        }
    }

    /// Adds the cost of a JSON value. Values below the maximum depth of comparisons are free.
    fn add_json(&mut self, value: &Value, depth: u32) -> ControlFlow<()> {
        let Some(depth) = depth.checked_sub(1) else {
            return ControlFlow::Continue(());
        };
        match value {
            Value::String(string) => self.add(string_steps(string)),
            Value::Array(items) => self.add_json_elements(items, depth),
            Value::Object(object) => self.add_json_elements(object.values(), depth),
            _ => ControlFlow::Continue(()),
        }
    }

    fn add_json_elements<'j>(
        &mut self,
        elements: impl IntoIterator<Item = &'j Value>,
        depth: u32,
    ) -> ControlFlow<()> {
        elements.into_iter().try_for_each(|element| {
            self.add(1)?;
            self.add_json(element, depth)
        })
    }
}
