//! Values as YAML that kubectl parses as the same values.

use std::borrow::Cow;
use std::slice;

use k8s_json_internals::stored::Stored;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use serde_saphyr::{DoubleQuoted, SerializerOptions};

/// The greatest number of characters of a key, with its quotes: YAML reads a key only if its `:`
/// follows within them.
const MAX_KEY_LENGTH: usize = 1024;

/// The number of characters of a key in messages.
const MAX_SHOWN_LENGTH: usize = 40;

/// A document for the printer.
struct YamlDocument<'v>(&'v Value);

impl Serialize for YamlDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::String(text) => DoubleQuoted(text).serialize(serializer),
            other => Stored(other).serialize(serializer),
        }
    }
}

/// Returns a value as YAML.
pub(crate) fn document(value: &Value) -> String {
    // YAML can hold all values of JSON; if writing fails nevertheless, JSON is YAML.
    documents(slice::from_ref(value)).unwrap_or_else(|_| value.to_string())
}

/// Returns documents as YAML, or a message.
pub(super) fn documents(values: &[Value]) -> Result<String, String> {
    if let Some(key) = values.iter().find_map(long_key) {
        let start: String = key.chars().take(MAX_SHOWN_LENGTH).collect();
        let start = format!("{start}...");
        return Err(format!(
            "the key {start:?} exceeds the limit of {MAX_KEY_LENGTH} characters"
        ));
    }
    let documents: Vec<YamlDocument<'_>> = values.iter().map(YamlDocument).collect();
    let text = serde_saphyr::to_string_multiple_with_options(&documents, options(values));
    text.map(quote_separators)
        .map_err(|error| error.to_string())
}

/// Returns a key of a value that is too long for YAML.
fn long_key(value: &Value) -> Option<&str> {
    match value {
        Value::Array(items) => items.iter().find_map(long_key),
        Value::Object(fields) => fields.iter().find_map(|(key, value)| {
            let is_long = key.len() > MAX_KEY_LENGTH / 6 && printed_length(key) > MAX_KEY_LENGTH;
            if is_long {
                Some(key.as_str())
            } else {
                long_key(value)
            }
        }),
        _ => None,
    }
}

/// Returns the number of characters of a printed key.
fn printed_length(key: &str) -> usize {
    let map: Map<String, Value> = [(key.to_owned(), Value::Null)].into_iter().collect();
    let printed = serde_saphyr::to_string(&map).unwrap_or_default();
    let printed = printed.trim_end().trim_end_matches(": null");
    printed.chars().count()
}

/// Quotes the keys that kubectl would take for a separator of documents: it separates at each line
/// that begins with `---`.
fn quote_separators(text: String) -> String {
    const SEPARATOR: &str = "---";
    let is_key = |line: &str| line.starts_with(SEPARATOR) && line.trim_end() != SEPARATOR;
    if !text.lines().any(is_key) {
        return text;
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let Some((key, value)) = line.split_once(':').filter(|_| is_key(line)) else {
            return Cow::Borrowed(line);
        };
        // A key without quotes has no colon.
        Cow::Owned(format!("'{}':{value}", key.replace('\'', "''")))
    });
    lines.collect()
}

/// Returns options with which kubectl parses the printed YAML as the same values. It rejects a
/// block scalar whose first line begins with a tab, so the strings are quoted if there is one.
fn options(values: &[Value]) -> SerializerOptions {
    let has_tab = values.iter().any(has_string_with_tab_first);
    serde_saphyr::ser_options! { prefer_block_scalars: !has_tab }
}

/// Returns true if the first line of a string in a value begins with a tab.
fn has_string_with_tab_first(value: &Value) -> bool {
    match value {
        Value::String(text) => text.trim_start_matches('\n').starts_with('\t'),
        Value::Array(items) => items.iter().any(has_string_with_tab_first),
        Value::Object(fields) => fields.values().any(has_string_with_tab_first),
        _ => false,
    }
}
