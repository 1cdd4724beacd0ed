//! The list of the values of an enum type, at the end of a description (KEP-2887).

use core::fmt::Write as _;

use serde_json::{Map, Value};

use crate::print::quote::GoQuoted;

/// The heading of the list of values at the end of a description, as Kubernetes writes it
/// (KEP-2887).
pub const POSSIBLE_VALUES: &str = "Possible enum values:";

/// Returns the part of a description before the list of values, or `None` if the description does
/// not end with a list of values.
#[must_use]
pub fn description_without_values(description: &str) -> Option<&str> {
    let lines = description.rsplit('\n');
    let value_lines = lines.take_while(|line| line.starts_with(" - `\""));
    let list_len: usize = value_lines.map(|line| line.len() + 1).sum();
    let heading_end = description.len().checked_sub(list_len)?;
    let text = description.get(..heading_end)?;
    let text = text.strip_suffix(POSSIBLE_VALUES)?;
    let has_list = list_len > 0 && (text.is_empty() || text.ends_with('\n'));
    has_list.then(|| text.trim_end())
}

/// Returns the list of values: ``Possible enum values:``, followed by a line `` - `"A"` doc comment
/// of A`` for each value.
#[must_use]
pub fn value_list(values: &[&str], docs: &[&str]) -> String {
    let mut list = POSSIBLE_VALUES.to_owned();
    for (i, value) in values.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(list, "\n - `{}`", GoQuoted(value));
        for word in docs.get(i).unwrap_or(&"").split_whitespace() {
            list.push(' ');
            list.push_str(word);
        }
    }
    list
}

/// Adds the list of values at the end of the description, or replaces the list that is already
/// there.
pub fn set_value_list(schema: &mut Map<String, Value>, list: &str) {
    let description = schema.get("description").and_then(Value::as_str);
    let description = description.unwrap_or_default();
    let doc = description_without_values(description).unwrap_or(description);
    let text = doc.trim_end();
    let separator = if text.is_empty() { "" } else { "\n\n" };
    let description = format!("{text}{separator}{list}");
    schema.insert("description".into(), description.into());
}
