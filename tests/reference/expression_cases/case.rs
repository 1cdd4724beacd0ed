//! An expression with the values that it is about.

use serde_json::{Value, json};

/// A case, which does not say by what schema.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) expression: String,
    pub(crate) this: Value,
    pub(crate) old: Option<Value>,
    /// What was called last, by its name.
    pub(crate) head: &'static str,
    /// Which of [`Heads`](crate::make::Heads) that is.
    pub(crate) number: usize,
    /// The overloads that are called, by their numbers in the table.
    pub(crate) calls: Vec<usize>,
}

impl Case {
    /// The line that asks for it.
    pub(crate) fn question(&self, schema: &str) -> Value {
        json!({"in": schema, "expression": self.expression, "self": self.this, "oldSelf": self.old})
    }
}
