//! Converts JSON names to Rust identifiers: deterministic, and unique in a scope.

use std::collections::{HashMap, HashSet};

/// Keywords that are not valid as raw identifiers.
const NEVER_RAW: [&str; 5] = ["self", "Self", "super", "crate", "_"];

/// Names with another meaning in code that the derives of kube and serde generate.
const RESERVED_NAMES: [&str; 52] = [
    "Arc",
    "AsMut",
    "AsRef",
    "BTreeMap",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Drop",
    "Eq",
    "Err",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Hash",
    "HashMap",
    "Into",
    "IntoIterator",
    "Iterator",
    "JsonSchema",
    "ListMerge",
    "MapMerge",
    "Message",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Reason",
    "Resource",
    "Result",
    "Rule",
    "Self",
    "Send",
    "Serialize",
    "Sized",
    "Some",
    "String",
    "StructMerge",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Validated",
    "Vec",
];

/// Splits a name into words: `podIPs` is `pod`, `IPs`; `URLRewrite` is `URL`, `Rewrite`; `a-b` is
/// `a`, `b`.
fn split_words(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (index, &character) in characters.iter().enumerate() {
        if !character.is_ascii_alphanumeric() {
            words.push(std::mem::take(&mut word));
            continue;
        }
        let previous_char = index
            .checked_sub(1)
            .and_then(|index| characters.get(index))
            .copied();
        let next_char = characters.get(index + 1).copied();
        let after_next = characters.get(index + 2).copied();
        let starts_word = character.is_ascii_uppercase()
            && match (previous_char, next_char) {
                (Some(previous_char), _)
                    if previous_char.is_ascii_lowercase() || previous_char.is_ascii_digit() =>
                {
                    true
                }
                // The plural of an abbreviation, such as `IPs`, is one word.
                (Some(previous_char), Some('s')) if previous_char.is_ascii_uppercase() => {
                    after_next.is_some_and(|after_next| after_next.is_ascii_lowercase())
                }
                (Some(previous_char), Some(next_char)) => {
                    previous_char.is_ascii_uppercase() && next_char.is_ascii_lowercase()
                }
                _ => false,
            };
        if starts_word {
            words.push(std::mem::take(&mut word));
        }
        word.push(character);
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the name in Pascal case: `PodIps` for `podIPs`. The result may be empty, or start with a
/// digit.
pub(crate) fn pascal_case(name: &str) -> String {
    let mut pascal_name = String::new();
    for word in split_words(name) {
        let mut characters = word.chars();
        // An underscore separates digits of different words, so that `1-2` and `12` differ.
        if pascal_name.ends_with(|last: char| last.is_ascii_digit())
            && word.starts_with(|first: char| first.is_ascii_digit())
        {
            pascal_name.push('_');
        }
        pascal_name.extend(characters.next().map(|first| first.to_ascii_uppercase()));
        pascal_name.extend(characters.map(|character| character.to_ascii_lowercase()));
    }
    pascal_name
}

/// Returns the name in snake case: `pod_ips` for `podIPs`. The result may be empty, or start with a
/// digit.
pub(crate) fn snake_case(name: &str) -> String {
    split_words(name).join("_").to_ascii_lowercase()
}

/// Returns the JSON name that serde's `rename_all = "camelCase"` gives to a field.
pub(crate) fn serde_camel_case(field: &str) -> String {
    let mut camel_name = String::new();
    let mut uppercase_next = false;
    for character in field.chars() {
        if character == '_' {
            uppercase_next = true;
        } else if uppercase_next && !camel_name.is_empty() {
            camel_name.push(character.to_ascii_uppercase());
            uppercase_next = false;
        } else {
            camel_name.push(character.to_ascii_lowercase());
            uppercase_next = false;
        }
    }
    camel_name
}

/// Returns a unique identifier for a field or a module.
pub(crate) fn field_name(name: &str, names: &mut NameScope) -> String {
    let mut ident = snake_case(name);
    if ident.is_empty() || ident.starts_with(|first: char| first.is_ascii_digit()) {
        ident.insert_str(0, if ident.is_empty() { "field" } else { "_" });
    }
    if NEVER_RAW.contains(&&*ident) {
        ident.push('_');
    }
    names.reserve(&ident, "_")
}

/// Returns a unique identifier for a type. `fallback` is added as a prefix if `name` does not start
/// with a letter.
pub(crate) fn type_name(name: &str, fallback: &str, names: &mut NameScope) -> String {
    let mut ident = ensure_letter_first(name, fallback);
    // `KubeSchema` generates a struct with the suffix `Validated`, which could conflict with the
    // type.
    if RESERVED_NAMES.contains(&&*ident) || ident.ends_with("Validated") {
        ident.push_str("Object");
    }
    names.reserve(&ident, "")
}

/// Returns a name that starts with a letter, if necessary with the prefix `fallback`.
fn ensure_letter_first(name: &str, fallback: &str) -> String {
    let starts_with_letter = name.starts_with(|first: char| first.is_ascii_alphabetic());
    let prefix = if starts_with_letter { "" } else { fallback };
    format!("{prefix}{name}")
}

/// Returns a unique identifier for a variant. `fallback` is added as a prefix if `name` does not
/// start with a letter.
pub(crate) fn variant_name(name: &str, fallback: &str, names: &mut NameScope) -> String {
    let mut ident = ensure_letter_first(name, fallback);
    if NEVER_RAW.contains(&&*ident) {
        ident.push('_');
    }
    names.reserve(&ident, "")
}

/// Returns the name of a kind's type, which is the kind itself if it is a valid type name.
pub(crate) fn kind_name(kind: &str) -> String {
    let is_name = kind.starts_with(|first: char| first.is_ascii_uppercase())
        && kind
            .chars()
            .all(|character| character.is_ascii_alphanumeric());
    if is_name {
        kind.to_owned()
    } else {
        pascal_case(kind)
    }
}

/// The names that are taken in a scope.
#[derive(Debug, Default)]
pub(crate) struct NameScope {
    taken_names: HashSet<String>,
    /// The next number for a name that is already taken.
    next_numbers: HashMap<String, usize>,
}

impl NameScope {
    /// Reserves the name, or the name with the smallest number that makes the name unique. Returns
    /// the reserved name.
    pub(crate) fn reserve(&mut self, name: &str, separator: &str) -> String {
        if self.taken_names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next_number = self.next_numbers.entry(name.to_owned()).or_insert(2);
        // `self_` becomes `self_2` and `Self_` becomes `Self2`, because rustc warns about `self__2`
        // and `Self_2`.
        let name = name.strip_suffix('_').unwrap_or(name);
        loop {
            let numbered_name = format!("{name}{separator}{next_number}");
            *next_number += 1;
            if self.taken_names.insert(numbered_name.clone()) {
                return numbered_name;
            }
        }
    }
}
