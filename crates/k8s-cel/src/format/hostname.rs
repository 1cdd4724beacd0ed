//! The format `hostname`, with letters and symbols of any script.

use std::sync::LazyLock;

use regex::Regex;

/// Returns true for a single label, or for several labels, the last of which consists of two or
/// more letters.
pub(super) fn is_hostname(text: &str) -> bool {
    // The check of the lengths is first: it bounds the other checks.
    text.len() <= 255
        && text.split('.').all(|label| label.len() <= 63)
        && (is_single(text) || is_qualified(text))
}

/// Returns true for a letter, then an optional dash, then letters. The name `a-` is valid.
fn is_single(text: &str) -> bool {
    let mut letters = text.chars();
    if !letters.next().is_some_and(is_letter) {
        return false;
    }
    let rest = letters.as_str();
    rest.strip_prefix('-')
        .unwrap_or(rest)
        .chars()
        .all(is_letter)
}

fn is_qualified(text: &str) -> bool {
    let Some((labels, top)) = text.rsplit_once('.') else {
        return false;
    };
    labels.split('.').all(is_label) && top.chars().count() >= 2 && top.chars().all(is_top_letter)
}

/// Returns true for letters and dashes, with a dash neither at the start nor at the end.
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

fn is_top_letter(c: char) -> bool {
    static LETTER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\A\p{L}\z").ok());
    if c.is_ascii() {
        return c.is_ascii_alphabetic();
    }
    matches(LETTER.as_ref(), c)
}

fn matches(regex: Option<&Regex>, c: char) -> bool {
    let is_match = |regex: &Regex| regex.is_match(c.encode_utf8(&mut [0; 4]));
    regex.is_some_and(is_match)
}
