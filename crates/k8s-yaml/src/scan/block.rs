//! Block scalars: strings that begin with `|` or `>`.

use super::scanner::Scanner;
use super::token::{Token, TokenKind};
use crate::error::Error;

/// The line breaks that are kept at the end of a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    /// None.
    Strip,
    /// Only the first.
    Clip,
    /// All.
    Keep,
}

impl Scanner<'_> {
    /// Reads a block scalar.
    pub(super) fn scan_block_scalar(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        let is_literal = self.cursor.is_byte(b'|');
        self.cursor.skip();
        let (chomping, relative_indent) = self.scan_block_scalar_header()?;
        let parent_indent = self.indent.unwrap_or(0);
        let mut breaks = String::new();
        let indent = match relative_indent {
            Some(relative_indent) => {
                let indent = parent_indent + relative_indent;
                self.scan_block_scalar_breaks(Some(indent), &mut breaks)?;
                indent
            }
            None => self.scan_block_scalar_breaks(None, &mut breaks)?,
        };
        let mut text = String::new();
        let mut first_break = None;
        let mut previous_begins_with_blank = false;
        while self.cursor.mark.column == indent && !self.cursor.is_end() {
            let begins_with_blank = self.cursor.is_blank();
            if !is_literal
                && !previous_begins_with_blank
                && !begins_with_blank
                && first_break == Some('\n')
            {
                if breaks.is_empty() {
                    text.push(' ');
                }
            } else {
                text.extend(first_break);
            }
            text.push_str(&breaks);
            breaks.clear();
            previous_begins_with_blank = begins_with_blank;
            while !self.cursor.is_break_or_end() {
                self.cursor.read_into(&mut text);
            }
            first_break = self.cursor.read_break();
            self.scan_block_scalar_breaks(Some(indent), &mut breaks)?;
        }
        if chomping != Chomping::Strip {
            text.extend(first_break);
        }
        if chomping == Chomping::Keep {
            text.push_str(&breaks);
        }
        let kind = TokenKind::Scalar {
            text,
            is_plain: false,
        };
        Ok(Token { kind, mark })
    }

    /// Reads the indicators after `|` or `>`, up to the end of the line. Returns the chomping, and
    /// the number of spaces by which the string is deeper than the block that contains it.
    fn scan_block_scalar_header(&mut self) -> Result<(Chomping, Option<usize>), Error> {
        let mut chomping = self.scan_chomping();
        let relative_indent = match self.cursor.byte(0) {
            b'0' => {
                let message = "an indentation of 0 is not allowed; use 1 to 9";
                return Err(self.cursor.error(message));
            }
            digit @ b'1'..=b'9' => {
                self.cursor.skip();
                Some(usize::from(digit - b'0'))
            }
            _ => None,
        };
        if chomping.is_none() && relative_indent.is_some() {
            chomping = self.scan_chomping();
        }
        self.cursor.skip_blanks();
        self.cursor.skip_comment();
        if !self.cursor.is_break_or_end() {
            let message = "expected the end of the line after `|` or `>`";
            return Err(self.cursor.error(message));
        }
        self.cursor.skip_break();
        Ok((chomping.unwrap_or(Chomping::Clip), relative_indent))
    }

    fn scan_chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.cursor.byte(0) {
            b'+' => Chomping::Keep,
            b'-' => Chomping::Strip,
            _ => return None,
        };
        self.cursor.skip();
        Some(chomping)
    }

    /// Reads line breaks, and the indentation of the next line that is not empty. Returns `indent`,
    /// or without it the deepest indentation of these lines.
    fn scan_block_scalar_breaks(
        &mut self,
        indent: Option<usize>,
        breaks: &mut String,
    ) -> Result<usize, Error> {
        let mut max_column = 0;
        loop {
            let is_indented = |column| indent.is_some_and(|indent| column >= indent);
            while self.cursor.is_byte(b' ') && !is_indented(self.cursor.mark.column) {
                self.cursor.skip();
            }
            max_column = max_column.max(self.cursor.mark.column);
            if self.cursor.is_byte(b'\t') && !is_indented(self.cursor.mark.column) {
                return Err(self.cursor.tab_indentation_error());
            }
            if !self.cursor.is_break() {
                break;
            }
            breaks.extend(self.cursor.read_break());
        }
        Ok(indent.unwrap_or_else(|| {
            let minimum = self.indent.map_or(0, |indent| indent + 1);
            max_column.max(minimum).max(1)
        }))
    }
}
