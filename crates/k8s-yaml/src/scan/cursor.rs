//! A cursor over the bytes of a document, and the character classes of YAML 1.1.

use crate::error::{Error, Mark};

/// A cursor over a document. Beyond the end it returns NUL, which no document contains.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    bytes: &'t [u8],
    position: usize,
    pub(super) mark: Mark,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            bytes: text.as_bytes(),
            position: 0,
            mark: Mark::default(),
        }
    }

    /// Returns the byte at an offset from the cursor; NUL beyond the end.
    pub(super) fn byte(&self, offset: usize) -> u8 {
        self.bytes.get(self.position + offset).copied().unwrap_or(0)
    }

    pub(super) fn is_byte(&self, byte: u8) -> bool {
        self.byte(0) == byte
    }

    pub(super) fn is_end(&self) -> bool {
        self.is_byte(0)
    }

    pub(super) fn is_blank(&self) -> bool {
        self.is_blank_at(0)
    }

    fn is_blank_at(&self, offset: usize) -> bool {
        matches!(self.byte(offset), b' ' | b'\t')
    }

    pub(super) fn is_break(&self) -> bool {
        self.break_at(0).is_some()
    }

    /// Returns the length of the line break at an offset, and the character that it becomes.
    /// Compared with YAML 1.2, YAML 1.1 also has the breaks NEL, LS and PS.
    pub(super) fn break_at(&self, offset: usize) -> Option<(usize, char)> {
        let byte_after = |distance| self.byte(offset + distance);
        match byte_after(0) {
            b'\r' if byte_after(1) == b'\n' => Some((2, '\n')),
            b'\r' | b'\n' => Some((1, '\n')),
            0xc2 if byte_after(1) == 0x85 => Some((2, '\n')),
            0xe2 if byte_after(1) == 0x80 && byte_after(2) == 0xa8 => Some((3, '\u{2028}')),
            0xe2 if byte_after(1) == 0x80 && byte_after(2) == 0xa9 => Some((3, '\u{2029}')),
            _ => None,
        }
    }

    pub(super) fn is_break_or_end(&self) -> bool {
        self.is_end() || self.is_break()
    }

    /// Returns true if a blank, a line break or the end is at an offset.
    pub(super) fn is_space_at(&self, offset: usize) -> bool {
        self.byte(offset) == 0 || self.is_blank_at(offset) || self.break_at(offset).is_some()
    }

    pub(super) fn is_space(&self) -> bool {
        self.is_space_at(0)
    }

    /// Returns true at a character of a name: of an anchor, a directive or a tag handle.
    pub(super) fn is_name_character(&self) -> bool {
        let byte = self.byte(0);
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
    }

    /// Returns true at a document marker, `---` or `...`: three times this byte in the first
    /// column, before a space.
    pub(super) fn is_document_marker(&self, byte: u8) -> bool {
        self.mark.column == 0
            && (0..3).all(|offset| self.byte(offset) == byte)
            && self.is_space_at(3)
    }

    pub(super) fn is_any_document_marker(&self) -> bool {
        self.is_document_marker(b'-') || self.is_document_marker(b'.')
    }

    /// Skips a character.
    pub(super) fn skip(&mut self) {
        self.position += character_length(self.byte(0));
        self.mark.index += 1;
        self.mark.column += 1;
    }

    /// Skips a line break, if there is one.
    pub(super) fn skip_break(&mut self) {
        let _ = self.read_break();
    }

    /// Skips a line break, and returns the character that it becomes.
    pub(super) fn read_break(&mut self) -> Option<char> {
        let (length, character) = self.break_at(0)?;
        self.mark.index += if self.is_byte(b'\r') { length } else { 1 };
        self.mark.column = 0;
        self.mark.line += 1;
        self.position += length;
        Some(character)
    }

    /// Skips a character, and appends it to a string.
    pub(super) fn read_into(&mut self, target: &mut String) {
        let end = self.position + character_length(self.byte(0));
        let bytes = self.bytes.get(self.position..end).unwrap_or_default();
        // The cursor is always between two characters of a string.
        target.push_str(core::str::from_utf8(bytes).unwrap_or_default());
        self.skip();
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank() {
            self.skip();
        }
    }

    /// Skips a comment up to the end of the line.
    pub(super) fn skip_comment(&mut self) {
        if self.is_byte(b'#') {
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

    pub(super) fn error(&self, message: impl core::fmt::Display) -> Error {
        Error::yaml(self.mark, message)
    }

    pub(super) fn tab_indentation_error(&self) -> Error {
        self.error("a tab must not indent a line; use spaces")
    }
}

/// Returns the length of the character that begins with a byte.
const fn character_length(first_byte: u8) -> usize {
    match first_byte {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0.. => 4,
        _ => 1,
    }
}
