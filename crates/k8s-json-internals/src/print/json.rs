//! JSON values as error messages print them: `pkg/util/validation/field` of `k8s.io/apimachinery`.

use core::fmt::{self, Write as _};

use serde_json::Value;

use crate::print::number::{JsonFloat, JsonNumber};

/// Returns the name of the type that Go parses a JSON value into.
#[must_use]
pub fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) => match JsonNumber::from_number(number) {
            JsonNumber::Int(_) => "int64",
            JsonNumber::Float(_) => "float64",
        },
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// Displays a value as compact JSON with sorted keys, as Go does.
pub struct GoJson<'a>(pub &'a Value);

/// A part of the output that is not yet printed.
enum PrintJob<'a> {
    Value(&'a Value),
    Key(&'a str),
    Punctuation(char),
}

impl fmt::Display for GoJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A list of pending values instead of recursion, because a deep value would overflow the
        // stack.
        let mut pending = vec![PrintJob::Value(self.0)];
        while let Some(job) = pending.pop() {
            match job {
                PrintJob::Punctuation(c) => f.write_char(c)?,
                PrintJob::Key(key) => {
                    write_json_string(key, f)?;
                    f.write_char(':')?;
                }
                PrintJob::Value(Value::Array(values)) => {
                    f.write_char('[')?;
                    pending.push(PrintJob::Punctuation(']'));
                    for (index, value) in values.iter().enumerate().rev() {
                        pending.push(PrintJob::Value(value));
                        if index > 0 {
                            pending.push(PrintJob::Punctuation(','));
                        }
                    }
                }
                PrintJob::Value(Value::Object(object)) => {
                    let mut entries: Vec<(&String, &Value)> = object.iter().collect();
                    entries.sort_unstable_by_key(|(key, _)| *key);
                    f.write_char('{')?;
                    pending.push(PrintJob::Punctuation('}'));
                    for (index, (key, value)) in entries.into_iter().enumerate().rev() {
                        pending.push(PrintJob::Value(value));
                        pending.push(PrintJob::Key(key));
                        if index > 0 {
                            pending.push(PrintJob::Punctuation(','));
                        }
                    }
                }
                PrintJob::Value(scalar) => write_json_scalar(scalar, f)?,
            }
        }
        Ok(())
    }
}

fn write_json_scalar(scalar: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match scalar {
        Value::String(string) => write_json_string(string, f),
        Value::Number(number) => match JsonNumber::from_number(number) {
            JsonNumber::Int(integer) => write!(f, "{integer}"),
            JsonNumber::Float(float) => write!(f, "{}", JsonFloat(float)),
        },
        other => write!(f, "{other}"),
    }
}

/// Displays a string as JSON.
pub struct JsonString<'a>(pub &'a str);

impl fmt::Display for JsonString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_json_string(self.0, f)
    }
}

/// Writes a string as JSON. Like Go's encoder, it also escapes `<`, `>`, `&` and the two line
/// separators of Unicode.
fn write_json_string(string: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in string.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            '\u{8}' => f.write_str("\\b")?,
            '\u{c}' => f.write_str("\\f")?,
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => write!(f, "\\u{:04x}", u32::from(c))?,
            c if c < ' ' => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}
