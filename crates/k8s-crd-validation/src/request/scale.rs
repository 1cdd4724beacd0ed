//! The values at the paths of the scale subresource. Errors in them are never tolerated
//! (`docs/ratcheting.md`, "Never ratcheted").

use core::fmt;

use serde_json::Value;

use crate::schema::print;
use crate::schema::scale::{ReplicasPath, ScalePaths};
use k8s_json_internals::number::JsonNumber;
use union_runtime::path::{FieldPath, PathStep};
use union_runtime::{BadValue, Violation, ViolationKind};

impl ScalePaths {
    /// Checks the values that exist. With `of_status`, a request to `/status`, only the replicas in
    /// the status are checked.
    pub(super) fn check(&self, object: &Value, of_status: bool, report: &mut dyn FnMut(Violation)) {
        let mut invalid = |path: &FieldPath, found: BadValue, detail: String| {
            report(Violation::from_parts(
                ViolationKind::Invalid,
                path.clone(),
                found,
                detail,
            ));
        };
        let replicas = self.replicas.iter();
        for ReplicasPath { path, .. } in
            replicas.filter(|replicas| replicas.is_status || !of_status)
        {
            let found = find(object, path).and_then(|found| match found {
                None => Ok(None),
                Some(Value::Number(number)) => match JsonNumber::from_number(number) {
                    JsonNumber::Int(count) => Ok(Some(count)),
                    JsonNumber::Float(_) => {
                        Err(wrong_type(path, &Value::Number(number.clone()), "int64"))
                    }
                },
                Some(other) => Err(wrong_type(path, other, "int64")),
            });
            match found {
                Err(problem) => invalid(path, print::bad_number(0), problem),
                Ok(Some(count)) if count < 0 => {
                    let detail = "should be a non-negative integer".to_owned();
                    invalid(path, print::bad_number(count), detail);
                }
                Ok(Some(count)) if count > i64::from(i32::MAX) => {
                    let detail = format!("should be less than or equal to {}", i32::MAX);
                    invalid(path, print::bad_number(count), detail);
                }
                Ok(_) => {}
            }
        }
        if let Some(path) = &self.selector {
            let found = find(object, path).and_then(|found| match found {
                None | Some(Value::String(_)) => Ok(()),
                Some(other) => Err(wrong_type(path, other, "string")),
            });
            if let Err(problem) = found {
                invalid(path, BadValue::Quoted(String::new()), problem);
            }
        }
    }
}

/// Returns the value at a path, or `None` if there is no value.
fn find<'v>(object: &'v Value, path: &FieldPath) -> Result<Option<&'v Value>, String> {
    let mut value = object;
    for field in path.steps().filter_map(PathStep::name) {
        let next = match value {
            Value::Object(object) => object.get(field),
            Value::Null => None,
            other => return Err(wrong_type(path, other, "map[string]interface{}")),
        };
        match next {
            Some(next) => value = next,
            None => return Ok(None),
        }
    }
    Ok(Some(value))
}

fn wrong_type(path: &FieldPath, found: &Value, expected: &str) -> String {
    let kind = k8s_json_internals::print::go_type(found);
    format!(
        "{path} accessor error: {} is of the type {kind}, expected {expected}",
        GoValue(found)
    )
}

/// Prints a value like Go's `%v`.
struct GoValue<'v>(&'v Value);

enum PrintJob<'v> {
    Value(&'v Value),
    Text(&'v str),
}

impl fmt::Display for GoValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Pending parts are in a list, so that deep values take no stack.
        let mut waiting = vec![PrintJob::Value(self.0)];
        while let Some(part) = waiting.pop() {
            match part {
                PrintJob::Text(text) => f.write_str(text)?,
                PrintJob::Value(Value::Null) => f.write_str("<nil>")?,
                PrintJob::Value(Value::Bool(value)) => write!(f, "{value}")?,
                PrintJob::Value(Value::Number(number)) => {
                    write!(f, "{}", JsonNumber::from_number(number))?;
                }
                PrintJob::Value(Value::String(text)) => f.write_str(text)?,
                PrintJob::Value(Value::Array(values)) => {
                    f.write_str("[")?;
                    waiting.push(PrintJob::Text("]"));
                    for (i, value) in values.iter().enumerate().rev() {
                        waiting.push(PrintJob::Value(value));
                        if i > 0 {
                            waiting.push(PrintJob::Text(" "));
                        }
                    }
                }
                PrintJob::Value(Value::Object(object)) => {
                    let mut entries: Vec<(&String, &Value)> = object.iter().collect();
                    entries.sort_unstable_by_key(|(key, _)| *key);
                    f.write_str("map[")?;
                    waiting.push(PrintJob::Text("]"));
                    for (i, (key, value)) in entries.into_iter().enumerate().rev() {
                        waiting.push(PrintJob::Value(value));
                        waiting.push(PrintJob::Text(":"));
                        waiting.push(PrintJob::Text(key));
                        if i > 0 {
                            waiting.push(PrintJob::Text(" "));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
