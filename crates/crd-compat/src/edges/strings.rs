//! Strings at the edges of the keywords for strings.

use serde_json::Value;

use super::value_set::Values;
use crate::bounds::OBJECT_BYTES;
use crate::sample::pattern::{Lengths, matching_strings, strings_of_one};
use crate::sample::schema::branches;
use crate::sample::strings::small_strings;

/// The maximum number of strings that are taken from the sample strings of a schema.
const SAMPLES: usize = 6;

/// The maximum number of patterns that are compared with each other.
const COMPARED_PATTERNS: usize = 3;

/// The maximum nesting of combinators whose patterns are compared.
const COMBINATOR_LEVELS: usize = 3;

/// The pattern of a string; `None` for any string.
type Pattern<'s> = Option<&'s str>;

/// Adds strings that one of several schemas for the same value accepts and another does not, if the
/// schemas have different patterns.
pub(super) fn add_distinguishing_strings<'s>(
    schemas: impl IntoIterator<Item = &'s Value>,
    values: &mut Values,
) {
    let mut patterns: Vec<(Pattern<'_>, Lengths)> = Vec::new();
    let mut patterns_of_first = None;
    let mut has_difference = false;
    for schema in schemas {
        let patterns_of_schema = patterns_of(schema);
        has_difference |= *patterns_of_first.get_or_insert_with(|| patterns_of_schema.clone())
            != patterns_of_schema;
        for pattern in patterns_of_schema {
            let is_known = patterns.iter().any(|(known, _)| *known == pattern);
            if !is_known && patterns.len() < COMPARED_PATTERNS {
                patterns.push((pattern, lengths_of(schema)));
            }
        }
    }
    if !has_difference {
        return;
    }
    for (pattern, lengths) in &patterns {
        for (other, _) in patterns.iter().filter(|(other, _)| other != pattern) {
            let strings = strings_of_one(pattern.unwrap_or_default(), *other, *lengths);
            values.extend(strings.into_iter().map(Value::String));
        }
    }
}

/// Returns the patterns of a schema for strings and of its combinators.
fn patterns_of(schema: &Value) -> Vec<Pattern<'_>> {
    let kind = schema.get("type").and_then(Value::as_str);
    if kind.is_some_and(|kind| kind != "string") {
        return Vec::new();
    }
    let mut patterns = vec![schema.get("pattern").and_then(Value::as_str)];
    add_patterns_of_branches(schema, &mut patterns, 0);
    patterns
}

fn add_patterns_of_branches<'s>(schema: &'s Value, patterns: &mut Vec<Pattern<'s>>, level: usize) {
    for branch in branches(schema).filter(|_| level < COMBINATOR_LEVELS) {
        let pattern = branch.get("pattern").and_then(Value::as_str);
        patterns.extend(pattern.map(Some));
        add_patterns_of_branches(branch, patterns, level + 1);
    }
}

fn lengths_of(schema: &Value) -> Lengths {
    let length = |keyword: &str| {
        let length = schema.get(keyword).and_then(Value::as_u64)?;
        Some(usize::try_from(length).unwrap_or(usize::MAX))
    };
    Lengths {
        min: length("minLength").unwrap_or(0),
        max: length("maxLength").unwrap_or(usize::MAX),
    }
}

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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::add_distinguishing_strings;
    use crate::edges::value_set::Values;

    fn strings_for(schemas: &[Value]) -> Vec<Value> {
        let mut values = Values::new(100);
        add_distinguishing_strings(schemas, &mut values);
        values.into_list()
    }

    #[test]
    fn only_different_patterns_are_told_apart() {
        let schema = |patterns: [&str; 2]| {
            let [pattern, of_branch] = patterns;
            json!({"type": "string", "pattern": pattern, "anyOf": [{"pattern": of_branch}]})
        };
        let [ab, a, b] = ["^[ab]$", "^a$", "^b$"];
        assert_eq!(strings_for(&[schema([ab, a])]), [] as [Value; 0]);
        assert_eq!(
            strings_for(&[schema([ab, a]), schema([ab, a])]),
            [] as [Value; 0]
        );
        assert_eq!(strings_for(&[schema([ab, a]), schema([ab, b])]), ["b", "a"]);
        let number = json!({"type": "integer", "pattern": a});
        assert_eq!(strings_for(&[number, schema([ab, a])]), ["b"]);
    }
}
