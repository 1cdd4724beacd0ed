//! Addresses of RFC 5322, and groups of addresses.

use k8s_go_text::scan::Scan;

use super::encoded;
use super::reader::{Read, Reader, Refused};

pub(in crate::format) fn is_email(text: &str) -> bool {
    let mut reader = Reader(Scan(text.as_bytes()));
    let is_one = matches!(reader.address(Groups::Allowed), Ok(1));
    is_one && reader.skip_comments().is_ok() && reader.0.is_done()
}

/// The permission for a group, such as `friends: a@b.c;`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    Allowed,
    Forbidden,
}

impl Reader<'_> {
    /// Reads an address, bare or with a name, or a group. Returns the number of addresses.
    fn address(&mut self, groups: Groups) -> Read<usize> {
        self.skip_space();
        if self.0.is_done() {
            return Err(Refused);
        }
        let before = self.0;
        if self.spec().is_ok() {
            self.skip_space();
            if self.0.take(b'(') {
                encoded::check_words(self.comment()?)?;
            }
            return Ok(1);
        }
        self.0 = before;
        if self.0.peek() != Some(b'<') {
            self.phrase()?;
        }
        self.skip_space();
        if groups == Groups::Allowed && self.0.take(b':') {
            return self.group();
        }
        self.expect(b'<')?;
        self.spec()?;
        self.expect(b'>')?;
        Ok(1)
    }

    /// Reads the addresses after the name of a group.
    fn group(&mut self) -> Read<usize> {
        self.skip_space();
        let mut count = 0;
        if !self.0.take(b';') {
            loop {
                self.skip_space();
                count += self.address(Groups::Forbidden)?;
                self.skip_comments()?;
                if self.0.take(b';') {
                    break;
                }
                self.expect(b',')?;
            }
        }
        self.skip_comments()?;
        Ok(count)
    }

    /// Reads an address such as `somebody@somewhere`.
    fn spec(&mut self) -> Read {
        self.skip_space();
        match self.0.peek() {
            Some(b'"') if !self.quoted()? => return Err(Refused),
            Some(b'"') => {}
            _ => self.strict_atom()?,
        }
        self.expect(b'@')?;
        self.skip_space();
        match self.0.peek() {
            Some(b'[') => self.domain_literal(),
            _ => self.strict_atom(),
        }
    }

    /// Reads the name of a person or group. The caller checks the characters after the first word.
    fn phrase(&mut self) -> Read {
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
                Some(_) => self.loose_atom().and_then(encoded::decode),
            };
            match read {
                Ok(encoded::Word::Encoded { is_empty }) => has_encoded |= !is_empty,
                Ok(encoded::Word::Plain) => has_words = true,
                Err(Refused) if has_words || has_encoded => return Ok(()),
                Err(Refused) => return Err(Refused),
            }
        }
    }

    /// Reads a word in quotes. If the quotes are not closed, the name ends before them.
    fn quoted_word(&mut self) -> Read<encoded::Word> {
        let before = self.0;
        if self.quoted().is_err() {
            self.0 = before;
            return Err(Refused);
        }
        Ok(encoded::Word::Plain)
    }

    pub(super) fn expect(&mut self, byte: u8) -> Read {
        if self.0.take(byte) {
            Ok(())
        } else {
            Err(Refused)
        }
    }

    fn skip_space(&mut self) {
        self.0.take_while(|byte| matches!(byte, b' ' | b'\t'));
    }

    /// Skips space and comments.
    fn skip_comments(&mut self) -> Read {
        self.skip_space();
        while self.0.take(b'(') {
            self.comment()?;
            self.skip_space();
        }
        Ok(())
    }
}
