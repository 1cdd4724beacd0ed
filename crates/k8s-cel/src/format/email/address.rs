//! Parses addresses of RFC 5322, and groups of addresses.

use k8s_go_text::scan::Scanner;

use super::encoded;
use super::parser::{AddressError, AddressParser, ParseResult};

pub(in crate::format) fn is_email(string: &str) -> bool {
    let mut parser = AddressParser(Scanner(string.as_bytes()));
    let is_single = matches!(parser.parse_address(GroupSyntax::Allowed), Ok(1));
    is_single && parser.skip_comments().is_ok() && parser.0.is_done()
}

/// The permission for a group of addresses, such as `friends: a@b.c;`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupSyntax {
    Allowed,
    Forbidden,
}

impl AddressParser<'_> {
    /// Parses an address with or without a display name, or a group. Returns the number of
    /// addresses.
    fn parse_address(&mut self, groups: GroupSyntax) -> ParseResult<usize> {
        self.skip_space();
        if self.0.is_done() {
            return Err(AddressError);
        }
        let start = self.0;
        if self.parse_addr_spec().is_ok() {
            self.skip_space();
            if self.0.eat(b'(') {
                encoded::check_words(self.parse_comment()?)?;
            }
            return Ok(1);
        }
        self.0 = start;
        if self.0.peek() != Some(b'<') {
            self.parse_phrase()?;
        }
        self.skip_space();
        if groups == GroupSyntax::Allowed && self.0.eat(b':') {
            return self.parse_group();
        }
        self.expect(b'<')?;
        self.parse_addr_spec()?;
        self.expect(b'>')?;
        Ok(1)
    }

    /// Parses the addresses after the name of a group.
    fn parse_group(&mut self) -> ParseResult<usize> {
        self.skip_space();
        let mut count = 0;
        if !self.0.eat(b';') {
            loop {
                self.skip_space();
                count += self.parse_address(GroupSyntax::Forbidden)?;
                self.skip_comments()?;
                if self.0.eat(b';') {
                    break;
                }
                self.expect(b',')?;
            }
        }
        self.skip_comments()?;
        Ok(count)
    }

    /// Parses an address without a display name, such as `user@example.com`.
    fn parse_addr_spec(&mut self) -> ParseResult {
        self.skip_space();
        match self.0.peek() {
            Some(b'"') if !self.parse_quoted_string()? => return Err(AddressError),
            Some(b'"') => {}
            _ => self.parse_dot_atom()?,
        }
        self.expect(b'@')?;
        self.skip_space();
        match self.0.peek() {
            Some(b'[') => self.parse_domain_literal(),
            _ => self.parse_dot_atom(),
        }
    }

    /// Parses the display name of an address or group. A failure after the first word ends the
    /// name; the caller checks the rest.
    fn parse_phrase(&mut self) -> ParseResult {
        let mut has_words = false;
        // True after an encoded word with content. If all words are empty, an invalid word is an
        // error.
        let mut has_encoded = false;
        loop {
            if has_words {
                self.skip_comments()?;
            }
            self.skip_space();
            let word = match self.0.peek() {
                None => return Ok(()),
                Some(b'"') => self.parse_quoted_word(),
                Some(_) => self.parse_atom().and_then(encoded::check_word),
            };
            match word {
                Ok(encoded::Word::Encoded { is_empty }) => has_encoded |= !is_empty,
                Ok(encoded::Word::Plain) => has_words = true,
                Err(AddressError) if has_words || has_encoded => return Ok(()),
                Err(AddressError) => return Err(AddressError),
            }
        }
    }

    /// Parses a quoted word. Without a closing quote, the name ends before the word.
    fn parse_quoted_word(&mut self) -> ParseResult<encoded::Word> {
        let start = self.0;
        if self.parse_quoted_string().is_err() {
            self.0 = start;
            return Err(AddressError);
        }
        Ok(encoded::Word::Plain)
    }

    /// Consumes the byte, or fails.
    pub(super) fn expect(&mut self, byte: u8) -> ParseResult {
        if self.0.eat(byte) {
            Ok(())
        } else {
            Err(AddressError)
        }
    }

    fn skip_space(&mut self) {
        self.0.eat_while(|byte| matches!(byte, b' ' | b'\t'));
    }

    /// Skips spaces, tabs and comments.
    fn skip_comments(&mut self) -> ParseResult {
        self.skip_space();
        while self.0.eat(b'(') {
            self.parse_comment()?;
            self.skip_space();
        }
        Ok(())
    }
}
