//! Values as messages print them.

use core::fmt;

use serde_json::Value;

use k8s_json_internals::number::Num;

/// A value as Go prints it: `map[a:1 b:[x <nil>]]`. The value may be in a document that is too
/// deep, so printing uses a list of pending parts instead of recursion.
pub(crate) struct Printed<'v>(pub(crate) &'v Value);

/// A list of values as Go prints it.
pub(crate) struct PrintedList<'v>(pub(crate) &'v [Value]);

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Array(_) | Value::Object(_) => all(vec![Part::Value(self.0)], f),
            scalar => print_scalar(scalar, f),
        }
    }
}

impl fmt::Display for PrintedList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut waiting = Vec::new();
        push_list(&mut waiting, self.0);
        all(waiting, f)
    }
}

enum Part<'v> {
    Value(&'v Value),
    Key(&'v str),
    Sign(&'static str),
}

/// Writes the pending parts, from the last to the first.
fn all(mut waiting: Vec<Part<'_>>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    while let Some(part) = waiting.pop() {
        match part {
            Part::Sign(sign) => f.write_str(sign)?,
            Part::Key(key) => write!(f, "{key}:")?,
            Part::Value(Value::Array(values)) => push_list(&mut waiting, values),
            Part::Value(Value::Object(object)) => {
                let mut entries: Vec<(&String, &Value)> = object.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                waiting.push(Part::Sign("]"));
                for (i, (key, value)) in entries.into_iter().enumerate().rev() {
                    waiting.extend([Part::Value(value), Part::Key(key)]);
                    waiting.extend((i > 0).then_some(Part::Sign(" ")));
                }
                waiting.push(Part::Sign("map["));
            }
            Part::Value(scalar) => print_scalar(scalar, f)?,
        }
    }
    Ok(())
}

fn push_list<'v>(waiting: &mut Vec<Part<'v>>, values: &'v [Value]) {
    waiting.push(Part::Sign("]"));
    for (i, value) in values.iter().enumerate().rev() {
        waiting.push(Part::Value(value));
        waiting.extend((i > 0).then_some(Part::Sign(" ")));
    }
    waiting.push(Part::Sign("["));
}

fn print_scalar(scalar: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match scalar {
        Value::Null => f.write_str("<nil>"),
        Value::Number(number) => write!(f, "{}", Num::of(number)),
        Value::String(text) => f.write_str(text),
        other => write!(f, "{other}"),
    }
}
