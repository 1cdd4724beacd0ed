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
    /// Checks the values that exist. A request to `/status` does not check the replicas in the
    /// spec.
    pub(super) fn check(
        &self,
        object: &Value,
        is_status_request: bool,
        report: &mut dyn FnMut(Violation),
    ) {
        let mut invalid = |path: &FieldPath, bad_value: BadValue, detail: String| {
            report(Violation::from_parts(
                ViolationKind::Invalid,
                path.clone(),
                bad_value,
                detail,
            ));
        };
        let replicas = self.replicas.iter();
        for ReplicasPath { path, .. } in
            replicas.filter(|replicas| replicas.is_status || !is_status_request)
        {
            let replica_count = find(object, path).and_then(|value| match value {
                None => Ok(None),
                Some(Value::Number(number)) => match JsonNumber::from_number(number) {
                    JsonNumber::Int(count) => Ok(Some(count)),
                    JsonNumber::Float(_) => {
                        Err(type_error(path, &Value::Number(number.clone()), "int64"))
                    }
                },
                Some(other_value) => Err(type_error(path, other_value, "int64")),
            });
            match replica_count {
                Err(detail) => invalid(path, print::bad_number(0), detail),
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
            let type_check = find(object, path).and_then(|value| match value {
                None | Some(Value::String(_)) => Ok(()),
                Some(other_value) => Err(type_error(path, other_value, "string")),
            });
            if let Err(detail) = type_check {
                invalid(path, BadValue::Quoted(String::new()), detail);
            }
        }
    }
}

/// Returns the value at a path, or `None` if there is no value.
///
/// # Errors
///
/// Returns the error message if a value on the path is not an object.
fn find<'v>(object: &'v Value, path: &FieldPath) -> Result<Option<&'v Value>, String> {
    let mut value = object;
    for field in path.steps().filter_map(PathStep::name) {
        let next = match value {
            Value::Object(object) => object.get(field),
            Value::Null => None,
            other_value => return Err(type_error(path, other_value, "map[string]interface{}")),
        };
        match next {
            Some(next) => value = next,
            None => return Ok(None),
        }
    }
    Ok(Some(value))
}

/// Returns the message for a value of a wrong type on a path.
fn type_error(path: &FieldPath, value: &Value, expected: &str) -> String {
    let kind = k8s_json_internals::print::go_type(value);
    format!(
        "{path} accessor error: {} is of the type {kind}, expected {expected}",
        GoValue(value)
    )
}

/// Prints a value like Go's `%v`.
struct GoValue<'v>(&'v Value);

/// A part of the output that is not yet printed.
enum PrintJob<'v> {
    Value(&'v Value),
    Text(&'v str),
}

impl fmt::Display for GoValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Pending parts are in a list, because recursion could overflow the stack for deep values.
        let mut pending = vec![PrintJob::Value(self.0)];
        while let Some(part) = pending.pop() {
            match part {
                PrintJob::Text(string) => f.write_str(string)?,
                PrintJob::Value(Value::Null) => f.write_str("<nil>")?,
                PrintJob::Value(Value::Bool(value)) => write!(f, "{value}")?,
                PrintJob::Value(Value::Number(number)) => {
                    write!(f, "{}", JsonNumber::from_number(number))?;
                }
                PrintJob::Value(Value::String(string)) => f.write_str(string)?,
                PrintJob::Value(Value::Array(values)) => {
                    f.write_str("[")?;
                    pending.push(PrintJob::Text("]"));
                    for (i, value) in values.iter().enumerate().rev() {
                        pending.push(PrintJob::Value(value));
                        if i > 0 {
                            pending.push(PrintJob::Text(" "));
                        }
                    }
                }
                PrintJob::Value(Value::Object(object)) => {
                    let mut entries: Vec<(&String, &Value)> = object.iter().collect();
                    entries.sort_unstable_by_key(|(key, _)| *key);
                    f.write_str("map[")?;
                    pending.push(PrintJob::Text("]"));
                    for (i, (key, value)) in entries.into_iter().enumerate().rev() {
                        pending.push(PrintJob::Value(value));
                        pending.push(PrintJob::Text(":"));
                        pending.push(PrintJob::Text(key));
                        if i > 0 {
                            pending.push(PrintJob::Text(" "));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
