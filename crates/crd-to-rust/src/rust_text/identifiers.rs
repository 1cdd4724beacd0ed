//! Rust names for JSON names: the same names for the same CRD, and no duplicates in a scope.

use std::collections::{HashMap, HashSet};

/// Words that cannot be names, not even as raw identifiers.
const NEVER_RAW: [&str; 5] = ["self", "Self", "super", "crate", "_"];

/// Names with another meaning in the code that the derives of kube and serde generate.
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

/// The words of a name: `podIPs` is `pod`, `IPs`; `URLRewrite` is `URL`, `Rewrite`; `a-b` is `a`,
/// `b`.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        if !letter.is_ascii_alphanumeric() {
            words.push(std::mem::take(&mut word));
            continue;
        }
        let previous = at.checked_sub(1).and_then(|at| letters.get(at)).copied();
        let next = letters.get(at + 1).copied();
        let behind = letters.get(at + 2).copied();
        let starts = letter.is_ascii_uppercase()
            && match (previous, next) {
                (Some(previous), _)
                    if previous.is_ascii_lowercase() || previous.is_ascii_digit() =>
                {
                    true
                }
                // The plural of an abbreviation is one word.
                (Some(previous), Some('s')) if previous.is_ascii_uppercase() => {
                    behind.is_some_and(|behind| behind.is_ascii_lowercase())
                }
                (Some(previous), Some(next)) => {
                    previous.is_ascii_uppercase() && next.is_ascii_lowercase()
                }
                _ => false,
            };
        if starts {
            words.push(std::mem::take(&mut word));
        }
        word.push(letter);
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Returns `PodIps` for `podIPs`. The result may be empty, or begin with a digit.
pub(crate) fn pascal_case(name: &str) -> String {
    let mut all = String::new();
    for word in words(name) {
        let mut letters = word.chars();
        // An underscore separates digits, so that `1-2` and `12` differ.
        if all.ends_with(|last: char| last.is_ascii_digit())
            && word.starts_with(|first: char| first.is_ascii_digit())
        {
            all.push('_');
        }
        all.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        all.extend(letters.map(|letter| letter.to_ascii_lowercase()));
    }
    all
}

/// Returns `pod_ips` for `podIPs`. The result may be empty, or begin with a digit.
pub(crate) fn snake_case(name: &str) -> String {
    words(name).join("_").to_ascii_lowercase()
}

/// Returns the JSON name of a field by serde's `rename_all = "camelCase"`.
pub(crate) fn serde_camel_case(field: &str) -> String {
    let mut all = String::new();
    let mut upper = false;
    for letter in field.chars() {
        if letter == '_' {
            upper = true;
        } else if upper && !all.is_empty() {
            all.push(letter.to_ascii_uppercase());
            upper = false;
        } else {
            all.push(letter.to_ascii_lowercase());
            upper = false;
        }
    }
    all
}

/// Returns the name of a field or a module.
pub(crate) fn field_name(name: &str, names: &mut NameScope) -> String {
    let mut found = snake_case(name);
    if found.is_empty() || found.starts_with(|first: char| first.is_ascii_digit()) {
        found.insert_str(0, if found.is_empty() { "field" } else { "_" });
    }
    if NEVER_RAW.contains(&&*found) {
        found.push('_');
    }
    names.reserve(&found, "_")
}

/// Returns the name of a type, with the prefix `otherwise` if `wanted` does not begin with a
/// letter.
pub(crate) fn type_name(wanted: &str, otherwise: &str, names: &mut NameScope) -> String {
    let mut found = with_letter(wanted, otherwise);
    // `KubeSchema` generates a struct with this suffix, which would conflict with the type.
    if RESERVED_NAMES.contains(&&*found) || found.ends_with("Validated") {
        found.push_str("Object");
    }
    names.reserve(&found, "")
}

/// Returns a name that begins with a letter, with the prefix `otherwise` if necessary.
fn with_letter(wanted: &str, otherwise: &str) -> String {
    let begins = wanted.starts_with(|first: char| first.is_ascii_alphabetic());
    let before = if begins { "" } else { otherwise };
    format!("{before}{wanted}")
}

/// Returns the name of a variant, with the prefix `otherwise` if `wanted` does not begin with a
/// letter.
pub(crate) fn variant_name(wanted: &str, otherwise: &str, names: &mut NameScope) -> String {
    let mut found = with_letter(wanted, otherwise);
    if NEVER_RAW.contains(&&*found) {
        found.push('_');
    }
    names.reserve(&found, "")
}

/// Returns a kind as the name of a type: unchanged if it is a type name.
pub(crate) fn kind_name(kind: &str) -> String {
    let is_name = kind.starts_with(|first: char| first.is_ascii_uppercase())
        && kind.chars().all(|letter| letter.is_ascii_alphanumeric());
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
    /// The next number for a name that is wanted again.
    next: HashMap<String, usize>,
}

impl NameScope {
    /// Returns the name, or else the name with the first number that makes it unique.
    pub(crate) fn reserve(&mut self, name: &str, between: &str) -> String {
        if self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(2);
        // `self_` is numbered as `self_2`, and `Self_` as `Self2`, because rustc warns about
        // `self__2` and `Self_2`.
        let name = name.strip_suffix('_').unwrap_or(name);
        loop {
            let numbered = format!("{name}{between}{next}");
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}
