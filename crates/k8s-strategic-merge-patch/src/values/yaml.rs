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
            write_scalar(self.0, f)?;
            return f.write_str("\n");
        }
        write_block(self.0, 0, false, f)
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

/// Writes the lines of an object or a list. If `follows_dash` is true, the first line is already
/// indented, because it follows a dash.
fn write_block(
    value: &Value,
    indent: usize,
    follows_dash: bool,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut is_indented = follows_dash;
    let mut indent_line = |f: &mut fmt::Formatter<'_>| {
        let width = if is_indented { 0 } else { indent };
        is_indented = false;
        write!(f, "{:width$}", "")
    };
    match value {
        Value::Object(object) => {
            let mut entries: Vec<(&String, &Value)> = object.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            for (key, value) in entries {
                indent_line(f)?;
                write_string(key, f)?;
                f.write_str(":")?;
                match value {
                    Value::Array(_) if is_block(value) => {
                        f.write_str("\n")?;
                        write_block(value, indent, false, f)?;
                    }
                    _ if is_block(value) => {
                        f.write_str("\n")?;
                        write_block(value, indent + 2, false, f)?;
                    }
                    _ => {
                        f.write_str(" ")?;
                        write_scalar(value, f)?;
                        f.write_str("\n")?;
                    }
                }
            }
        }
        Value::Array(values) => {
            for value in values {
                indent_line(f)?;
                f.write_str("- ")?;
                if is_block(value) {
                    write_block(value, indent + 2, true, f)?;
                } else {
                    write_scalar(value, f)?;
                    f.write_str("\n")?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn write_scalar(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Value::String(value) => write_string(value, f),
        Value::Number(number) => write!(f, "{}", JsonNumber::from_number(number)),
        // `null`, `true`, `[]`, `{}`
        other => write!(f, "{other}"),
    }
}

/// Writes a string, in quotes if YAML would read it as another type.
fn write_string(string: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if is_plain(string) {
        f.write_str(string)
    } else if string.chars().any(char::is_control) {
        // JSON's escapes are YAML's too.
        write!(f, "{}", Value::from(string))
    } else if resolves_to_other_type(string) {
        write!(f, "\"{string}\"")
    } else {
        write!(f, "'{}'", string.replace('\'', "''"))
    }
}

fn is_plain(string: &str) -> bool {
    let first = string.chars().next();
    let has_plain_start = first.is_some_and(|first| !"-?:,[]{}#&*!|>'\"%@` ".contains(first))
        || string
            .strip_prefix(['-', '?', ':'])
            .is_some_and(|following| !following.is_empty() && !following.starts_with(' '));
    let has_plain_content = !string.contains(": ")
        && !string.contains(" #")
        && !string.ends_with([':', ' '])
        && !string.chars().any(char::is_control);
    has_plain_start && has_plain_content && !resolves_to_other_type(string) && string != "---"
}

/// Returns true if YAML reads a string without quotes as null, a bool or a number.
fn resolves_to_other_type(string: &str) -> bool {
    const WORDS: [&str; 13] = [
        "", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", "=",
    ];
    let lowercase = string.to_ascii_lowercase();
    let number = lowercase.trim_start_matches(['-', '+']).replace('_', "");
    WORDS.contains(&lowercase.as_str())
        || number.parse::<f64>().is_ok()
        || number == ".inf"
        || number.starts_with("0x")
        || number.starts_with("0b")
        || number.starts_with("0o")
}
