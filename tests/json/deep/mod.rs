//! Values and schemas that are deeper than the stack, made in memory: a clear error or an answer, wherever they come in.
//! Tests run on threads of 2 MiB, and nothing is optimized.

mod conversions;
mod foreign;
mod schemas;
mod typed;
mod unions;

use serde_json::{Value, json};

use crate::deep_value::{self, Deep};

/// So deep that no stack holds a frame for each level: there are 52 bytes for one.
const LEVELS: usize = 40_000;

fn lists() -> Deep {
    Deep::new(LEVELS, json!(1), |inner| deep_value::list([inner]))
}

fn objects() -> Deep {
    Deep::new(LEVELS, json!(1), |inner| deep_value::object([("a", inner)]))
}

/// A field of an object.
fn field(name: &'static str) -> impl FnOnce(Value) -> Value {
    move |inner| deep_value::object([(name, inner)])
}

/// Puts a value at a place, through objects that are made where they are missing.
fn put(object: &mut Value, pointer: &str, value: Value) {
    let mut at = object;
    for step in pointer.split('/').skip(1) {
        at = match at {
            Value::Array(elements) => &mut elements[step.parse::<usize>().unwrap()],
            other => &mut other[step],
        };
    }
    *at = value;
}
