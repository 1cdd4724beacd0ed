//! Parses escapes of one character.

use crate::pattern::error::{PatternErrorCode, SyntaxError, prefix_before, without_first_char};

/// A class that does not match any character.
pub(super) const NEVER: &str = r"[^\x00-\x{10FFFF}]";

/// Parses an escape of one character, which may be a surrogate. Returns the code point and the
/// rest.
pub(super) fn parse_code_point(pattern: &str) -> Result<(u32, &str), SyntaxError<'_>> {
    let mut chars = without_first_char(pattern).chars();
    let Some(next) = chars.next() else {
        return Err(PatternErrorCode::TrailingBackslash.error_at(""));
    };
    let rest = chars.as_str();
    let code = match next {
        'a' => 0x07,
        'f' => 0x0c,
        'n' => 0x0a,
        'r' => 0x0d,
        't' => 0x09,
        'v' => 0x0b,
        'x' => return parse_hex_escape(pattern, rest),
        // A single digit would be a backreference, which RE2 does not support.
        '1'..='7' if !rest.starts_with(is_octal_digit) => {
            return Err(PatternErrorCode::InvalidEscape.error_at(prefix_before(pattern, rest)));
        }
        '0'..='7' => return Ok(parse_octal_escape(without_first_char(pattern))),
        _ if next.is_ascii() && !next.is_ascii_alphanumeric() => u32::from(next),
        _ => return Err(PatternErrorCode::InvalidEscape.error_at(prefix_before(pattern, rest))),
    };
    Ok((code, rest))
}

const fn is_octal_digit(c: char) -> bool {
    matches!(c, '0'..='7')
}

/// Parses two hex digits, or any number of hex digits in braces.
fn parse_hex_escape<'p>(
    pattern: &'p str,
    rest: &'p str,
) -> Result<(u32, &'p str), SyntaxError<'p>> {
    let mut chars = rest.chars();
    let first = chars.next();
    if first != Some('{') {
        let second = first.and_then(|_| chars.next());
        let error =
            PatternErrorCode::InvalidEscape.error_at(prefix_before(pattern, chars.as_str()));
        let digit = |c: Option<char>| c.and_then(|c| c.to_digit(16)).ok_or(error);
        return Ok((digit(first)? * 16 + digit(second)?, chars.as_str()));
    }
    let mut code = 0;
    let mut has_digits = false;
    loop {
        let next = chars.next();
        let error =
            PatternErrorCode::InvalidEscape.error_at(prefix_before(pattern, chars.as_str()));
        match next {
            Some('}') if has_digits => return Ok((code, chars.as_str())),
            Some(c) => {
                code = code * 16 + c.to_digit(16).ok_or(error)?;
                has_digits = true;
            }
            None => return Err(error),
        }
        if code > u32::from(char::MAX) {
            return Err(error);
        }
    }
}

/// Parses up to three octal digits.
fn parse_octal_escape(digits: &str) -> (u32, &str) {
    let length = digits
        .bytes()
        .take(3)
        .take_while(|byte| is_octal_digit(char::from(*byte)))
        .count();
    let (digits, rest) = digits.split_at(length);
    let number = digits
        .bytes()
        .fold(0, |number, digit| number * 8 + u32::from(digit - b'0'));
    (number, rest)
}
