//! An expression with the values that it is about.

use serde_json::{Value, json};

/// What has to come to a value at least once: the call of an overload or of a macro, by its number, with a kind of argument where
/// it takes any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Demand {
    pub(crate) head: usize,
    pub(crate) kind: Option<usize>,
}

/// A case, which does not say by what schema.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) expression: String,
    pub(crate) this: Value,
    pub(crate) old: Option<Value>,
    /// What was called last, by its name.
    pub(crate) head: &'static str,
    /// What that is: where it comes to a value, it is seen to.
    pub(crate) demand: Demand,
    /// The overloads that are called, by their numbers in the table.
    pub(crate) calls: Vec<usize>,
}

impl Case {
    /// The line that asks for it.
    pub(crate) fn question(&self, schema: &str) -> Value {
        json!({"in": schema, "expression": self.expression, "self": self.this, "oldSelf": self.old})
    }
}
