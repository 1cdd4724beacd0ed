//! CEL string literals.

use core::fmt::Write as _;

/// Returns the CEL literal of a string, in single quotes.
#[must_use]
pub fn string_literal(value: &str) -> String {
    let mut literal = String::from("'");
    for c in value.chars() {
        match c {
            '\\' | '\'' => {
                literal.push('\\');
                literal.push(c);
            }
            c if c.is_control() => {
                // Writing to a String cannot fail.
                let _ = write!(literal, "\\u{:04x}", u32::from(c));
            }
            c => literal.push(c),
        }
    }
    literal.push('\'');
    literal
}
