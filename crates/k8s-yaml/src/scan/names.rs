//! Anchors, aliases, tags and directives.

use super::scanner::Scanner;
use super::token::{Kind, Token};
use crate::error::{Error, Mark};

impl Scanner<'_> {
    pub(super) fn anchor(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        let kind = Kind::Anchor(self.anchor_name("an anchor")?);
        Ok(Token { kind, mark })
    }

    pub(super) fn alias(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        let kind = Kind::Alias(self.anchor_name("an alias")?);
        Ok(Token { kind, mark })
    }

    /// Reads the name after `&` or `*`.
    fn anchor_name(&mut self, of: &str) -> Result<String, Error> {
        self.cursor.skip();
        let name = self.name();
        let ends = matches!(
            self.cursor.byte(0),
            b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`'
        );
        if name.is_empty() || !(ends || self.cursor.is_space()) {
            let text = format!("the name of {of} must have letters, digits, `-` or `_` only");
            return Err(self.cursor.error(text));
        }
        Ok(name)
    }

    fn name(&mut self) -> String {
        let mut name = String::new();
        while self.cursor.is_of_name() {
            self.cursor.take(&mut name);
        }
        name
    }

    /// Reads a tag: `!<uri>`, `!suffix` or `!handle!suffix`.
    pub(super) fn tag(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        let (handle, suffix) = if self.cursor.byte(1) == b'<' {
            self.cursor.skip();
            self.cursor.skip();
            let uri = self.tag_uri(mark)?;
            if !self.cursor.is(b'>') {
                return Err(self.cursor.error("expected `>` at the end of the tag"));
            }
            self.cursor.skip();
            (Vec::new(), uri)
        } else {
            let handle = self.tag_handle();
            if handle.len() > 1 && handle.ends_with(b"!") {
                let suffix = self.tag_uri(mark)?;
                (handle, suffix)
            } else {
                let suffix = self.tag_rest(handle.get(1..).unwrap_or_default().to_vec(), mark)?;
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
        let kind = Kind::Tag { handle, suffix };
        Ok(Token { kind, mark })
    }

    /// Reads `!`, the name after it, and the `!` after the name.
    fn tag_handle(&mut self) -> Vec<u8> {
        self.cursor.skip();
        let mut handle = format!("!{}", self.name());
        if self.cursor.is(b'!') {
            self.cursor.take(&mut handle);
        }
        handle.into_bytes()
    }

    /// Reads the characters of a URI, of which there must be one.
    fn tag_uri(&mut self, mark: Mark) -> Result<Vec<u8>, Error> {
        let uri = self.tag_rest(Vec::new(), mark)?;
        if uri.is_empty() {
            return Err(self.cursor.error("expected the name of a tag"));
        }
        Ok(uri)
    }

    /// Reads the characters of a URI.
    fn tag_rest(&mut self, mut uri: Vec<u8>, mark: Mark) -> Result<Vec<u8>, Error> {
        loop {
            let byte = self.cursor.byte(0);
            if byte == b'%' {
                self.escaped_octets(&mut uri, mark)?;
            } else if byte.is_ascii_alphanumeric() || b"_-;/?:@&=+$,.!~*'()[]".contains(&byte) {
                uri.push(byte);
                self.cursor.skip();
            } else {
                return Ok(uri);
            }
        }
    }

    /// Reads the octets of one character, each as `%` and two digits.
    fn escaped_octets(&mut self, uri: &mut Vec<u8>, mark: Mark) -> Result<(), Error> {
        let invalid = || Error::yaml(mark, "a `%` in a tag must begin an octet of UTF-8: `%20`");
        let mut rest = 1;
        let mut is_first = true;
        while rest > 0 {
            let digits = [1, 2].map(|ahead| char::from(self.cursor.byte(ahead)).to_digit(16));
            let (b'%', [Some(high), Some(low)]) = (self.cursor.byte(0), digits) else {
                return Err(invalid());
            };
            let octet = u8::try_from(high << 4 | low).unwrap_or(0);
            if is_first {
                rest = match octet {
                    0..0x80 => 1,
                    0xc0..0xe0 => 2,
                    0xe0..0xf0 => 3,
                    0xf0..0xf8 => 4,
                    _ => return Err(invalid()),
                };
                is_first = false;
            } else if octet & 0xc0 != 0x80 {
                return Err(invalid());
            }
            uri.push(octet);
            for _ in 0..3 {
                self.cursor.skip();
            }
            rest -= 1;
        }
        Ok(())
    }

    /// Reads a directive, and its line to the end.
    pub(super) fn directive(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        self.cursor.skip();
        let name = self.name();
        if name.is_empty() || !self.cursor.is_space() {
            return Err(Error::yaml(mark, "expected a directive after `%`"));
        }
        self.cursor.skip_blanks();
        let kind = match name.as_str() {
            "YAML" => self.version()?,
            "TAG" => self.tag_prefix(mark)?,
            _ => {
                let text = format!("unknown directive %{name}; remove it");
                return Err(Error::yaml(mark, text));
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

    fn version(&mut self) -> Result<Kind, Error> {
        let major = self.version_number()?;
        if !self.cursor.is(b'.') {
            return Err(self.cursor.error("expected the version as 1.1"));
        }
        self.cursor.skip();
        Ok(Kind::Version(major, self.version_number()?))
    }

    fn version_number(&mut self) -> Result<u8, Error> {
        let mut number: u8 = 0;
        let mut length = 0;
        while self.cursor.byte(0).is_ascii_digit() && length < 3 {
            number = number
                .saturating_mul(10)
                .saturating_add(self.cursor.byte(0) - b'0');
            length += 1;
            self.cursor.skip();
        }
        if length == 0 || length > 2 {
            return Err(self.cursor.error("expected the version as 1.1"));
        }
        Ok(number)
    }

    fn tag_prefix(&mut self, mark: Mark) -> Result<Kind, Error> {
        if !self.cursor.is(b'!') {
            return Err(self.cursor.error("expected a handle such as `!a!`"));
        }
        let handle = self.tag_handle();
        if handle != b"!" && (handle.len() == 1 || !handle.ends_with(b"!")) {
            return Err(self.cursor.error("expected a handle such as `!a!`"));
        }
        if !self.cursor.is_blank() {
            return Err(self.cursor.error("expected a space after the handle"));
        }
        self.cursor.skip_blanks();
        let prefix = self.tag_uri(mark)?;
        if !self.cursor.is_space() {
            return Err(self.cursor.error("expected a space after the prefix"));
        }
        Ok(Kind::TagPrefix { handle, prefix })
    }
}
