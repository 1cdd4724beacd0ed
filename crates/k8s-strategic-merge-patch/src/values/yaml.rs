//! Values as YAML, for the message of a conflict.

use core::fmt;

use serde_json::Value;

use k8s_json_internals::number::JsonNumber;

/// A value as Kubernetes prints it in YAML: keys sorted, lists not indented. Printing recurses,
/// because documents are not deeper than the limits allow.
pub(crate) struct Yaml<'v>(pub(crate) &'v Value);

impl fmt::Display for Yaml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !is_block(self.0) {
            scalar(self.0, f)?;
            return f.write_str("\n");
        }
        block(self.0, 0, false, f)
    }
}

/// Returns true if a value is printed on lines of its own.
fn is_block(value: &Value) -> bool {
    match value {
        Value::Object(object) => !object.is_empty(),
        Value::Array(values) => !values.is_empty(),
        _ => false,
    }
}

/// Writes the lines of an object or a list. With `goes_on`, the first line follows a dash and is
/// already indented.
fn block(value: &Value, indent: usize, goes_on: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut is_indented = goes_on;
    let mut start = |f: &mut fmt::Formatter<'_>| {
        let width = if is_indented { 0 } else { indent };
        is_indented = false;
        write!(f, "{:width$}", "")
    };
    match value {
        Value::Object(object) => {
            let mut entries: Vec<(&String, &Value)> = object.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            for (key, value) in entries {
                start(f)?;
                text(key, f)?;
                f.write_str(":")?;
                match value {
                    Value::Array(_) if is_block(value) => {
                        f.write_str("\n")?;
                        block(value, indent, false, f)?;
                    }
                    _ if is_block(value) => {
                        f.write_str("\n")?;
                        block(value, indent + 2, false, f)?;
                    }
                    _ => {
                        f.write_str(" ")?;
                        scalar(value, f)?;
                        f.write_str("\n")?;
                    }
                }
            }
        }
        Value::Array(values) => {
            for value in values {
                start(f)?;
                f.write_str("- ")?;
                if is_block(value) {
                    block(value, indent + 2, true, f)?;
                } else {
                    scalar(value, f)?;
                    f.write_str("\n")?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn scalar(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Value::String(value) => text(value, f),
        Value::Number(number) => write!(f, "{}", JsonNumber::from_number(number)),
        // `null`, `true`, `[]`, `{}`
        other => write!(f, "{other}"),
    }
}

/// Writes a string, in quotes if YAML would read it as another type.
fn text(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if is_plain(text) {
        f.write_str(text)
    } else if text.chars().any(char::is_control) {
        // JSON's escapes are YAML's too.
        write!(f, "{}", Value::from(text))
    } else if reads_as_another(text) {
        write!(f, "\"{text}\"")
    } else {
        write!(f, "'{}'", text.replace('\'', "''"))
    }
}

fn is_plain(text: &str) -> bool {
    let first = text.chars().next();
    let starts_well = first.is_some_and(|first| !"-?:,[]{}#&*!|>'\"%@` ".contains(first))
        || text
            .strip_prefix(['-', '?', ':'])
            .is_some_and(|after| !after.is_empty() && !after.starts_with(' '));
    let is_clear = !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with([':', ' '])
        && !text.chars().any(char::is_control);
    starts_well && is_clear && !reads_as_another(text) && text != "---"
}

/// Returns true if YAML reads a string without quotes as null, a bool or a number.
fn reads_as_another(text: &str) -> bool {
    const WORDS: [&str; 13] = [
        "", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", "=",
    ];
    let lower = text.to_ascii_lowercase();
    let number = lower.trim_start_matches(['-', '+']).replace('_', "");
    WORDS.contains(&lower.as_str())
        || number.parse::<f64>().is_ok()
        || number == ".inf"
        || number.starts_with("0x")
        || number.starts_with("0b")
        || number.starts_with("0o")
}
