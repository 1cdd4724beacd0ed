//! A limited set of values.

use std::collections::HashSet;

use serde_json::Value;

use crate::bounds::OBJECT_BYTES;
use crate::sample::json_size::json_size;

/// A set of values in the order of their addition. The number of values and the size of each value
/// are limited, and the values that the limits exclude are counted.
#[derive(Debug)]
pub(crate) struct Values {
    list: Vec<Value>,
    keys: HashSet<String>,
    limit: usize,
    /// The number of values that were not added, because the set was full.
    omitted_count: usize,
    /// The number of values that were not added, because they have more than [`OBJECT_BYTES`].
    large_count: usize,
}

impl Values {
    /// Creates a set of at most `limit` values.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            list: Vec::new(),
            keys: HashSet::new(),
            limit,
            omitted_count: 0,
            large_count: 0,
        }
    }

    pub(crate) fn add(&mut self, value: Value) {
        self.add_with(|| Some(value));
    }

    /// Adds a value that is not built if the set is full. `build` returns `None` for a value that
    /// is too large.
    pub(crate) fn add_with(&mut self, build: impl FnOnce() -> Option<Value>) {
        if self.list.len() >= self.limit {
            self.omitted_count += 1;
            return;
        }
        let value = build().filter(|value| json_size(value, OBJECT_BYTES).is_some());
        let Some(value) = value else {
            self.omit_large();
            return;
        };
        if self.keys.insert(value.to_string()) {
            self.list.push(value);
        }
    }

    /// Counts a value that is not built, because it is too large.
    pub(crate) fn omit_large(&mut self) {
        self.large_count += 1;
    }

    pub(crate) fn extend(&mut self, values: impl IntoIterator<Item = Value>) {
        for value in values {
            self.add(value);
        }
    }

    pub(crate) fn into_list(self) -> Vec<Value> {
        self.list
    }

    pub(crate) const fn omitted_count(&self) -> usize {
        self.omitted_count
    }

    pub(crate) const fn large_count(&self) -> usize {
        self.large_count
    }
}
