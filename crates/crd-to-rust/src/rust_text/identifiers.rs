//! Converts JSON names to Rust identifiers: deterministic, and unique in a scope.

use std::collections::{HashMap, HashSet};

/// Words that are not valid identifiers, even as raw identifiers.
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
fn words(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (index, &character) in characters.iter().enumerate() {
        if !character.is_ascii_alphanumeric() {
            words.push(std::mem::take(&mut word));
            continue;
        }
        let previous = index
            .checked_sub(1)
            .and_then(|index| characters.get(index))
            .copied();
        let next = characters.get(index + 1).copied();
        let after_next = characters.get(index + 2).copied();
        let starts_word = character.is_ascii_uppercase()
            && match (previous, next) {
                (Some(previous), _)
                    if previous.is_ascii_lowercase() || previous.is_ascii_digit() =>
                {
                    true
                }
                // The plural of an abbreviation, such as `IPs`, is one word.
                (Some(previous), Some('s')) if previous.is_ascii_uppercase() => {
                    after_next.is_some_and(|after_next| after_next.is_ascii_lowercase())
                }
                (Some(previous), Some(next)) => {
                    previous.is_ascii_uppercase() && next.is_ascii_lowercase()
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
    let mut out = String::new();
    for word in words(name) {
        let mut characters = word.chars();
        // An underscore separates digits of different words, so that `1-2` and `12` differ.
        if out.ends_with(|last: char| last.is_ascii_digit())
            && word.starts_with(|first: char| first.is_ascii_digit())
        {
            out.push('_');
        }
        out.extend(characters.next().map(|first| first.to_ascii_uppercase()));
        out.extend(characters.map(|character| character.to_ascii_lowercase()));
    }
    out
}

/// Returns the name in snake case: `pod_ips` for `podIPs`. The result may be empty, or start with a
/// digit.
pub(crate) fn snake_case(name: &str) -> String {
    words(name).join("_").to_ascii_lowercase()
}

/// Returns the JSON name that serde's `rename_all = "camelCase"` gives to a field.
pub(crate) fn serde_camel_case(field: &str) -> String {
    let mut out = String::new();
    let mut uppercase_next = false;
    for character in field.chars() {
        if character == '_' {
            uppercase_next = true;
        } else if uppercase_next && !out.is_empty() {
            out.push(character.to_ascii_uppercase());
            uppercase_next = false;
        } else {
            out.push(character.to_ascii_lowercase());
            uppercase_next = false;
        }
    }
    out
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
    let mut ident = with_letter(name, fallback);
    // `KubeSchema` generates a struct with the suffix `Validated`, which could conflict with the
    // type.
    if RESERVED_NAMES.contains(&&*ident) || ident.ends_with("Validated") {
        ident.push_str("Object");
    }
    names.reserve(&ident, "")
}

/// Returns a name that starts with a letter, if necessary with the prefix `fallback`.
fn with_letter(name: &str, fallback: &str) -> String {
    let starts_with_letter = name.starts_with(|first: char| first.is_ascii_alphabetic());
    let prefix = if starts_with_letter { "" } else { fallback };
    format!("{prefix}{name}")
}

/// Returns a unique identifier for a variant. `fallback` is added as a prefix if `name` does not
/// start with a letter.
pub(crate) fn variant_name(name: &str, fallback: &str, names: &mut NameScope) -> String {
    let mut ident = with_letter(name, fallback);
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
    taken: HashSet<String>,
    /// The next number for a name that is already taken.
    next: HashMap<String, usize>,
}

impl NameScope {
    /// Returns the name, or else the name with the smallest number that makes it unique.
    pub(crate) fn reserve(&mut self, name: &str, separator: &str) -> String {
        if self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(2);
        // `self_` becomes `self_2` and `Self_` becomes `Self2`, because rustc warns about `self__2`
        // and `Self_2`.
        let name = name.strip_suffix('_').unwrap_or(name);
        loop {
            let numbered = format!("{name}{separator}{next}");
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}
