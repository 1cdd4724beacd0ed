//! Finds a member's discriminator value among those of the enum type, while the author's crate compiles.

use crate::message::Message;

/// How many values of an enum type can have a member: one bit of a mask each.
pub(crate) const MOST_VALUES: usize = 64;

/// The position of `value`, as written by the author in `member = "..."`.
///
/// # Panics
///
/// At compile time, where the enum type does not have the value.
#[track_caller]
pub(crate) const fn explicit(values: &[&str], member: &str, value: &str) -> usize {
    let mut i = 0;
    while i < values.len() {
        if same(values[i], value) {
            return i;
        }
        i += 1;
    }
    Message::new()
        .text("member `")
        .text(member)
        .text("`: the discriminator has no value \"")
        .text(value)
        .text("\"; use one of: ")
        .values(values)
        .panic()
}

/// The position of the value that a member has by default: it equals the field's JSON name or its Rust name in
/// `CamelCase`, exactly or else ignoring ASCII case (DESIGN 4).
///
/// # Panics
///
/// At compile time, where no value or more than one fits.
#[track_caller]
pub(crate) const fn by_name(values: &[&str], json: &str, camel: &str) -> usize {
    match pick(values, json, camel, true) {
        Pick::One(i) => i,
        Pick::Several => several(values, json, camel, true),
        Pick::None => match pick(values, json, camel, false) {
            Pick::One(i) => i,
            Pick::Several => several(values, json, camel, false),
            Pick::None => Message::new()
                .text("member `")
                .text(json)
                .text("`: no value of the discriminator fits the field's name; say which with `#[union(member = \"...\")]`, one of: ")
                .values(values)
                .panic(),
        },
    }
}

enum Pick {
    None,
    One(usize),
    Several,
}

const fn fits(value: &str, json: &str, camel: &str, exact: bool) -> bool {
    // `""` selects no member (KEP-1027, "Discriminator Values").
    !value.is_empty()
        && if exact {
            same(value, json) || same(value, camel)
        } else {
            value.eq_ignore_ascii_case(json) || value.eq_ignore_ascii_case(camel)
        }
}

const fn pick(values: &[&str], json: &str, camel: &str, exact: bool) -> Pick {
    let mut found = Pick::None;
    let mut i = 0;
    while i < values.len() {
        if fits(values[i], json, camel, exact) {
            found = match found {
                Pick::None => Pick::One(i),
                Pick::One(_) | Pick::Several => Pick::Several,
            };
        }
        i += 1;
    }
    found
}

#[track_caller]
const fn several(values: &[&str], json: &str, camel: &str, exact: bool) -> ! {
    let mut message = Message::new()
        .text("member `")
        .text(json)
        .text("`: several values of the discriminator fit the field's name: ");
    let mut first = true;
    let mut i = 0;
    while i < values.len() {
        if fits(values[i], json, camel, exact) {
            if !first {
                message = message.text(", ");
            }
            message = message.text("\"").text(values[i]).text("\"");
            first = false;
        }
        i += 1;
    }
    message
        .text("; say which with `#[union(member = \"...\")]`")
        .panic()
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
