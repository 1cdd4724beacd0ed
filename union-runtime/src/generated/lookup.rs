//! Finds the discriminator value of a member among the values of the enum type, while the author's
//! crate compiles.
//!
//! This code runs for every member of every union in every build, in the compiler's interpreter,
//! where a comparison of two words of five letters costs some hundred thousand instructions. So the
//! derives compute keys, and strings are compared only if the keys do not decide.

use super::message::Message;

/// The result of a look-up that finds nothing, or that the keys do not decide.
pub(crate) const NOT_FOUND: usize = usize::MAX;

/// Returns the position of the only value that has one of two keys, which are the keys of a field's
/// JSON name and Rust name. The value fits the name exactly or ignoring ASCII case. Returns
/// [`NOT_FOUND`] if no value or more than one has a key. The two names usually differ only in case,
/// so that their keys are equal; the first value with the key is the result then.
pub(crate) const fn position_by_keys(values: &[u64], keys: [u64; 2]) -> usize {
    let [json, camel] = keys;
    let mut found = NOT_FOUND;
    let mut i = 0;
    let mut rest = values;
    while let [key, after @ ..] = rest {
        let key = *key;
        rest = after;
        if key == json || key == camel {
            if json == camel {
                return i;
            }
            if found != NOT_FOUND {
                return NOT_FOUND;
            }
            found = i;
        }
        i += 1;
    }
    found
}

/// Returns the position of `wanted` among `texts`; [`NOT_FOUND`] if `wanted` is missing or empty.
pub(crate) const fn position(texts: &[&str], wanted: &str) -> usize {
    let mut i = 0;
    let mut rest = texts;
    while let [text, after @ ..] = rest {
        if is_equal(text, wanted) {
            return i;
        }
        rest = after;
        i += 1;
    }
    NOT_FOUND
}

/// Returns the position of `value`, which the author wrote in `member = "..."`.
///
/// # Panics
///
/// Panics at compile time if the enum type does not have the value.
#[track_caller]
pub(crate) const fn explicit_position(values: &[&str], member: &str, value: &str) -> usize {
    let found = position(values, value);
    if found == NOT_FOUND {
        Message::EMPTY
            .push("member `")
            .push(member)
            .push("`: the discriminator has no value \"")
            .push(value)
            .push("\"; use one of: ")
            .push_list(values)
            .panic()
    }
    found
}

/// Returns the position of the value that a member has by default: the value that equals the
/// field's JSON name or its Rust name in `CamelCase`, exactly or otherwise ignoring ASCII case
/// (`docs/design.md`, "Attributes"). The value `""` fits no name.
///
/// # Panics
///
/// Panics at compile time if no value or more than one value fits.
#[track_caller]
pub(crate) const fn position_by_name(values: &[&str], json: &str, camel: Name<'_>) -> usize {
    let names = [Name::new(json), camel];
    // These are the numbers of the values that fit so far, exactly and ignoring case, and the
    // positions of the last ones.
    let (mut exact, mut exact_at) = (0, 0);
    let (mut loose, mut loose_at) = (0, 0);
    let mut i = 0;
    let mut rest = values;
    while let [text, after @ ..] = rest {
        match match_either(text.as_bytes(), &names) {
            Match::Exact => {
                exact += 1;
                exact_at = i;
            }
            Match::IgnoringCase => {
                loose += 1;
                loose_at = i;
            }
            Match::No => {}
        }
        rest = after;
        i += 1;
    }
    match (exact, loose) {
        (1, _) => exact_at,
        (0, 1) => loose_at,
        _ => reject_unclear_name(values, json, &names),
    }
}

#[track_caller]
const fn reject_unclear_name(values: &[&str], member: &str, names: &[Name<'_>; 2]) -> ! {
    let message = Message::EMPTY.push("member `").push(member).push("`: ");
    let mut exact = false;
    let mut fitting = Message::EMPTY;
    let mut count = 0;
    let mut rest = values;
    while let [text, after @ ..] = rest {
        rest = after;
        let fits = match_either(text.as_bytes(), names);
        if let Match::Exact = fits
            && !exact
        {
            // Exact matches have priority, so the matches so far do not count.
            exact = true;
            fitting = Message::EMPTY;
            count = 0;
        }
        if matches!(fits, Match::Exact) || matches!(fits, Match::IgnoringCase) && !exact {
            let comma = if count > 0 { ", \"" } else { "\"" };
            fitting = fitting.push(comma).push(text).push("\"");
            count += 1;
        }
    }
    if count == 0 {
        message
            .push("no discriminator value matches the field's name; set one with `#[union(member = \"...\")]`, one of: ")
            .push_list(values)
            .panic()
    }
    message
        .push("several discriminator values match the field's name: ")
        .push(fitting.as_str())
        .push("; set one with `#[union(member = \"...\")]`")
        .panic()
}

/// Returns the element at a position that a look-up found, or that is below a length.
#[expect(
    clippy::indexing_slicing,
    reason = "const evaluation has no `get`; a wrong position would be a compile error of ours, at the member's span"
)]
#[track_caller]
pub(crate) const fn element_at<T: Copy>(list: &[T], position: usize) -> T {
    list[position]
}

/// Returns true if two strings are equal and not empty.
pub(crate) const fn is_equal(a: &str, b: &str) -> bool {
    matches!(match_one(a.as_bytes(), Name::new(b)), Match::Exact)
}

/// A name that a value may fit.
#[derive(Clone, Copy)]
pub(crate) struct Name<'a> {
    text: &'a str,
    /// True if the first letter counts as a capital letter, if it is an ASCII letter.
    is_capitalized: bool,
}

impl<'a> Name<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self {
            text,
            is_capitalized: false,
        }
    }

    pub(crate) const fn capitalized(text: &'a str) -> Self {
        Self {
            text,
            is_capitalized: true,
        }
    }
}

/// The match of a value with a field's names.
#[derive(Clone, Copy)]
enum Match {
    Exact,
    IgnoringCase,
    No,
}

const fn match_either(value: &[u8], names: &[Name<'_>; 2]) -> Match {
    let [first, second] = *names;
    match match_one(value, first) {
        Match::Exact => Match::Exact,
        first => match (match_one(value, second), first) {
            (Match::No, first) => first,
            (second, _) => second,
        },
    }
}

const fn match_one(mut value: &[u8], name: Name<'_>) -> Match {
    let mut is_capital = name.is_capitalized;
    let mut name = name.text.as_bytes();
    if value.is_empty() || value.len() != name.len() {
        return Match::No;
    }
    let mut fit = Match::Exact;
    while let ([a, value_after @ ..], [b, name_after @ ..]) = (value, name) {
        let a = *a;
        let b = if is_capital {
            b.to_ascii_uppercase()
        } else {
            *b
        };
        is_capital = false;
        if a != b {
            fit = Match::IgnoringCase;
            // The two cases of an ASCII letter differ in this bit.
            let lower = a | 0x20;
            if a ^ b != 0x20 || lower < b'a' || lower > b'z' {
                return Match::No;
            }
        }
        (value, name) = (value_after, name_after);
    }
    fit
}

/// Returns the position of a key, given by its JSON name, among the keys of the elements of a list.
///
/// # Panics
///
/// Panics at compile time if the elements do not have this key.
#[track_caller]
#[must_use]
pub const fn key_position(keys: &[&str], name: &str) -> usize {
    // A struct whose derive reported an error does not have keys. Lists of this struct do not
    // report a second error.
    if keys.is_empty() {
        return 0;
    }
    let found = position(keys, name);
    if found == NOT_FOUND {
        Message::EMPTY
            .push("the elements have no key \"")
            .push(name)
            .push("\"; mark that field with `#[union(key)]` in their struct, or use one of: ")
            .push_list(keys)
            .panic()
    }
    found
}
