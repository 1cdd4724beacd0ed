//! Values as messages print them.

use core::fmt;

use serde_json::Value;

use k8s_json_internals::number::JsonNumber;

/// A value as Go prints it: `map[a:1 b:[x <nil>]]`. The value may be in a document that is too
/// deep, so printing uses a list of pending parts instead of recursion.
pub(crate) struct GoValue<'v>(pub(crate) &'v Value);

/// A list of values as Go prints it.
pub(crate) struct GoList<'v>(pub(crate) &'v [Value]);

impl fmt::Display for GoValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Array(_) | Value::Object(_) => print_jobs(vec![PrintJob::Value(self.0)], f),
            scalar => print_scalar(scalar, f),
        }
    }
}

impl fmt::Display for GoList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut waiting = Vec::new();
        push_list(&mut waiting, self.0);
        print_jobs(waiting, f)
    }
}

enum PrintJob<'v> {
    Value(&'v Value),
    Key(&'v str),
    Sign(&'static str),
}

/// Writes the pending parts, from the last to the first.
fn print_jobs(mut waiting: Vec<PrintJob<'_>>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    while let Some(part) = waiting.pop() {
        match part {
            PrintJob::Sign(sign) => f.write_str(sign)?,
            PrintJob::Key(key) => write!(f, "{key}:")?,
            PrintJob::Value(Value::Array(values)) => push_list(&mut waiting, values),
            PrintJob::Value(Value::Object(object)) => {
                let mut entries: Vec<(&String, &Value)> = object.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                waiting.push(PrintJob::Sign("]"));
                for (i, (key, value)) in entries.into_iter().enumerate().rev() {
                    waiting.extend([PrintJob::Value(value), PrintJob::Key(key)]);
                    waiting.extend((i > 0).then_some(PrintJob::Sign(" ")));
                }
                waiting.push(PrintJob::Sign("map["));
            }
            PrintJob::Value(scalar) => print_scalar(scalar, f)?,
        }
    }
    Ok(())
}

fn push_list<'v>(waiting: &mut Vec<PrintJob<'v>>, values: &'v [Value]) {
    waiting.push(PrintJob::Sign("]"));
    for (i, value) in values.iter().enumerate().rev() {
        waiting.push(PrintJob::Value(value));
        waiting.extend((i > 0).then_some(PrintJob::Sign(" ")));
    }
    waiting.push(PrintJob::Sign("["));
}

fn print_scalar(scalar: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match scalar {
        Value::Null => f.write_str("<nil>"),
        Value::Number(number) => write!(f, "{}", JsonNumber::from_number(number)),
        Value::String(text) => f.write_str(text),
        other => write!(f, "{other}"),
    }
}
