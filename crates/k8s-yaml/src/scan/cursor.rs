//! A position in the bytes of a document, and the classes of characters that YAML 1.1 has.

use crate::error::{Error, Mark};

/// A cursor over a document. Past the end it reads NUL, which no document contains.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    bytes: &'t [u8],
    at: usize,
    pub(super) mark: Mark,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: 0,
            mark: Mark::default(),
        }
    }

    /// Returns the byte that is a number of bytes ahead; NUL past the end.
    pub(super) fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn is(&self, byte: u8) -> bool {
        self.byte(0) == byte
    }

    pub(super) fn is_end(&self) -> bool {
        self.is(0)
    }

    pub(super) fn is_blank(&self) -> bool {
        self.is_blank_ahead(0)
    }

    fn is_blank_ahead(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), b' ' | b'\t')
    }

    pub(super) fn is_break(&self) -> bool {
        self.break_ahead(0).is_some()
    }

    /// Returns the length of the line break ahead, and the character that it is read as. YAML 1.1
    /// has three breaks that YAML 1.2 does not have: NEL, LS and PS.
    pub(super) fn break_ahead(&self, ahead: usize) -> Option<(usize, char)> {
        let byte = |after| self.byte(ahead + after);
        match byte(0) {
            b'\r' if byte(1) == b'\n' => Some((2, '\n')),
            b'\r' | b'\n' => Some((1, '\n')),
            0xc2 if byte(1) == 0x85 => Some((2, '\n')),
            0xe2 if byte(1) == 0x80 && byte(2) == 0xa8 => Some((3, '\u{2028}')),
            0xe2 if byte(1) == 0x80 && byte(2) == 0xa9 => Some((3, '\u{2029}')),
            _ => None,
        }
    }

    pub(super) fn is_break_or_end(&self) -> bool {
        self.is_end() || self.is_break()
    }

    /// Returns true for a blank, a line break or the end, a number of bytes ahead.
    pub(super) fn is_space_ahead(&self, ahead: usize) -> bool {
        self.byte(ahead) == 0 || self.is_blank_ahead(ahead) || self.break_ahead(ahead).is_some()
    }

    pub(super) fn is_space(&self) -> bool {
        self.is_space_ahead(0)
    }

    /// Returns true for the characters of names: of anchors, directives and handles of tags.
    pub(super) fn is_of_name(&self) -> bool {
        let byte = self.byte(0);
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
    }

    /// Returns true at `---` or `...` in the first column, before a space.
    pub(super) fn is_indicator(&self, sign: u8) -> bool {
        self.mark.column == 0
            && (0..3).all(|ahead| self.byte(ahead) == sign)
            && self.is_space_ahead(3)
    }

    pub(super) fn is_any_indicator(&self) -> bool {
        self.is_indicator(b'-') || self.is_indicator(b'.')
    }

    /// Skips a character.
    pub(super) fn skip(&mut self) {
        self.at += width(self.byte(0));
        self.mark.index += 1;
        self.mark.column += 1;
    }

    /// Skips a line break, if there is one.
    pub(super) fn skip_break(&mut self) {
        let _ = self.take_break();
    }

    /// Reads a line break.
    pub(super) fn take_break(&mut self) -> Option<char> {
        let (length, read_as) = self.break_ahead(0)?;
        self.mark.index += if self.is(b'\r') { length } else { 1 };
        self.mark.column = 0;
        self.mark.line += 1;
        self.at += length;
        Some(read_as)
    }

    /// Reads a character.
    pub(super) fn take(&mut self, into: &mut String) {
        let end = self.at + width(self.byte(0));
        let read = self.bytes.get(self.at..end).unwrap_or_default();
        // The cursor is always between two characters of a string.
        into.push_str(core::str::from_utf8(read).unwrap_or_default());
        self.skip();
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank() {
            self.skip();
        }
    }

    /// Skips a comment up to the end of the line.
    pub(super) fn skip_comment(&mut self) {
        if self.is(b'#') {
            while !self.is_break_or_end() {
                self.skip();
            }
        }
    }

    /// Ends the last line, if it has no line break.
    pub(super) fn end_line(&mut self) {
        if self.mark.column != 0 {
            self.mark.column = 0;
            self.mark.line += 1;
        }
    }

    pub(super) fn error(&self, text: impl core::fmt::Display) -> Error {
        Error::yaml(self.mark, text)
    }
}

/// Returns the length of the character that begins with a byte.
const fn width(first: u8) -> usize {
    match first {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0.. => 4,
        _ => 1,
    }
}
