//! Converts values to YAML that kubectl parses as the same values.

use std::borrow::Cow;
use std::slice;

use k8s_json_internals::normalized_numbers::NormalizedNumbers;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use serde_saphyr::{DoubleQuoted, SerializerOptions};

/// The maximum length of a key with its quotes, in characters. A YAML parser does not recognize a
/// longer string as a key.
const MAX_KEY_LENGTH: usize = 1024;

/// The maximum length of a key in messages, in characters.
const MAX_SHOWN_LENGTH: usize = 40;

/// A document for the YAML serializer. A document that is only a string is printed in quotes.
struct YamlDocument<'v>(&'v Value);

impl Serialize for YamlDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::String(string) => DoubleQuoted(string).serialize(serializer),
            value => NormalizedNumbers(value).serialize(serializer),
        }
    }
}

/// Returns a value as YAML.
pub(crate) fn document(value: &Value) -> String {
    // Writing fails if a key is too long. JSON is then returned, which is also YAML.
    documents(slice::from_ref(value)).unwrap_or_else(|_| value.to_string())
}

/// Returns documents as YAML, or an error message.
pub(super) fn documents(values: &[Value]) -> Result<String, String> {
    if let Some(key) = values.iter().find_map(find_long_key) {
        let shown_key: String = key.chars().take(MAX_SHOWN_LENGTH).collect();
        let shown_key = format!("{shown_key}...");
        return Err(format!(
            "the key {shown_key:?} exceeds the limit of {MAX_KEY_LENGTH} characters"
        ));
    }
    let documents: Vec<YamlDocument<'_>> = values.iter().map(YamlDocument).collect();
    let yaml =
        serde_saphyr::to_string_multiple_with_options(&documents, serializer_options(values));
    yaml.map(quote_separators)
        .map_err(|error| error.to_string())
}

/// Returns the first key in a value that is too long for YAML.
fn find_long_key(value: &Value) -> Option<&str> {
    match value {
        Value::Array(items) => items.iter().find_map(find_long_key),
        Value::Object(fields) => fields.iter().find_map(|(key, value)| {
            let is_long = key.len() > MAX_KEY_LENGTH / 6 && printed_length(key) > MAX_KEY_LENGTH;
            if is_long {
                Some(key.as_str())
            } else {
                find_long_key(value)
            }
        }),
        _ => None,
    }
}

/// Returns the length of a printed key, in characters.
fn printed_length(key: &str) -> usize {
    let map: Map<String, Value> = [(key.to_owned(), Value::Null)].into_iter().collect();
    let yaml = serde_saphyr::to_string(&map).unwrap_or_default();
    let yaml_key = yaml.trim_end().trim_end_matches(": null");
    yaml_key.chars().count()
}

/// Quotes the keys that kubectl would read as a document separator: kubectl splits a file at each
/// line that begins with `---`.
fn quote_separators(yaml: String) -> String {
    const SEPARATOR: &str = "---";
    let is_separator_key = |line: &str| line.starts_with(SEPARATOR) && line.trim_end() != SEPARATOR;
    if !yaml.lines().any(is_separator_key) {
        return yaml;
    }
    let lines = yaml.split_inclusive('\n').map(|line| {
        let Some((key, value)) = line.split_once(':').filter(|_| is_separator_key(line)) else {
            return Cow::Borrowed(line);
        };
        // The printer quotes a key that contains a colon, so the first colon ends the key.
        Cow::Owned(format!("'{}':{value}", key.replace('\'', "''")))
    });
    lines.collect()
}

/// Returns the options of the YAML serializer. kubectl rejects a block scalar whose first line
/// begins with a tab, so block scalars are disabled if the values contain such a string.
fn serializer_options(values: &[Value]) -> SerializerOptions {
    let has_tab = values.iter().any(has_string_with_leading_tab);
    serde_saphyr::ser_options! { prefer_block_scalars: !has_tab }
}

/// Returns true if a value contains a string whose first line begins with a tab.
fn has_string_with_leading_tab(value: &Value) -> bool {
    match value {
        Value::String(text) => text.trim_start_matches('\n').starts_with('\t'),
        Value::Array(items) => items.iter().any(has_string_with_leading_tab),
        Value::Object(fields) => fields.values().any(has_string_with_leading_tab),
        _ => false,
    }
}
