//! The format `hostname`, whose labels may have letters and symbols of any script.

use std::sync::LazyLock;

use regex::Regex;

/// Returns true for a single label, or for several labels if the last label has at least two
/// characters and consists of letters.
pub(super) fn is_hostname(string: &str) -> bool {
    // The lengths are checked first, which bounds the work of the other checks.
    string.len() <= 255
        && string.split('.').all(|label| label.len() <= 63)
        && (is_single_label(string) || is_qualified_name(string))
}

/// Returns true for a letter, an optional dash, and more letters. The name `a-` is valid.
fn is_single_label(string: &str) -> bool {
    let mut letters = string.chars();
    if !letters.next().is_some_and(is_letter) {
        return false;
    }
    let rest = letters.as_str();
    rest.strip_prefix('-')
        .unwrap_or(rest)
        .chars()
        .all(is_letter)
}

fn is_qualified_name(string: &str) -> bool {
    let Some((labels, top_label)) = string.rsplit_once('.') else {
        return false;
    };
    labels.split('.').all(is_label)
        && top_label.chars().count() >= 2
        && top_label.chars().all(is_top_label_letter)
}

/// Returns true for letters and dashes, without a dash at the start or the end.
fn is_label(label: &str) -> bool {
    !label.is_empty()
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.chars().all(|c| c == '-' || is_letter(c))
}

fn is_letter(c: char) -> bool {
    static LETTER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\A[\p{L}\p{S}]\z").ok());
    if c.is_ascii() {
        return c.is_ascii_alphanumeric()
            || matches!(c, '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~');
    }
    matches(LETTER.as_ref(), c)
}

fn is_top_label_letter(c: char) -> bool {
    static LETTER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\A\p{L}\z").ok());
    if c.is_ascii() {
        return c.is_ascii_alphabetic();
    }
    matches(LETTER.as_ref(), c)
}

/// Returns true if the regular expression compiles and matches the character.
fn matches(regex: Option<&Regex>, c: char) -> bool {
    let is_match = |regex: &Regex| regex.is_match(c.encode_utf8(&mut [0; 4]));
    regex.is_some_and(is_match)
}
