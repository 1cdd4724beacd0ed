//! Quoted strings, as Go prints them.

use core::fmt::{self, Write as _};

/// Returns a list of quoted values for a message: `"A", "B"`.
#[must_use]
pub fn quote_list<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    let mut list = String::new();
    for (index, value) in values.into_iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        // Writing to a String cannot fail.
        let _ = write!(list, "{comma}{}", GoQuoted(value));
    }
    list
}

/// Displays a string as Go's `%q` does. Kubernetes prints strings with `%q`.
pub struct GoQuoted<'a>(pub &'a str);

impl fmt::Display for GoQuoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
        f.write_char('"')?;
        if self.0.bytes().all(is_plain) {
            f.write_str(self.0)?;
            return f.write_char('"');
        }
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\u{7}' => f.write_str("\\a")?,
                '\u{8}' => f.write_str("\\b")?,
                '\u{c}' => f.write_str("\\f")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                '\u{b}' => f.write_str("\\v")?,
                c if is_printable(c) => f.write_char(c)?,
                c if c < '\u{80}' => write!(f, "\\x{:02x}", u32::from(c))?,
                c if c <= '\u{ffff}' => write!(f, "\\u{:04x}", u32::from(c))?,
                c => write!(f, "\\U{:08x}", u32::from(c))?,
            }
        }
        f.write_char('"')
    }
}

/// Returns true if Go prints a character without an escape. Rust escapes the same characters, and
/// also a combining mark at the beginning of a string. The function therefore checks the character
/// after a letter.
#[must_use]
pub fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    let mut bytes = [b'x', 0, 0, 0, 0];
    c.encode_utf8(&mut bytes[1..]);
    let with_letter = bytes.get(..=c.len_utf8());
    with_letter
        .and_then(|bytes| core::str::from_utf8(bytes).ok())
        .is_some_and(|string| string.escape_debug().nth(1) == Some(c))
}
