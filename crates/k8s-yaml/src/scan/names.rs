//! Anchors, aliases, tags and directives.

use super::scanner::Scanner;
use super::token::{Token, TokenKind};
use crate::error::{Error, Mark};

impl Scanner<'_> {
    pub(super) fn scan_anchor(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        let kind = TokenKind::Anchor(self.scan_anchor_name("an anchor")?);
        Ok(Token { kind, mark })
    }

    pub(super) fn scan_alias(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        let kind = TokenKind::Alias(self.scan_anchor_name("an alias")?);
        Ok(Token { kind, mark })
    }

    /// Reads the name after `&` or `*`.
    fn scan_anchor_name(&mut self, token_name: &str) -> Result<String, Error> {
        self.cursor.skip();
        let name = self.scan_name();
        let is_followed_by_indicator = matches!(
            self.cursor.byte(0),
            b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`'
        );
        if name.is_empty() || !(is_followed_by_indicator || self.cursor.is_space()) {
            let message =
                format!("the name of {token_name} must have letters, digits, `-` or `_` only");
            return Err(self.cursor.error(message));
        }
        Ok(name)
    }

    fn scan_name(&mut self) -> String {
        let mut name = String::new();
        while self.cursor.is_name_character() {
            self.cursor.read_into(&mut name);
        }
        name
    }

    /// Reads a tag: `!<uri>`, `!suffix` or `!handle!suffix`.
    pub(super) fn scan_tag(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        let (handle, suffix) = if self.cursor.byte(1) == b'<' {
            self.cursor.skip();
            self.cursor.skip();
            let uri = self.scan_tag_uri(mark)?;
            if !self.cursor.is_byte(b'>') {
                return Err(self.cursor.error("expected `>` at the end of the tag"));
            }
            self.cursor.skip();
            (Vec::new(), uri)
        } else {
            let handle = self.scan_tag_handle();
            if handle.len() > 1 && handle.ends_with(b"!") {
                let suffix = self.scan_tag_uri(mark)?;
                (handle, suffix)
            } else {
                let suffix =
                    self.scan_uri_characters(handle.get(1..).unwrap_or_default().to_vec(), mark)?;
                if suffix.is_empty() {
                    (Vec::new(), b"!".to_vec())
                } else {
                    (b"!".to_vec(), suffix)
                }
            }
        };
        if !self.cursor.is_space() {
            return Err(self.cursor.error("expected a space after the tag"));
        }
        let kind = TokenKind::Tag { handle, suffix };
        Ok(Token { kind, mark })
    }

    /// Reads a tag handle: `!`, optionally a name, and the `!` after the name.
    fn scan_tag_handle(&mut self) -> Vec<u8> {
        self.cursor.skip();
        let mut handle = format!("!{}", self.scan_name());
        if self.cursor.is_byte(b'!') {
            self.cursor.read_into(&mut handle);
        }
        handle.into_bytes()
    }

    /// Reads a URI that is not empty.
    fn scan_tag_uri(&mut self, mark: Mark) -> Result<Vec<u8>, Error> {
        let uri = self.scan_uri_characters(Vec::new(), mark)?;
        if uri.is_empty() {
            return Err(self.cursor.error("expected the name of a tag"));
        }
        Ok(uri)
    }

    /// Appends the characters of a URI to `uri`.
    fn scan_uri_characters(&mut self, mut uri: Vec<u8>, mark: Mark) -> Result<Vec<u8>, Error> {
        loop {
            let byte = self.cursor.byte(0);
            if byte == b'%' {
                self.scan_uri_escapes(&mut uri, mark)?;
            } else if byte.is_ascii_alphanumeric() || b"_-;/?:@&=+$,.!~*'()[]".contains(&byte) {
                uri.push(byte);
                self.cursor.skip();
            } else {
                return Ok(uri);
            }
        }
    }

    /// Reads the octets of one character, each as `%` and two digits.
    fn scan_uri_escapes(&mut self, uri: &mut Vec<u8>, mark: Mark) -> Result<(), Error> {
        let invalid_error =
            || Error::yaml(mark, "a `%` in a tag must begin an octet of UTF-8: `%20`");
        let mut remaining_octets = 1;
        let mut is_first = true;
        while remaining_octets > 0 {
            let digits = [1, 2].map(|offset| char::from(self.cursor.byte(offset)).to_digit(16));
            let (b'%', [Some(high), Some(low)]) = (self.cursor.byte(0), digits) else {
                return Err(invalid_error());
            };
            let octet = u8::try_from(high << 4 | low).unwrap_or(0);
            if is_first {
                remaining_octets = match octet {
                    0..0x80 => 1,
                    0xc0..0xe0 => 2,
                    0xe0..0xf0 => 3,
                    0xf0..0xf8 => 4,
                    _ => return Err(invalid_error()),
                };
                is_first = false;
            } else if octet & 0xc0 != 0x80 {
                return Err(invalid_error());
            }
            uri.push(octet);
            for _ in 0..3 {
                self.cursor.skip();
            }
            remaining_octets -= 1;
        }
        Ok(())
    }

    /// Reads a directive, up to the end of its line.
    pub(super) fn scan_directive(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        self.cursor.skip();
        let name = self.scan_name();
        if name.is_empty() || !self.cursor.is_space() {
            return Err(Error::yaml(mark, "expected a directive after `%`"));
        }
        self.cursor.skip_blanks();
        let kind = match name.as_str() {
            "YAML" => self.scan_version()?,
            "TAG" => self.scan_tag_prefix(mark)?,
            _ => {
                let message = format!("unknown directive %{name}; remove it");
                return Err(Error::yaml(mark, message));
            }
        };
        self.cursor.skip_blanks();
        self.cursor.skip_comment();
        if !self.cursor.is_break_or_end() {
            return Err(self.cursor.error("expected the end of the directive"));
        }
        self.cursor.skip_break();
        Ok(Token { kind, mark })
    }

    fn scan_version(&mut self) -> Result<TokenKind, Error> {
        let major = self.scan_version_number()?;
        if !self.cursor.is_byte(b'.') {
            return Err(self.cursor.error("expected the version as 1.1"));
        }
        self.cursor.skip();
        Ok(TokenKind::Version(major, self.scan_version_number()?))
    }

    fn scan_version_number(&mut self) -> Result<u8, Error> {
        let mut number: u8 = 0;
        let mut digit_count = 0;
        while self.cursor.byte(0).is_ascii_digit() && digit_count < 3 {
            number = number
                .saturating_mul(10)
                .saturating_add(self.cursor.byte(0) - b'0');
            digit_count += 1;
            self.cursor.skip();
        }
        if digit_count == 0 || digit_count > 2 {
            return Err(self.cursor.error("expected the version as 1.1"));
        }
        Ok(number)
    }

    fn scan_tag_prefix(&mut self, mark: Mark) -> Result<TokenKind, Error> {
        if !self.cursor.is_byte(b'!') {
            return Err(self.cursor.error("expected a handle such as `!a!`"));
        }
        let handle = self.scan_tag_handle();
        if handle != b"!" && (handle.len() == 1 || !handle.ends_with(b"!")) {
            return Err(self.cursor.error("expected a handle such as `!a!`"));
        }
        if !self.cursor.is_blank() {
            return Err(self.cursor.error("expected a space after the handle"));
        }
        self.cursor.skip_blanks();
        let prefix = self.scan_tag_uri(mark)?;
        if !self.cursor.is_space() {
            return Err(self.cursor.error("expected a space after the prefix"));
        }
        Ok(TokenKind::TagPrefix { handle, prefix })
    }
}
