//! Tests of values and schemas that are deeper than the stack and constructed in memory: every
//! function returns a clear error or a result.
//!
//! The tests run without optimization on threads with a stack of 2 MiB.

mod conversions;
mod implied_unions;
mod schemas;
mod typed;
mod unions;

use serde_json::{Value, json};

use crate::deep_value::{self, Deep};

/// A depth for which no stack has room: a stack of 2 MiB has 52 bytes per level.
const LEVELS: usize = 40_000;

fn lists() -> Deep {
    Deep::new(LEVELS, json!(1), |inner| deep_value::list([inner]))
}

fn objects() -> Deep {
    Deep::new(LEVELS, json!(1), |inner| deep_value::object([("a", inner)]))
}

/// Returns a function that wraps a value in an object with one field.
fn field(name: &'static str) -> impl FnOnce(Value) -> Value {
    move |inner| deep_value::object([(name, inner)])
}

/// Sets a value at a JSON pointer. Missing objects on the path are created.
fn put(object: &mut Value, pointer: &str, value: Value) {
    let mut target = object;
    for step in pointer.split('/').skip(1) {
        target = match target {
            Value::Array(elements) => &mut elements[step.parse::<usize>().unwrap()],
            object => &mut object[step],
        };
    }
    *target = value;
}
