//! Values as they are printed in messages.

use core::fmt;

use serde_json::Value;

use k8s_json_internals::number::Num;

/// A value as Go prints it: `map[a:1 b:[x <nil>]]`. Documents are not deeper than the limits allow, so it may recurse.
pub(super) struct Printed<'v>(pub(super) &'v Value);

/// Values as Go prints a list of them.
pub(super) struct PrintedList<'v>(pub(super) &'v [Value]);

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Null => f.write_str("<nil>"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Number(number) => write!(f, "{}", Num::of(number)),
            Value::String(text) => f.write_str(text),
            Value::Array(values) => write!(f, "{}", PrintedList(values)),
            Value::Object(object) => {
                let mut entries: Vec<(&String, &Value)> = object.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                f.write_str("map[")?;
                for (i, (key, value)) in entries.into_iter().enumerate() {
                    let space = if i > 0 { " " } else { "" };
                    write!(f, "{space}{key}:{}", Printed(value))?;
                }
                f.write_str("]")
            }
        }
    }
}

impl fmt::Display for PrintedList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, value) in self.0.iter().enumerate() {
            let space = if i > 0 { " " } else { "" };
            write!(f, "{space}{}", Printed(value))?;
        }
        f.write_str("]")
    }
}
