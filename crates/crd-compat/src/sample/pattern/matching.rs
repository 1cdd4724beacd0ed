//! Creates strings that match a pattern.

use std::cell::RefCell;

use regex_syntax::hir::{Class, Hir, HirKind};

use super::alphabet::PREFERRED;
use super::known_strings::KnownStrings;

/// The maximum length of a string, in bytes.
const MAX_LENGTH: usize = 10_000;

/// The maximum number of strings for one pattern.
const MAX_STRINGS: usize = 12;

/// The maximum number of extra repetitions in a string.
const MAX_EXTRA: u32 = 300;

/// The maximum number of steps that write a string. Nested repetitions of the empty string would
/// otherwise need an exponential number of steps.
const MAX_STEPS: usize = 100_000;

thread_local! {
    /// The strings of patterns and lengths.
    static KNOWN_STRINGS: RefCell<KnownStrings<(String, usize, usize)>> = RefCell::default();
}

/// The choices that distinguish the strings of a pattern.
#[derive(Clone, Copy)]
struct Choices {
    /// The index of the branch of each alternation, modulo the number of its branches.
    branch: usize,
    /// The index of the character of each class, modulo the number of its preferred characters.
    character: usize,
    /// The number of repetitions above the minimum.
    extra: u32,
}

/// Returns short strings that match a pattern and whose numbers of characters are in the range.
/// The result is empty if the pattern has another syntax than the `regex` crate, or if no string
/// was found. A string may violate assertions of the pattern, such as word boundaries.
pub(crate) fn matching_strings(pattern: &str, min_length: usize, max_length: usize) -> Vec<String> {
    let key = (pattern.to_owned(), min_length, max_length);
    KNOWN_STRINGS
        .with_borrow_mut(|known| known.get(key, |_| new_strings(pattern, min_length, max_length)))
}

fn new_strings(pattern: &str, min_length: usize, max_length: usize) -> Vec<String> {
    let Ok(hir) = regex_syntax::parse(pattern) else {
        return Vec::new();
    };
    let mut strings = Vec::new();
    for character in 0..4 {
        for branch in 0..3 {
            let choices = |extra| Choices {
                branch,
                character,
                extra,
            };
            let string = string_in_range(&hir, choices, min_length, max_length);
            // A pattern without an anchor also matches longer strings.
            let padded_string = || {
                let mut string = String::new();
                write_match(&hir, choices(0), &mut string, &mut 0)?;
                let missing = min_length.checked_sub(string.chars().count())?;
                string.push_str(&"a".repeat(missing.min(MAX_LENGTH)));
                Some(string)
            };
            if let Some(string) = string.or_else(padded_string)
                && !strings.contains(&string)
            {
                strings.push(string);
            }
        }
    }
    strings.truncate(MAX_STRINGS);
    strings
}

/// Returns the string with the fewest repetitions whose number of characters is in the range. More
/// repetitions never make a shorter string, so the number is searched by halves.
fn string_in_range(
    hir: &Hir,
    choices: impl Fn(u32) -> Choices,
    min_length: usize,
    max_length: usize,
) -> Option<String> {
    let string_with = |extra: u32| {
        let mut string = String::new();
        write_match(hir, choices(extra), &mut string, &mut 0)?;
        Some(string)
    };
    let is_long_enough = |string: &String| string.chars().count() >= min_length;
    let first = string_with(0)?;
    let (mut too_few, mut enough) = (0, MAX_EXTRA);
    let string = if is_long_enough(&first) {
        first
    } else {
        while enough - too_few > 1 {
            let middle = too_few + (enough - too_few) / 2;
            // A string that is too long for this program is long enough.
            if string_with(middle).is_none_or(|string| is_long_enough(&string)) {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        string_with(enough)?
    };
    let length = string.chars().count();
    (min_length..=max_length)
        .contains(&length)
        .then_some(string)
}

/// Appends a string that matches the pattern; `None` if the string is too long, if it needs too
/// many steps, or if nothing matches.
fn write_match(hir: &Hir, choices: Choices, string: &mut String, steps: &mut usize) -> Option<()> {
    *steps += 1;
    if *steps > MAX_STEPS {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => string.push_str(core::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => string.push(character_of(class, choices.character)?),
        HirKind::Repetition(repetition) => {
            let count = repetition.min.saturating_add(choices.extra);
            let count = count.min(repetition.max.unwrap_or(count));
            let count = usize::try_from(count).ok()?;
            if count > 0 {
                // The choices are the same for each repetition, and so is the text.
                let mut text = String::new();
                write_match(&repetition.sub, choices, &mut text, steps)?;
                let length = text.len().checked_mul(count)?;
                (length <= MAX_LENGTH).then(|| string.push_str(&text.repeat(count)))?;
            }
        }
        HirKind::Capture(capture) => write_match(&capture.sub, choices, string, steps)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write_match(part, choices, string, steps)?;
            }
        }
        HirKind::Alternation(branches) => {
            let branch = branches.get(choices.branch % branches.len())?;
            write_match(branch, choices, string, steps)?;
        }
    }
    (string.len() <= MAX_LENGTH).then_some(())
}

/// Returns a preferred character of a class, or else its first character.
fn character_of(class: &Class, index: usize) -> Option<char> {
    let is_in_class = |character: &char| match class {
        Class::Unicode(class) => {
            let mut ranges = class.ranges().iter();
            ranges.any(|range| (range.start()..=range.end()).contains(character))
        }
        Class::Bytes(class) => {
            let mut ranges = class.ranges().iter();
            ranges.any(|range| (range.start().into()..=range.end().into()).contains(character))
        }
    };
    // Most calls need only the first characters.
    let mut preferred = Vec::new();
    for character in PREFERRED.chars().filter(is_in_class) {
        if preferred.len() == index {
            return Some(character);
        }
        preferred.push(character);
    }
    match (preferred.len(), class) {
        (0, Class::Unicode(class)) => {
            let first = class.ranges().first();
            first.map(regex_syntax::hir::ClassUnicodeRange::start)
        }
        (0, Class::Bytes(class)) => class.ranges().first().map(|range| range.start().into()),
        (count, _) => preferred.get(index % count).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::matching_strings;

    #[test]
    fn strings_match_patterns_of_real_crds() {
        for (pattern, min_length, max_length, expected) in [
            ("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", 1, 63, "a"),
            ("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", 5, 63, "aaaaa"),
            ("^([0-9]{1,5}(h|m|s|ms)){1,4}$", 0, 99, "0h"),
            ("^https://", 12, 20, "https://aaaa"),
            ("^(Always|Never)$", 0, 9, "Always"),
            ("^\\d{4}-\\d{2}$", 0, 9, "0000-00"),
            ("^[^/]+$", 0, 9, "a"),
            ("^.*$", 0, 9, ""),
            ("^[\\x{4e00}-\\x{4e0f}]$", 0, 9, "\u{4e00}"),
        ] {
            let strings = matching_strings(pattern, min_length, max_length);
            assert_eq!(
                strings.first().map(String::as_str),
                Some(expected),
                "{pattern}"
            );
        }
        let strings = matching_strings("^(Always|Never)$", 0, 9);
        assert_eq!(strings, ["Always", "Never"]);
        assert!(matching_strings("(?<n", 0, 9).is_empty());
        assert!(matching_strings("^(a{1000}){1000}$", 0, 9).is_empty());
        // The alternative without a character makes no string longer.
        assert!(matching_strings("^((((a|)*)*)*)*$", 5, 9).len() <= 12);
    }
}
