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

/// Compact JSON with sorted keys, as Go prints it. Pending parts are queued in a list, so that deep
/// values take memory rather than stack.
pub struct GoJson<'a>(pub &'a Value);

enum PrintJob<'a> {
    Value(&'a Value),
    Key(&'a str),
    Sign(char),
}

impl fmt::Display for GoJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut waiting = vec![PrintJob::Value(self.0)];
        while let Some(part) = waiting.pop() {
            match part {
                PrintJob::Sign(sign) => f.write_char(sign)?,
                PrintJob::Key(key) => {
                    write_json_string(key, f)?;
                    f.write_char(':')?;
                }
                PrintJob::Value(Value::Array(values)) => {
                    f.write_char('[')?;
                    waiting.push(PrintJob::Sign(']'));
                    for (i, value) in values.iter().enumerate().rev() {
                        waiting.push(PrintJob::Value(value));
                        if i > 0 {
                            waiting.push(PrintJob::Sign(','));
                        }
                    }
                }
                PrintJob::Value(Value::Object(object)) => {
                    let mut entries: Vec<(&String, &Value)> = object.iter().collect();
                    entries.sort_unstable_by_key(|(key, _)| *key);
                    f.write_char('{')?;
                    waiting.push(PrintJob::Sign('}'));
                    for (i, (key, value)) in entries.into_iter().enumerate().rev() {
                        waiting.push(PrintJob::Value(value));
                        waiting.push(PrintJob::Key(key));
                        if i > 0 {
                            waiting.push(PrintJob::Sign(','));
                        }
                    }
                }
                PrintJob::Value(scalar) => json_scalar(scalar, f)?,
            }
        }
        Ok(())
    }
}

fn json_scalar(scalar: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match scalar {
        Value::String(text) => write_json_string(text, f),
        Value::Number(number) => match JsonNumber::from_number(number) {
            JsonNumber::Int(integer) => write!(f, "{integer}"),
            JsonNumber::Float(float) => write!(f, "{}", JsonFloat(float)),
        },
        other => write!(f, "{other}"),
    }
}

/// A string as JSON.
pub struct JsonString<'a>(pub &'a str);

impl fmt::Display for JsonString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_json_string(self.0, f)
    }
}

/// Writes a string in JSON as Go does: `<`, `>` and `&` are escaped, and so are the two line
/// separators of Unicode.
fn write_json_string(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
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
