//! Values as messages print them.

use core::fmt;

use serde_json::Value;

use k8s_json_internals::number::JsonNumber;

/// A value as Go prints it: `map[a:1 b:[x <nil>]]`. The value may be in a document that is too
/// deep, so printing uses a stack of jobs instead of recursion.
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
        let mut pending = Vec::new();
        push_list(&mut pending, self.0);
        print_jobs(pending, f)
    }
}

enum PrintJob<'v> {
    Value(&'v Value),
    Key(&'v str),
    Punctuation(&'static str),
}

/// Runs the pending jobs, from the last to the first.
fn print_jobs(mut pending: Vec<PrintJob<'_>>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    while let Some(job) = pending.pop() {
        match job {
            PrintJob::Punctuation(text) => f.write_str(text)?,
            PrintJob::Key(key) => write!(f, "{key}:")?,
            PrintJob::Value(Value::Array(values)) => push_list(&mut pending, values),
            PrintJob::Value(Value::Object(object)) => {
                let mut entries: Vec<(&String, &Value)> = object.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                pending.push(PrintJob::Punctuation("]"));
                for (i, (key, value)) in entries.into_iter().enumerate().rev() {
                    pending.extend([PrintJob::Value(value), PrintJob::Key(key)]);
                    pending.extend((i > 0).then_some(PrintJob::Punctuation(" ")));
                }
                pending.push(PrintJob::Punctuation("map["));
            }
            PrintJob::Value(scalar) => print_scalar(scalar, f)?,
        }
    }
    Ok(())
}

fn push_list<'v>(pending: &mut Vec<PrintJob<'v>>, values: &'v [Value]) {
    pending.push(PrintJob::Punctuation("]"));
    for (i, value) in values.iter().enumerate().rev() {
        pending.push(PrintJob::Value(value));
        pending.extend((i > 0).then_some(PrintJob::Punctuation(" ")));
    }
    pending.push(PrintJob::Punctuation("["));
}

fn print_scalar(scalar: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match scalar {
        Value::Null => f.write_str("<nil>"),
        Value::Number(number) => write!(f, "{}", JsonNumber::from_number(number)),
        Value::String(text) => f.write_str(text),
        other => write!(f, "{other}"),
    }
}
