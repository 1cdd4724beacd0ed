//! The styles of strings.

use crate::scalar::is_string_if_plain;

/// The maximum length of a key in bytes that is not marked by `?`.
const MAX_SIMPLE_KEY_LENGTH: usize = 128;

/// The style of a printed string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarStyle {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

/// Returns the style in which go-yaml prints a string.
pub(super) fn scalar_style(string: &str) -> ScalarStyle {
    let has_pair = |is_pair: fn(char, char) -> bool| {
        let mut pairs = string.chars().zip(string.chars().skip(1));
        pairs.any(|(first, second)| is_pair(first, second))
    };
    let needs_escapes = !string.chars().all(is_printable)
        || has_pair(|first, second| first == ' ' && is_line_break(second));
    if string.contains('\n') {
        return if needs_escapes || string.ends_with(' ') {
            ScalarStyle::DoubleQuoted
        } else {
            ScalarStyle::Literal
        };
    }
    let is_string = is_string_if_plain(string) && !is_base_60(string);
    if !is_string
        || needs_escapes
        || has_pair(|first, second| is_line_break(first) && second == ' ')
    {
        ScalarStyle::DoubleQuoted
    } else if has_indicator(string)
        || string.contains(is_line_break)
        || string.starts_with(' ')
        || string.ends_with(' ')
    {
        ScalarStyle::SingleQuoted
    } else {
        ScalarStyle::Plain
    }
}

/// Returns true if a string contains an indicator of YAML at a position where a plain scalar must
/// not contain that indicator.
fn has_indicator(string: &str) -> bool {
    const INDICATORS_AT_START: &str = "#,[]{}&*!|>'\"%@`";
    if string.starts_with("---")
        || string.starts_with("...")
        || string.starts_with(|first| INDICATORS_AT_START.contains(first))
    {
        return true;
    }
    let mut previous = None;
    let mut characters = string.chars().peekable();
    while let Some(character) = characters.next() {
        let is_before_blank = characters.peek().is_none_or(|next| is_blank(*next));
        let is_indicator = match (previous, character) {
            (None, '?' | '-') | (_, ':') => is_before_blank,
            (Some(previous), '#') => is_blank(previous),
            _ => false,
        };
        if is_indicator {
            return true;
        }
        previous = Some(character);
    }
    false
}

/// Returns true if a key is printed without `?`.
pub(super) fn is_simple_key(key: &str) -> bool {
    key.len() <= MAX_SIMPLE_KEY_LENGTH && !key.contains(is_line_break)
}

/// Returns true for a number in base 60, such as `12:30`. go-yaml reads such a number as a string,
/// but other parsers of YAML 1.1 do not.
fn is_base_60(string: &str) -> bool {
    let is_digit_or_underscore = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    let unsigned = string.strip_prefix(['+', '-']).unwrap_or(string);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let Some((first, following)) = whole.split_once(':') else {
        return false;
    };
    let is_below_60 = |part: &str| match part.as_bytes() {
        [ones] => ones.is_ascii_digit(),
        [tens, ones] => matches!(tens, b'0'..=b'5') && ones.is_ascii_digit(),
        _ => false,
    };
    first.starts_with(|c: char| c.is_ascii_digit())
        && first.bytes().all(is_digit_or_underscore)
        && following.split(':').all(is_below_60)
        && fraction.bytes().all(is_digit_or_underscore)
}

/// Returns true for the line breaks of YAML 1.1.
pub(super) const fn is_line_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns true for spaces and line breaks. Tabs are not part of plain scalars.
const fn is_blank(character: char) -> bool {
    character == ' ' || is_line_break(character)
}

/// Returns true for a character that go-yaml prints without an escape sequence.
pub(super) const fn is_printable(character: char) -> bool {
    matches!(
        character,
        '\n' | ' '..='~' | '\u{a0}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}'
    )
}
