//! Finds a member's discriminator value among those of the enum type, while the author's crate
//! compiles.
//!
//! This runs for every member of every union in every build, in the compiler's interpreter, where
//! comparing two words of five letters costs some hundred thousand instructions. So the derives
//! bring keys along, and texts are compared only where keys do not decide.

use super::message::Message;

/// No key decides.
pub(crate) const NOT_FOUND: usize = usize::MAX;

/// The position of the one value that has either of two keys, those of a field's names in JSON and
/// in Rust: it fits, exactly or not. Most often the two names are one but for case.
pub(crate) const fn by_keys(values: &[u64], keys: [u64; 2]) -> usize {
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

/// Returns the position of `wanted` among `texts`; [`NOT_FOUND`] if it is missing or empty.
pub(crate) const fn position(texts: &[&str], wanted: &str) -> usize {
    let mut i = 0;
    let mut rest = texts;
    while let [text, after @ ..] = rest {
        if equal(text, wanted) {
            return i;
        }
        rest = after;
        i += 1;
    }
    NOT_FOUND
}

/// Returns the position of `value`, as written by the author in `member = "..."`.
///
/// # Panics
///
/// At compile time, if the enum type does not have the value.
#[track_caller]
pub(crate) const fn explicit(values: &[&str], member: &str, value: &str) -> usize {
    let found = position(values, value);
    if found == NOT_FOUND {
        Message::EMPTY
            .text("member `")
            .text(member)
            .text("`: the discriminator has no value \"")
            .text(value)
            .text("\"; use one of: ")
            .values(values)
            .panic()
    }
    found
}

/// The position of the value that a member has by default: it equals the field's JSON name or its
/// Rust name in `CamelCase`, exactly or else ignoring ASCII case (`docs/design.md`, "Attributes").
/// `""` selects no member.
///
/// # Panics
///
/// At compile time, where no value or more than one fits.
#[track_caller]
pub(crate) const fn by_name(values: &[&str], json: &str, camel: Name<'_>) -> usize {
    let names = [Name::new(json), camel];
    // How many values fit so far, and the last of them: exactly, and ignoring case.
    let (mut exact, mut exact_at) = (0, 0);
    let (mut loose, mut loose_at) = (0, 0);
    let mut i = 0;
    let mut rest = values;
    while let [text, after @ ..] = rest {
        match fit(text.as_bytes(), &names) {
            Fit::Exact => {
                exact += 1;
                exact_at = i;
            }
            Fit::IgnoringCase => {
                loose += 1;
                loose_at = i;
            }
            Fit::No => {}
        }
        rest = after;
        i += 1;
    }
    match (exact, loose) {
        (1, _) => exact_at,
        (0, 1) => loose_at,
        _ => unclear(values, json, &names),
    }
}

#[track_caller]
const fn unclear(values: &[&str], member: &str, names: &[Name<'_>; 2]) -> ! {
    let message = Message::EMPTY.text("member `").text(member).text("`: ");
    let mut exact = false;
    let mut fitting = Message::EMPTY;
    let mut count = 0;
    let mut rest = values;
    while let [text, after @ ..] = rest {
        rest = after;
        let fits = fit(text.as_bytes(), names);
        if let Fit::Exact = fits
            && !exact
        {
            // Exact matches go first, so the others so far do not count.
            exact = true;
            fitting = Message::EMPTY;
            count = 0;
        }
        if matches!(fits, Fit::Exact) || matches!(fits, Fit::IgnoringCase) && !exact {
            let comma = if count > 0 { ", \"" } else { "\"" };
            fitting = fitting.text(comma).text(text).text("\"");
            count += 1;
        }
    }
    if count == 0 {
        message
            .text("no value of the discriminator fits the field's name; say which with `#[union(member = \"...\")]`, one of: ")
            .values(values)
            .panic()
    }
    message
        .text("several values of the discriminator fit the field's name: ")
        .text(fitting.as_str())
        .text("; say which with `#[union(member = \"...\")]`")
        .panic()
}

/// Returns the element at a position that a look-up found, or that is below a length.
#[expect(
    clippy::indexing_slicing,
    reason = "const evaluation has no `get`; a wrong position would be a compile error of ours, at the member's span"
)]
#[track_caller]
pub(crate) const fn at<T: Copy>(list: &[T], position: usize) -> T {
    list[position]
}

/// Returns true if two strings are equal and not empty.
pub(crate) const fn equal(a: &str, b: &str) -> bool {
    matches!(fit_one(a.as_bytes(), Name::new(b)), Fit::Exact)
}

/// A name that a value may fit.
#[derive(Clone, Copy)]
pub(crate) struct Name<'a> {
    text: &'a str,
    /// Its first letter counts as a capital one, if it is of ASCII.
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
enum Fit {
    Exact,
    IgnoringCase,
    No,
}

const fn fit(value: &[u8], names: &[Name<'_>; 2]) -> Fit {
    let [first, second] = *names;
    match fit_one(value, first) {
        Fit::Exact => Fit::Exact,
        first => match (fit_one(value, second), first) {
            (Fit::No, first) => first,
            (second, _) => second,
        },
    }
}

const fn fit_one(mut value: &[u8], name: Name<'_>) -> Fit {
    let mut is_capital = name.is_capitalized;
    let mut name = name.text.as_bytes();
    if value.is_empty() || value.len() != name.len() {
        return Fit::No;
    }
    let mut fit = Fit::Exact;
    while let ([a, value_after @ ..], [b, name_after @ ..]) = (value, name) {
        let a = *a;
        let b = if is_capital {
            b.to_ascii_uppercase()
        } else {
            *b
        };
        is_capital = false;
        if a != b {
            fit = Fit::IgnoringCase;
            // The two cases of an ASCII letter differ in this bit.
            let lower = a | 0x20;
            if a ^ b != 0x20 || lower < b'a' || lower > b'z' {
                return Fit::No;
            }
        }
        (value, name) = (value_after, name_after);
    }
    fit
}

/// The position of a key, by its JSON name, among the keys of a list's elements.
///
/// # Panics
///
/// At compile time, where the elements have no such key.
#[track_caller]
#[must_use]
pub const fn key_position(keys: &[&str], name: &str) -> usize {
    // A struct whose derive reported an error has no keys. Lists of it get no second error.
    if keys.is_empty() {
        return 0;
    }
    let found = position(keys, name);
    if found == NOT_FOUND {
        Message::EMPTY
            .text("the elements have no key \"")
            .text(name)
            .text("\"; mark that field with `#[union(key)]` in their struct, or use one of: ")
            .values(keys)
            .panic()
    }
    found
}
