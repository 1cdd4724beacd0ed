//! Finds the discriminator value of a member among the values of the enum type, at compile time.
//!
//! This code runs for every member of every union in every build, in rustc's interpreter, where a
//! comparison of two words of five letters takes on the order of 100,000 instructions. The derives
//! therefore compute keys, which are hashes, and strings are compared only if the keys do not
//! decide.

use super::message::Message;

/// The result of a lookup that finds nothing, or that the keys do not decide.
pub(crate) const NOT_FOUND: usize = usize::MAX;

/// Returns the position of the only value that has one of two keys: the keys of a field's JSON name
/// and Rust name. A value with such a key equals the name, ignoring ASCII case. Returns
/// [`NOT_FOUND`] if no value or more than one value has one of the keys. The two names usually
/// differ only in case and have equal keys. In this case, the result is the first value with the
/// key.
pub(crate) const fn position_by_keys(value_keys: &[u64], name_keys: [u64; 2]) -> usize {
    let [json_key, camel_key] = name_keys;
    let mut match_position = NOT_FOUND;
    let mut i = 0;
    let mut remaining = value_keys;
    while let [key, tail @ ..] = remaining {
        let key = *key;
        remaining = tail;
        if key == json_key || key == camel_key {
            if json_key == camel_key {
                return i;
            }
            if match_position != NOT_FOUND {
                return NOT_FOUND;
            }
            match_position = i;
        }
        i += 1;
    }
    match_position
}

/// Returns the position of `string` in `list`. Returns [`NOT_FOUND`] if `list` does not contain
/// `string`, or if `string` is empty.
pub(crate) const fn position(list: &[&str], string: &str) -> usize {
    let mut i = 0;
    let mut remaining = list;
    while let [entry, tail @ ..] = remaining {
        if is_equal(entry, string) {
            return i;
        }
        remaining = tail;
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
    let position = position(values, value);
    if position == NOT_FOUND {
        Message::EMPTY
            .push("member `")
            .push(member)
            .push("`: the discriminator has no value \"")
            .push(value)
            .push("\"; use one of: ")
            .push_list(values)
            .panic()
    }
    position
}

/// Returns the position of the default value of a member. This value equals the field's JSON name
/// or its Rust name in `CamelCase`, exactly or otherwise ignoring ASCII case (`docs/design.md`,
/// "Attributes"). The value `""` matches no name.
///
/// # Panics
///
/// Panics at compile time if no value or more than one value matches.
#[track_caller]
pub(crate) const fn position_by_name(values: &[&str], json_name: &str, camel: Name<'_>) -> usize {
    let names = [Name::new(json_name), camel];
    // The number of matches of each kind, and the position of the last match.
    let (mut exact_count, mut exact_position) = (0, 0);
    let (mut inexact_count, mut inexact_position) = (0, 0);
    let mut i = 0;
    let mut remaining = values;
    while let [value, tail @ ..] = remaining {
        match match_either(value.as_bytes(), &names) {
            Match::Exact => {
                exact_count += 1;
                exact_position = i;
            }
            Match::IgnoringCase => {
                inexact_count += 1;
                inexact_position = i;
            }
            Match::No => {}
        }
        remaining = tail;
        i += 1;
    }
    match (exact_count, inexact_count) {
        (1, _) => exact_position,
        (0, 1) => inexact_position,
        _ => reject_name(values, json_name, &names),
    }
}

/// Panics with a message about a name that no value or more than one value matches.
#[track_caller]
const fn reject_name(values: &[&str], member: &str, names: &[Name<'_>; 2]) -> ! {
    let message = Message::EMPTY.push("member `").push(member).push("`: ");
    let mut has_exact_match = false;
    let mut matching_values = Message::EMPTY;
    let mut match_count = 0;
    let mut remaining = values;
    while let [value, tail @ ..] = remaining {
        remaining = tail;
        let name_match = match_either(value.as_bytes(), names);
        let is_exact = matches!(name_match, Match::Exact);
        if is_exact && !has_exact_match {
            // Exact matches have priority, so the other matches so far do not count.
            has_exact_match = true;
            matching_values = Message::EMPTY;
            match_count = 0;
        }
        if is_exact || matches!(name_match, Match::IgnoringCase) && !has_exact_match {
            let comma = if match_count > 0 { ", \"" } else { "\"" };
            matching_values = matching_values.push(comma).push(value).push("\"");
            match_count += 1;
        }
    }
    if match_count == 0 {
        message
            .push("no discriminator value matches the field's name; set one with `#[union(member = \"...\")]`, one of: ")
            .push_list(values)
            .panic()
    }
    message
        .push("several discriminator values match the field's name: ")
        .push(matching_values.as_str())
        .push("; set one with `#[union(member = \"...\")]`")
        .panic()
}

/// Returns the element at a position, which must be below the length.
#[expect(
    clippy::indexing_slicing,
    reason = "const evaluation has no `get`; a wrong position is a compile error at the member's span"
)]
#[track_caller]
pub(crate) const fn element_at<T: Copy>(list: &[T], position: usize) -> T {
    list[position]
}

/// Returns true if two strings are equal and not empty.
pub(crate) const fn is_equal(left: &str, right: &str) -> bool {
    let name_match = match_name(left.as_bytes(), Name::new(right));
    matches!(name_match, Match::Exact)
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

/// The match of a value with a name.
#[derive(Clone, Copy)]
enum Match {
    Exact,
    IgnoringCase,
    No,
}

/// Returns the better match of a value with two names.
const fn match_either(value: &[u8], names: &[Name<'_>; 2]) -> Match {
    let [first_name, second_name] = *names;
    match match_name(value, first_name) {
        Match::Exact => Match::Exact,
        first_match => match match_name(value, second_name) {
            Match::No => first_match,
            second_match => second_match,
        },
    }
}

/// Compares a value with a name, first exactly and then ignoring ASCII case.
const fn match_name(mut value: &[u8], name: Name<'_>) -> Match {
    let mut is_capital = name.is_capitalized;
    let mut name = name.name.as_bytes();
    if value.is_empty() || value.len() != name.len() {
        return Match::No;
    }
    let mut result = Match::Exact;
    while let ([value_byte, value_tail @ ..], [name_byte, name_tail @ ..]) = (value, name) {
        let value_byte = *value_byte;
        let name_byte = if is_capital {
            name_byte.to_ascii_uppercase()
        } else {
            *name_byte
        };
        is_capital = false;
        if value_byte != name_byte {
            result = Match::IgnoringCase;
            // The two cases of an ASCII letter differ in this bit.
            let lower = value_byte | 0x20;
            if value_byte ^ name_byte != 0x20 || lower < b'a' || lower > b'z' {
                return Match::No;
            }
        }
        (value, name) = (value_tail, name_tail);
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
    let position = position(keys, name);
    if position == NOT_FOUND {
        Message::EMPTY
            .push("the elements have no key \"")
            .push(name)
            .push("\"; mark that field with `#[union(key)]` in their struct, or use one of: ")
            .push_list(keys)
            .panic()
    }
    position
}
