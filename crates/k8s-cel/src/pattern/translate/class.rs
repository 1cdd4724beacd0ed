//! Sets of characters: in brackets, or by an escape.

use core::fmt::Write as _;

use super::code_point::{NEVER, code_point};
use super::translator::Translator;
use super::unicode;
use crate::pattern::error::{PatternErrorCode, SyntaxError, prefix_before, tail};

/// Any character.
const ANY: &str = r"[\x00-\x{10FFFF}]";

/// A named set.
pub(super) struct NamedClass {
    /// The content of the brackets for the set.
    inner: &'static str,
    /// The name of the set as a property, after `\p`.
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

    /// Returns the set for use alone or in other brackets.
    pub(super) fn to_bracketed(&self) -> String {
        let negation = if self.is_negated { "^" } else { "" };
        match self.property {
            Some(name) => format!("[{negation}\\p{{{name}}}]"),
            None => format!("[{negation}{}]", self.inner),
        }
    }

    /// Returns the cost of the set. A set of Unicode has hundreds of ranges.
    pub(super) const fn cost(&self) -> usize {
        if self.property.is_some() { 1000 } else { 4 }
    }
}

/// Reads a set such as `\d` or `\p`; `None` for another escape.
pub(super) fn escaped_class(start: &str) -> Result<Option<(NamedClass, &str)>, SyntaxError<'_>> {
    let mut chars = start.strip_prefix('\\').unwrap_or_default().chars();
    let Some(letter) = chars.next() else {
        return Ok(None);
    };
    if matches!(letter, 'p' | 'P') {
        return property(start, chars.as_str(), letter == 'P').map(Some);
    }
    let inner = match letter.to_ascii_lowercase() {
        'd' => "0-9",
        's' => r"\t\n\f\r\x20",
        'w' => "0-9A-Za-z_",
        _ => return Ok(None),
    };
    let set = NamedClass::perl(inner, letter.is_ascii_uppercase());
    Ok(Some((set, chars.as_str())))
}

/// Reads a class of Unicode: one letter, or a name in braces. A `^` before the name negates the
/// class.
fn property<'p>(
    start: &'p str,
    rest: &'p str,
    mut is_negated: bool,
) -> Result<(NamedClass, &'p str), SyntaxError<'p>> {
    let (name, rest) = match rest.strip_prefix('{') {
        Some(braced) => braced
            .split_once('}')
            .ok_or_else(|| PatternErrorCode::InvalidCharRange.error_at(start))?,
        None => rest.split_at(rest.chars().next().map_or(0, char::len_utf8)),
    };
    let bare = name.strip_prefix('^');
    is_negated ^= bare.is_some();
    let Some(class) = unicode::find_class(bare.unwrap_or(name)) else {
        return Err(PatternErrorCode::InvalidCharRange.error_at(prefix_before(start, rest)));
    };
    let set = match class {
        unicode::UnicodeClass::Ranges(inner) => NamedClass::perl(inner, is_negated),
        unicode::UnicodeClass::Property(name) => NamedClass {
            inner: "",
            property: Some(name),
            is_negated,
        },
    };
    Ok((set, rest))
}

/// Reads a class in brackets.
pub(super) fn translate_bracketed<'p>(to: &mut Translator<'p>) -> Result<(), SyntaxError<'p>> {
    let start = to.rest;
    let inner = tail(start);
    let after_sign = inner.strip_prefix('^');
    let is_negated = after_sign.is_some();
    let mut rest = after_sign.unwrap_or(inner);
    let mut items = String::new();
    let mut is_first = true;
    while is_first || !rest.starts_with(']') {
        is_first = false;
        if let Some((name, after)) = posix(rest)? {
            to.charge(4)?;
            items.push_str(name);
            rest = after;
        } else if let Some((set, after)) = escaped_class(rest)? {
            to.charge(set.cost())?;
            items.push_str(&set.to_bracketed());
            rest = after;
        } else {
            to.charge(4)?;
            rest = range(rest, start, &mut items)?;
        }
    }
    to.rest = tail(rest);
    match (items.as_str(), is_negated) {
        ("", false) => to.push_atom(NEVER),
        ("", true) => to.push_atom(ANY),
        (items, _) => {
            let negation = if is_negated { "^" } else { "" };
            to.push_class(&format!("[{negation}{items}]"));
        }
    }
    Ok(())
}

/// Reads a class such as `[:alpha:]`. Go and the regex crate have the same names.
fn posix(text: &str) -> Result<Option<(&str, &str)>, SyntaxError<'_>> {
    let Some(inner) = text.strip_prefix("[:") else {
        return Ok(None);
    };
    let Some((name, rest)) = inner.split_once(":]") else {
        return Ok(None);
    };
    let whole = prefix_before(text, rest);
    match name.strip_prefix('^').unwrap_or(name) {
        "alnum" | "alpha" | "ascii" | "blank" | "cntrl" | "digit" | "graph" | "lower" | "print"
        | "punct" | "space" | "upper" | "word" | "xdigit" => Ok(Some((whole, rest))),
        _ => Err(PatternErrorCode::InvalidCharRange.error_at(whole)),
    }
}

/// Reads a character or a range of characters, and returns the rest.
fn range<'p>(
    text: &'p str,
    class: &'p str,
    items: &mut String,
) -> Result<&'p str, SyntaxError<'p>> {
    let (low, mut rest) = class_char(text, class)?;
    let mut high = low;
    if let Some(after) = rest.strip_prefix('-')
        && !after.is_empty()
        && !after.starts_with(']')
    {
        (high, rest) = class_char(after, class)?;
        if high < low {
            return Err(PatternErrorCode::InvalidCharRange.error_at(prefix_before(text, rest)));
        }
    }
    // Surrogates are not part of any string, and do not have an escape.
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
        // Writing to a String cannot fail.
        let _ = write!(items, "\\x{{{low:x}}}-\\x{{{high:x}}}");
    }
    Ok(rest)
}

fn class_char<'p>(text: &'p str, class: &'p str) -> Result<(u32, &'p str), SyntaxError<'p>> {
    let mut chars = text.chars();
    match chars.next() {
        None => Err(PatternErrorCode::MissingBracket.error_at(class)),
        Some('\\') => code_point(text),
        Some(c) => Ok((u32::from(c), chars.as_str())),
    }
}
