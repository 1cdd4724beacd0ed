//! Strings without quotes.

use super::scanner::Scanner;
use super::token::{Kind, Token};
use crate::error::Error;

/// The line breaks between two lines of a string.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    /// The first line break, which becomes a space if no other line break follows.
    first: Option<char>,
    others: String,
}

impl Breaks {
    /// Adds a line break.
    pub(super) fn add(&mut self, found: Option<char>) {
        match found {
            Some(found) if self.first.is_some() => self.others.push(found),
            found => self.first = found,
        }
    }

    /// Adds a line break after an escaped line break. The escaped line break is not counted.
    pub(super) fn add_other(&mut self, found: Option<char>) {
        self.others.extend(found);
    }

    /// Writes the breaks as a folded string has them.
    pub(super) fn fold_into(&mut self, text: &mut String) {
        match self.first.take() {
            Some('\n') if self.others.is_empty() => text.push(' '),
            Some('\n') => {}
            first => text.extend(first),
        }
        text.push_str(&self.others);
        self.others.clear();
    }
}

impl Scanner<'_> {
    /// Reads a string without quotes.
    pub(super) fn plain(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        let indent = self.indent.map_or(0, |indent| indent + 1);
        let mut text = String::new();
        let mut blanks = String::new();
        let mut breaks = Breaks::default();
        let mut is_at_line_start = false;
        loop {
            if self.cursor.is_any_indicator() || self.cursor.is(b'#') {
                break;
            }
            while !self.cursor.is_space() && !self.ends_plain() {
                if is_at_line_start {
                    breaks.fold_into(&mut text);
                    is_at_line_start = false;
                } else {
                    text.push_str(&blanks);
                    blanks.clear();
                }
                self.cursor.take(&mut text);
            }
            if !self.cursor.is_blank() && !self.cursor.is_break() {
                break;
            }
            loop {
                if self.cursor.is_blank() {
                    if !is_at_line_start {
                        self.cursor.take(&mut blanks);
                        continue;
                    }
                    if self.cursor.is(b'\t') && self.cursor.mark.column < indent {
                        return Err(self
                            .cursor
                            .error("a tab must not indent a line; use spaces"));
                    }
                    self.cursor.skip();
                } else if self.cursor.is_break() {
                    if !is_at_line_start {
                        blanks.clear();
                        is_at_line_start = true;
                    }
                    breaks.add(self.cursor.take_break());
                } else {
                    break;
                }
            }
            if self.flow == 0 && self.cursor.mark.column < indent {
                break;
            }
        }
        if is_at_line_start {
            self.may_begin_key = true;
        }
        let kind = Kind::Scalar {
            text,
            is_plain: true,
        };
        Ok(Token { kind, mark })
    }

    /// Returns true at a sign that ends a plain string.
    fn ends_plain(&self) -> bool {
        match self.cursor.byte(0) {
            b':' => self.cursor.is_space_ahead(1),
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => self.flow > 0,
            _ => false,
        }
    }
}
