//! Quotes bytes in error messages.

use core::fmt::{self, Write as _};

use k8s_json_internals::quote::GoQuoted;

/// Formats bytes in quotes like [`GoQuoted`], even if they are not UTF-8.
pub struct QuotedBytes<'a>(pub &'a [u8]);

impl fmt::Display for QuotedBytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for chunk in self.0.utf8_chunks() {
            let quoted = GoQuoted(chunk.valid()).to_string();
            let inner = quoted
                .strip_prefix('"')
                .and_then(|string| string.strip_suffix('"'));
            f.write_str(inner.unwrap_or_default())?;
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        f.write_char('"')
    }
}
