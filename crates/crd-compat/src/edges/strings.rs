//! Strings at the edges of the keywords for strings.

use serde_json::Value;

use super::value_set::Values;
use crate::bounds::OBJECT_BYTES;
use crate::sample::pattern::matching_strings;
use crate::sample::strings::small_strings;

/// The maximum number of strings that are taken from the sample strings of a schema.
const SAMPLES: usize = 6;

/// Adds strings at the edges of the lengths, the pattern and the format of a schema.
pub(super) fn add_edge_strings(schema: &Value, values: &mut Values) {
    let samples: Vec<String> = small_strings(schema).into_iter().take(SAMPLES).collect();
    values.extend(samples.iter().cloned().map(Value::String));
    let pattern = schema.get("pattern").and_then(Value::as_str);
    for keyword in ["minLength", "maxLength"] {
        let Some(length) = schema.get(keyword).and_then(Value::as_u64) else {
            continue;
        };
        for length in [length.saturating_sub(1), length, length.saturating_add(1)] {
            match usize::try_from(length) {
                Ok(length) if length <= OBJECT_BYTES => {
                    let strings = strings_of_length(pattern, length);
                    values.extend(strings.into_iter().map(Value::String));
                }
                _ => values.omit_large(),
            }
        }
    }
    let mut strings = Vec::new();
    if let Some(pattern) = pattern {
        let matches = matching_strings(pattern, 0, usize::MAX);
        for string in matches.iter().take(4) {
            strings.extend(near_misses(string));
        }
        strings.extend(matches);
        strings.extend(matching_strings(pattern, 2, 8));
    }
    if schema.get("format").is_some() {
        strings.push("not this format!".to_owned());
        for string in samples.iter().take(3) {
            strings.extend(near_misses(string));
        }
    }
    values.extend(strings.into_iter().map(Value::String));
}

/// Returns strings of a length that match a pattern, and any string of the length.
fn strings_of_length(pattern: Option<&str>, length: usize) -> Vec<String> {
    let mut strings: Vec<String> = pattern
        .map(|pattern| matching_strings(pattern, length, length))
        .unwrap_or_default();
    strings.truncate(2);
    strings.push("a".repeat(length));
    strings
}

/// Returns strings that differ from a string in one place.
pub(super) fn near_misses(string: &str) -> Vec<String> {
    let mut misses = vec![
        format!("{string}!"),
        format!("!{string}"),
        format!("{string}a"),
        format!("{string}-"),
        string.to_ascii_uppercase(),
        format!("{string}\n"),
    ];
    let mut characters = string.chars();
    if characters.next().is_some() {
        misses.push(characters.as_str().to_owned());
    }
    let mut characters = string.chars();
    if characters.next_back().is_some() {
        misses.push(characters.as_str().to_owned());
    }
    misses
}
