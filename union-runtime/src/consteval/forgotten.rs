//! Finds members that were forgotten, while the author's crate compiles: their value would be an empty member, and they
//! would never be checked.

use super::declaration::Declaration;
use super::lookup;
use super::message::Message;
use crate::spec::values::MOST_VALUES;

/// A declaration with all its members, beside an `Option` that is not said to be one. Its other name, the Rust one in
/// `CamelCase`, is the JSON one with a capital letter in front, so `key` is that of both.
///
/// # Panics
///
/// Where a value that has no member fits the field's name.
#[track_caller]
#[must_use]
pub const fn beside_field(union: Declaration, name: &'static str, key: u64) -> Declaration {
    beside_field_of_either(union, name, name, [key, key])
}

/// As [`beside_field`], where the other name is `camel`, with the second of the keys.
///
/// # Panics
///
/// As there.
#[track_caller]
#[must_use]
pub const fn beside_field_of_either(
    union: Declaration,
    name: &'static str,
    camel: &'static str,
    keys: [u64; 2],
) -> Declaration {
    // Mostly each value has a member, and what is below would run in the compiler's interpreter.
    if union.len == union.texts.len() {
        return union;
    }
    let [json_key, camel_key] = keys;
    let mut i = 0;
    while i < union.texts.len() && i < MOST_VALUES {
        let text = lookup::at(union.texts, i);
        let fits = if union.keys.is_empty() {
            text.eq_ignore_ascii_case(name) || text.eq_ignore_ascii_case(camel)
        } else {
            let key = lookup::at(union.keys, i);
            key == json_key || key == camel_key
        };
        if fits && !text.is_empty() && !union.has_member(i) {
            Message::new()
                .text("`")
                .text(name)
                .text("` is not a member, and the value \"")
                .text(text)
                .text("\" fits it and has none; add `#[union(member)]`, or `#[union(not_member)]` if that is meant")
                .panic()
        }
        i += 1;
    }
    union
}
