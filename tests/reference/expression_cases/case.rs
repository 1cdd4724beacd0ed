//! An expression with the values of its variables.

use serde_json::{Value, json};

/// A call that must return a value at least once: the number of an overload or of a macro, and the
/// type of its arguments if it accepts any type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Demand {
    pub(crate) head: usize,
    pub(crate) kind: Option<usize>,
}

/// A case, without the schema that it is run with.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) expression: String,
    pub(crate) this: Value,
    pub(crate) old: Option<Value>,
    /// The name of the outermost function.
    pub(crate) head: &'static str,
    /// The demand that the case meets if the expression returns a value.
    pub(crate) demand: Demand,
    /// The indexes of the called overloads in the table.
    pub(crate) calls: Vec<usize>,
}

impl Case {
    /// Returns the line for the reference.
    pub(crate) fn question(&self, schema: &str) -> Value {
        json!({"in": schema, "expression": self.expression, "self": self.this, "oldSelf": self.old})
    }
}
