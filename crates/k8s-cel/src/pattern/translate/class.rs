//! Translates character classes: in brackets, or as an escape.

use core::fmt::Write as _;

use super::code_point::{NEVER, parse_code_point};
use super::translator::Translator;
use super::unicode;
use crate::pattern::error::{PatternErrorCode, SyntaxError, prefix_before, without_first_char};

/// A class that matches any character.
const ANY: &str = r"[\x00-\x{10FFFF}]";

/// A named character class.
pub(super) struct NamedClass {
    /// The content of the brackets.
    inner: &'static str,
    /// The name of the Unicode property; then `inner` is not used.
    property: Option<&'static str>,
    is_negated: bool,
}

impl NamedClass {
    const fn perl(inner: &'static str, is_negated: bool) -> Self {
        Self {
            inner,
            property: None,
            is_negated,
        }
    }

    /// Returns the class in brackets, for use alone or inside other brackets.
    pub(super) fn to_bracketed(&self) -> String {
        let negation = if self.is_negated { "^" } else { "" };
        match self.property {
            Some(name) => format!("[{negation}\\p{{{name}}}]"),
            None => format!("[{negation}{}]", self.inner),
        }
    }

    /// Returns the cost of the class for [`Translator::charge`]. A Unicode class has hundreds of
    /// ranges.
    pub(super) const fn cost(&self) -> usize {
        if self.property.is_some() { 1000 } else { 4 }
    }
}

/// Parses a class such as `\d` or `\p{Greek}`; `None` for another escape.
pub(super) fn escaped_class(pattern: &str) -> Result<Option<(NamedClass, &str)>, SyntaxError<'_>> {
    let mut chars = pattern.strip_prefix('\\').unwrap_or_default().chars();
    let Some(letter) = chars.next() else {
        return Ok(None);
    };
    if matches!(letter, 'p' | 'P') {
        return parse_property(pattern, chars.as_str(), letter == 'P').map(Some);
    }
    let inner = match letter.to_ascii_lowercase() {
        'd' => "0-9",
        's' => r"\t\n\f\r\x20",
        'w' => "0-9A-Za-z_",
        _ => return Ok(None),
    };
    let class = NamedClass::perl(inner, letter.is_ascii_uppercase());
    Ok(Some((class, chars.as_str())))
}

/// Parses a Unicode class: one letter, or a name in braces. A `^` before the name negates the
/// class.
fn parse_property<'p>(
    pattern: &'p str,
    rest: &'p str,
    mut is_negated: bool,
) -> Result<(NamedClass, &'p str), SyntaxError<'p>> {
    let (name, rest) = match rest.strip_prefix('{') {
        Some(inner) => inner
            .split_once('}')
            .ok_or_else(|| PatternErrorCode::InvalidCharRange.error_at(pattern))?,
        None => rest.split_at(rest.chars().next().map_or(0, char::len_utf8)),
    };
    let negated_name = name.strip_prefix('^');
    is_negated ^= negated_name.is_some();
    let Some(unicode_class) = unicode::find_class(negated_name.unwrap_or(name)) else {
        return Err(PatternErrorCode::InvalidCharRange.error_at(prefix_before(pattern, rest)));
    };
    let class = match unicode_class {
        unicode::UnicodeClass::Ranges(inner) => NamedClass::perl(inner, is_negated),
        unicode::UnicodeClass::Property(name) => NamedClass {
            inner: "",
            property: Some(name),
            is_negated,
        },
    };
    Ok((class, rest))
}

/// Translates a class in brackets.
pub(super) fn translate_bracketed<'p>(
    translator: &mut Translator<'p>,
) -> Result<(), SyntaxError<'p>> {
    let start = translator.rest;
    let inner = without_first_char(start);
    let after_caret = inner.strip_prefix('^');
    let is_negated = after_caret.is_some();
    let mut rest = after_caret.unwrap_or(inner);
    let mut items = String::new();
    let mut is_first = true;
    while is_first || !rest.starts_with(']') {
        is_first = false;
        if let Some((name, after)) = parse_posix_class(rest)? {
            translator.charge(4)?;
            items.push_str(name);
            rest = after;
        } else if let Some((class, after)) = escaped_class(rest)? {
            translator.charge(class.cost())?;
            items.push_str(&class.to_bracketed());
            rest = after;
        } else {
            translator.charge(4)?;
            rest = translate_range(rest, start, &mut items)?;
        }
    }
    translator.rest = without_first_char(rest);
    match (items.as_str(), is_negated) {
        ("", false) => translator.push_atom(NEVER),
        ("", true) => translator.push_atom(ANY),
        (items, _) => {
            let negation = if is_negated { "^" } else { "" };
            translator.push_class(&format!("[{negation}{items}]"));
        }
    }
    Ok(())
}

/// Parses a POSIX class such as `[:alpha:]`. Go and the regex crate use the same names.
fn parse_posix_class(pattern: &str) -> Result<Option<(&str, &str)>, SyntaxError<'_>> {
    let Some(inner) = pattern.strip_prefix("[:") else {
        return Ok(None);
    };
    let Some((name, rest)) = inner.split_once(":]") else {
        return Ok(None);
    };
    let posix_class = prefix_before(pattern, rest);
    match name.strip_prefix('^').unwrap_or(name) {
        "alnum" | "alpha" | "ascii" | "blank" | "cntrl" | "digit" | "graph" | "lower" | "print"
        | "punct" | "space" | "upper" | "word" | "xdigit" => Ok(Some((posix_class, rest))),
        _ => Err(PatternErrorCode::InvalidCharRange.error_at(posix_class)),
    }
}

/// Translates a character or a range of characters, and returns the rest of the pattern.
fn translate_range<'p>(
    pattern: &'p str,
    class: &'p str,
    items: &mut String,
) -> Result<&'p str, SyntaxError<'p>> {
    let (low, mut rest) = parse_class_char(pattern, class)?;
    let mut high = low;
    if let Some(after) = rest.strip_prefix('-')
        && !after.is_empty()
        && !after.starts_with(']')
    {
        (high, rest) = parse_class_char(after, class)?;
        if high < low {
            return Err(PatternErrorCode::InvalidCharRange.error_at(prefix_before(pattern, rest)));
        }
    }
    // Strings do not contain surrogates, and the regex crate has no escape for them. The nearest
    // character inside the range replaces a bound that is a surrogate.
    let low = if char::from_u32(low).is_none() {
        0xe000
    } else {
        low
    };
    let high = if char::from_u32(high).is_none() {
        0xd7ff
    } else {
        high
    };
    if low <= high {
        // Writing to a `String` cannot fail.
        let _ = write!(items, "\\x{{{low:x}}}-\\x{{{high:x}}}");
    }
    Ok(rest)
}

/// Parses a character of a class, which may be an escape. Returns its code point and the rest.
fn parse_class_char<'p>(
    pattern: &'p str,
    class: &'p str,
) -> Result<(u32, &'p str), SyntaxError<'p>> {
    let mut chars = pattern.chars();
    match chars.next() {
        None => Err(PatternErrorCode::MissingBracket.error_at(class)),
        Some('\\') => parse_code_point(pattern),
        Some(c) => Ok((u32::from(c), chars.as_str())),
    }
}
