//! Finds a key of a list by its name, while the author's crate compiles.

use super::lookup;
use super::message::Message;

/// The position of a key, by its JSON name, among the keys of a list's elements.
///
/// # Panics
///
/// At compile time, where the elements have no such key.
#[track_caller]
#[must_use]
pub const fn key_position(keys: &[&str], name: &str) -> usize {
    // A struct whose derive reported an error has no keys; lists of it get no second error for that.
    if keys.is_empty() {
        return 0;
    }
    let mut i = 0;
    let mut rest = keys;
    while let [key, after @ ..] = rest {
        if lookup::equal(key, name) {
            return i;
        }
        rest = after;
        i += 1;
    }
    Message::new()
        .text("the elements have no key \"")
        .text(name)
        .text("\"; mark that field with `#[union(key)]` in their struct, or use one of: ")
        .values(keys)
        .panic()
}
