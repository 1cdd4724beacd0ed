//! The smallest parts of an address.

use super::super::ip::is_ip;
use super::parser::{AddressError, AddressParser, ParseResult};

impl<'t> AddressParser<'t> {
    /// Reads words with dots between them.
    pub(super) fn dot_atom(&mut self) -> ParseResult {
        let atom = self.atom()?;
        if atom.split(|byte| *byte == b'.').any(<[u8]>::is_empty) {
            return Err(AddressError);
        }
        Ok(())
    }

    /// Reads letters, signs and dots in any order.
    pub(super) fn atom(&mut self) -> ParseResult<&'t [u8]> {
        match self.0.eat_while(is_atom_byte) {
            [] => Err(AddressError),
            atom => Ok(atom),
        }
    }

    /// Reads a string in quotes. Returns true if the string is not empty.
    pub(super) fn quoted_string(&mut self) -> ParseResult<bool> {
        let mut has_some = false;
        self.0.eat(b'"');
        loop {
            let mut byte = self.next_byte()?;
            if byte == b'"' {
                return Ok(has_some);
            }
            if byte == b'\\' {
                byte = self.next_byte()?;
            }
            let is_text = is_visible(byte) || matches!(byte, b' ' | b'\t');
            if !is_text {
                return Err(AddressError);
            }
            has_some = true;
        }
    }

    /// Reads an IP address in brackets.
    pub(super) fn domain_literal(&mut self) -> ParseResult {
        self.0.eat(b'[');
        let address = self
            .0
            .eat_while(|byte| is_visible(byte) && !matches!(byte, b'[' | b']' | b'\\'));
        self.expect(b']')?;
        if is_ip(address) {
            Ok(())
        } else {
            Err(AddressError)
        }
    }

    /// Reads the rest of a comment, which may contain other comments. A backslash escapes the next
    /// byte.
    pub(super) fn comment(&mut self) -> ParseResult<&'t [u8]> {
        let start = self.0.0;
        let mut depth = 1_usize;
        while depth > 0 {
            match self.next_byte()? {
                b'\\' if !self.0.is_done() => {
                    self.next_byte()?;
                }
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
        }
        let (with_end, _) = start.split_at(start.len() - self.0.0.len());
        with_end.strip_suffix(b")").ok_or(AddressError)
    }

    fn next_byte(&mut self) -> ParseResult<u8> {
        self.0.eat_if(|_| true).ok_or(AddressError)
    }
}

/// Returns true for printable characters of ASCII, except space, and for bytes outside of ASCII.
const fn is_visible(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0x80..)
}

const fn is_atom_byte(byte: u8) -> bool {
    is_visible(byte)
        && !matches!(
            byte,
            b'(' | b')' | b'<' | b'>' | b'[' | b']' | b':' | b';' | b'@' | b'\\' | b',' | b'"'
        )
}
