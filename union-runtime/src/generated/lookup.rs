//! Finds the discriminator value of a member among the values of the enum type, at compile time.
//!
//! This code runs for every member of every union in every build, in rustc's interpreter, where a
//! comparison of two words of five letters takes some hundred thousand instructions. So the derives
//! compute keys, and strings are compared only if the keys do not decide.

use super::message::Message;

/// The result of a lookup that finds nothing, or that the keys do not decide.
pub(crate) const NOT_FOUND: usize = usize::MAX;

/// Returns the position of the only value that has one of two keys: the keys of a field's JSON name
/// and Rust name. Such a value matches the name exactly or ignoring ASCII case. Returns
/// [`NOT_FOUND`] if no value or more than one value matches. The two names usually differ only in
/// case and have equal keys. The first value with the key is then the result.
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

/// Returns the position of `wanted` in `list`, or [`NOT_FOUND`] if `wanted` is missing or empty.
pub(crate) const fn position(list: &[&str], wanted: &str) -> usize {
    let mut i = 0;
    let mut rest = list;
    while let [entry, after @ ..] = rest {
        if is_equal(entry, wanted) {
            return i;
        }
        rest = after;
        i += 1;
    }
    NOT_FOUND
}

/// Returns the position of `value`, which is in the author's `member = "..."`.
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

/// Returns the position of the default value of a member. This value equals the field's JSON name
/// or its Rust name in `CamelCase`, exactly or otherwise ignoring ASCII case (`docs/design.md`,
/// "Attributes"). The value `""` matches no name.
///
/// # Panics
///
/// Panics at compile time if no value or more than one value matches.
#[track_caller]
pub(crate) const fn position_by_name(values: &[&str], json: &str, camel: Name<'_>) -> usize {
    let names = [Name::new(json), camel];
    // The numbers of the exact matches and of the matches that ignore case, and the position of the
    // last match of each.
    let (mut exact, mut exact_at) = (0, 0);
    let (mut ignoring_case, mut ignoring_case_at) = (0, 0);
    let mut i = 0;
    let mut rest = values;
    while let [value, after @ ..] = rest {
        match match_either(value.as_bytes(), &names) {
            Match::Exact => {
                exact += 1;
                exact_at = i;
            }
            Match::IgnoringCase => {
                ignoring_case += 1;
                ignoring_case_at = i;
            }
            Match::No => {}
        }
        rest = after;
        i += 1;
    }
    match (exact, ignoring_case) {
        (1, _) => exact_at,
        (0, 1) => ignoring_case_at,
        _ => reject_ambiguous_name(values, json, &names),
    }
}

#[track_caller]
const fn reject_ambiguous_name(values: &[&str], member: &str, names: &[Name<'_>; 2]) -> ! {
    let message = Message::EMPTY.push("member `").push(member).push("`: ");
    let mut exact = false;
    let mut matching = Message::EMPTY;
    let mut count = 0;
    let mut rest = values;
    while let [value, after @ ..] = rest {
        rest = after;
        let kind = match_either(value.as_bytes(), names);
        if let Match::Exact = kind
            && !exact
        {
            // Exact matches have priority, so the other matches so far do not count.
            exact = true;
            matching = Message::EMPTY;
            count = 0;
        }
        if matches!(kind, Match::Exact) || matches!(kind, Match::IgnoringCase) && !exact {
            let comma = if count > 0 { ", \"" } else { "\"" };
            matching = matching.push(comma).push(value).push("\"");
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
        .push(matching.as_str())
        .push("; set one with `#[union(member = \"...\")]`")
        .panic()
}

/// Returns the element at a position that a lookup found, or that is below the length.
#[expect(
    clippy::indexing_slicing,
    reason = "const evaluation has no `get`; a wrong position is a compile error at the member's span"
)]
#[track_caller]
pub(crate) const fn element_at<T: Copy>(list: &[T], position: usize) -> T {
    list[position]
}

/// Returns true if two strings are equal and not empty.
pub(crate) const fn is_equal(a: &str, b: &str) -> bool {
    matches!(match_one(a.as_bytes(), Name::new(b)), Match::Exact)
}

/// A name that a value may match.
#[derive(Clone, Copy)]
pub(crate) struct Name<'a> {
    name: &'a str,
    /// True if the first letter, if it is an ASCII letter, counts as a capital letter.
    is_capitalized: bool,
}

impl<'a> Name<'a> {
    pub(crate) const fn new(name: &'a str) -> Self {
        Self {
            name,
            is_capitalized: false,
        }
    }

    pub(crate) const fn capitalized(name: &'a str) -> Self {
        Self {
            name,
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
    let mut name = name.name.as_bytes();
    if value.is_empty() || value.len() != name.len() {
        return Match::No;
    }
    let mut result = Match::Exact;
    while let ([a, value_after @ ..], [b, name_after @ ..]) = (value, name) {
        let a = *a;
        let b = if is_capital {
            b.to_ascii_uppercase()
        } else {
            *b
        };
        is_capital = false;
        if a != b {
            result = Match::IgnoringCase;
            // The two cases of an ASCII letter differ in this bit.
            let lower = a | 0x20;
            if a ^ b != 0x20 || lower < b'a' || lower > b'z' {
                return Match::No;
            }
        }
        (value, name) = (value_after, name_after);
    }
    result
}

/// Returns the position of the key with this JSON name among the keys of the elements of a list.
///
/// # Panics
///
/// Panics at compile time if the elements do not have this key.
#[track_caller]
#[must_use]
pub const fn key_position(keys: &[&str], name: &str) -> usize {
    // A struct whose derive reported an error has no keys. No second error is reported for lists of
    // this struct.
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
