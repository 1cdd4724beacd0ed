//! Parses the tokens of an address: atoms, quoted strings, domain literals and comments.

use super::super::ip::is_ip;
use super::parser::{AddressError, AddressParser, ParseResult};

impl<'t> AddressParser<'t> {
    /// Parses an atom whose dots separate words that are not empty.
    pub(super) fn parse_dot_atom(&mut self) -> ParseResult {
        let atom = self.parse_atom()?;
        if atom.split(|byte| *byte == b'.').any(<[u8]>::is_empty) {
            return Err(AddressError);
        }
        Ok(())
    }

    /// Parses a run of atom characters, including dots at any position.
    pub(super) fn parse_atom(&mut self) -> ParseResult<&'t [u8]> {
        match self.0.eat_while(is_atom_byte) {
            [] => Err(AddressError),
            atom => Ok(atom),
        }
    }

    /// Parses a quoted string. Returns true if the string is not empty.
    pub(super) fn parse_quoted_string(&mut self) -> ParseResult<bool> {
        let mut has_content = false;
        self.0.eat(b'"');
        loop {
            let mut byte = self.next_byte()?;
            if byte == b'"' {
                return Ok(has_content);
            }
            if byte == b'\\' {
                byte = self.next_byte()?;
            }
            let is_allowed = is_visible(byte) || matches!(byte, b' ' | b'\t');
            if !is_allowed {
                return Err(AddressError);
            }
            has_content = true;
        }
    }

    /// Parses an IP address in square brackets.
    pub(super) fn parse_domain_literal(&mut self) -> ParseResult {
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

    /// Parses the rest of a comment after its opening parenthesis. Comments nest, and a backslash
    /// escapes the next byte.
    pub(super) fn parse_comment(&mut self) -> ParseResult<&'t [u8]> {
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
        let (comment, _) = start.split_at(start.len() - self.0.0.len());
        comment.strip_suffix(b")").ok_or(AddressError)
    }

    fn next_byte(&mut self) -> ParseResult<u8> {
        self.0.eat_if(|_| true).ok_or(AddressError)
    }
}

/// Returns true for printable ASCII characters except the space, and for all bytes outside ASCII.
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
