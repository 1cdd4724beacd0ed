//! `hostname`, where letters and symbols of any script may stand.

use std::sync::LazyLock;

use regex::Regex;

/// One label; or several, of which the last has letters only, two of them or more.
pub(super) fn is_hostname(text: &str) -> bool {
    // Lengths first: they bound all that comes.
    text.len() <= 255
        && text.split('.').all(|label| label.len() <= 63)
        && (is_single(text) || is_qualified(text))
}

/// A letter, then a dash or none, then letters. So `a-` is one.
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

/// Letters and dashes; a dash stands neither first nor last.
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
