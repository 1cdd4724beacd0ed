//! Addresses of RFC 5322, and groups of addresses.

use k8s_go_text::scan::Scanner;

use super::encoded;
use super::parser::{AddressError, AddressParser, ParseResult};

pub(in crate::format) fn is_email(text: &str) -> bool {
    let mut reader = AddressParser(Scanner(text.as_bytes()));
    let is_one = matches!(reader.address(GroupSyntax::Allowed), Ok(1));
    is_one && reader.skip_comments().is_ok() && reader.0.is_done()
}

/// The permission for a group, such as `friends: a@b.c;`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupSyntax {
    Allowed,
    Forbidden,
}

impl AddressParser<'_> {
    /// Reads an address, bare or with a name, or a group. Returns the number of addresses.
    fn address(&mut self, groups: GroupSyntax) -> ParseResult<usize> {
        self.skip_space();
        if self.0.is_done() {
            return Err(AddressError);
        }
        let before = self.0;
        if self.addr_spec().is_ok() {
            self.skip_space();
            if self.0.eat(b'(') {
                encoded::check_words(self.comment()?)?;
            }
            return Ok(1);
        }
        self.0 = before;
        if self.0.peek() != Some(b'<') {
            self.phrase()?;
        }
        self.skip_space();
        if groups == GroupSyntax::Allowed && self.0.eat(b':') {
            return self.group();
        }
        self.expect(b'<')?;
        self.addr_spec()?;
        self.expect(b'>')?;
        Ok(1)
    }

    /// Reads the addresses after the name of a group.
    fn group(&mut self) -> ParseResult<usize> {
        self.skip_space();
        let mut count = 0;
        if !self.0.eat(b';') {
            loop {
                self.skip_space();
                count += self.address(GroupSyntax::Forbidden)?;
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

    /// Reads an address such as `somebody@somewhere`.
    fn addr_spec(&mut self) -> ParseResult {
        self.skip_space();
        match self.0.peek() {
            Some(b'"') if !self.quoted_string()? => return Err(AddressError),
            Some(b'"') => {}
            _ => self.dot_atom()?,
        }
        self.expect(b'@')?;
        self.skip_space();
        match self.0.peek() {
            Some(b'[') => self.domain_literal(),
            _ => self.dot_atom(),
        }
    }

    /// Reads the name of a person or group. The caller checks the characters after the first word.
    fn phrase(&mut self) -> ParseResult {
        let mut has_words = false;
        // Encoded words count if they are not empty and a plain word or the end follows.
        let mut has_encoded = false;
        loop {
            if has_words {
                self.skip_comments()?;
            }
            self.skip_space();
            let read = match self.0.peek() {
                None => return Ok(()),
                Some(b'"') => self.quoted_word(),
                Some(_) => self.atom().and_then(encoded::decode),
            };
            match read {
                Ok(encoded::Word::Encoded { is_empty }) => has_encoded |= !is_empty,
                Ok(encoded::Word::Plain) => has_words = true,
                Err(AddressError) if has_words || has_encoded => return Ok(()),
                Err(AddressError) => return Err(AddressError),
            }
        }
    }

    /// Reads a word in quotes. If the quotes are not closed, the name ends before them.
    fn quoted_word(&mut self) -> ParseResult<encoded::Word> {
        let before = self.0;
        if self.quoted_string().is_err() {
            self.0 = before;
            return Err(AddressError);
        }
        Ok(encoded::Word::Plain)
    }

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

    /// Skips space and comments.
    fn skip_comments(&mut self) -> ParseResult {
        self.skip_space();
        while self.0.eat(b'(') {
            self.comment()?;
            self.skip_space();
        }
        Ok(())
    }
}
