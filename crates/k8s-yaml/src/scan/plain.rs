//! Plain scalars: strings without quotes.

use super::scanner::Scanner;
use super::token::{Token, TokenKind};
use crate::error::Error;

/// The line breaks between two lines of a string.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    /// The first line break, which becomes a space if no other line break follows.
    first: Option<char>,
    further: String,
}

impl Breaks {
    /// Adds a line break.
    pub(super) fn add(&mut self, line_break: Option<char>) {
        match line_break {
            Some(line_break) if self.first.is_some() => self.further.push(line_break),
            line_break => self.first = line_break,
        }
    }

    /// Adds a line break after an escaped line break. The escaped line break is not counted.
    pub(super) fn add_further(&mut self, line_break: Option<char>) {
        self.further.extend(line_break);
    }

    /// Moves the breaks to a string, with line folding.
    pub(super) fn fold_into(&mut self, text: &mut String) {
        match self.first.take() {
            Some('\n') if self.further.is_empty() => text.push(' '),
            Some('\n') => {}
            first => text.extend(first),
        }
        text.push_str(&self.further);
        self.further.clear();
    }
}

impl Scanner<'_> {
    /// Reads a plain scalar.
    pub(super) fn scan_plain_scalar(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        let min_column = self.indent.map_or(0, |indent| indent + 1);
        let mut text = String::new();
        let mut blanks = String::new();
        let mut breaks = Breaks::default();
        let mut is_at_line_start = false;
        loop {
            if self.cursor.is_any_document_marker() || self.cursor.is_byte(b'#') {
                break;
            }
            while !self.cursor.is_space() && !self.ends_plain_scalar() {
                if is_at_line_start {
                    breaks.fold_into(&mut text);
                    is_at_line_start = false;
                } else {
                    text.push_str(&blanks);
                    blanks.clear();
                }
                self.cursor.read_into(&mut text);
            }
            if !self.cursor.is_blank() && !self.cursor.is_break() {
                break;
            }
            loop {
                if self.cursor.is_blank() {
                    if !is_at_line_start {
                        self.cursor.read_into(&mut blanks);
                        continue;
                    }
                    if self.cursor.is_byte(b'\t') && self.cursor.mark.column < min_column {
                        return Err(self.cursor.tab_indentation_error());
                    }
                    self.cursor.skip();
                } else if self.cursor.is_break() {
                    if !is_at_line_start {
                        blanks.clear();
                        is_at_line_start = true;
                    }
                    breaks.add(self.cursor.read_break());
                } else {
                    break;
                }
            }
            if self.flow_level == 0 && self.cursor.mark.column < min_column {
                break;
            }
        }
        if is_at_line_start {
            self.allows_simple_key = true;
        }
        let kind = TokenKind::Scalar {
            text,
            is_plain: true,
        };
        Ok(Token { kind, mark })
    }

    /// Returns true at a character that ends a plain scalar.
    fn ends_plain_scalar(&self) -> bool {
        match self.cursor.byte(0) {
            b':' => self.cursor.is_space_at(1),
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => self.flow_level > 0,
            _ => false,
        }
    }
}
