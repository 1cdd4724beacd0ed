//! Strings in quotes.

use super::plain::Breaks;
use super::scanner::Scanner;
use super::token::{Token, TokenKind};
use crate::error::Error;

impl Scanner<'_> {
    /// Reads a string in single or double quotes. Its lines may begin at any column.
    pub(super) fn scan_quoted_scalar(&mut self) -> Result<Token, Error> {
        let mark = self.cursor.mark;
        let quote = self.cursor.byte(0);
        self.cursor.skip();
        let mut text = String::new();
        let mut blanks = String::new();
        loop {
            if self.cursor.is_any_document_marker() {
                let message = "`---` and `...` end a document and cannot begin a line in quotes";
                return Err(self.cursor.error(message));
            }
            if self.cursor.is_end() {
                return Err(Error::yaml(mark, "the closing quote is missing"));
            }
            let mut is_at_line_start = self.scan_quoted_word(quote, &mut text)?;
            if self.cursor.is_byte(quote) {
                break;
            }
            let mut breaks = Breaks::default();
            // The line breaks after an escaped line break are kept.
            let is_after_escaped_break = is_at_line_start;
            loop {
                if self.cursor.is_blank() {
                    if is_at_line_start {
                        self.cursor.skip();
                    } else {
                        self.cursor.read_into(&mut blanks);
                    }
                } else if self.cursor.is_break() {
                    let character = self.cursor.read_break();
                    if is_after_escaped_break {
                        breaks.add_further(character);
                    } else {
                        breaks.add(character);
                    }
                    is_at_line_start = true;
                } else {
                    break;
                }
            }
            if is_at_line_start {
                breaks.fold_into(&mut text);
            } else {
                text.push_str(&blanks);
            }
            blanks.clear();
        }
        self.cursor.skip();
        let kind = TokenKind::Scalar {
            text,
            is_plain: false,
        };
        Ok(Token { kind, mark })
    }

    /// Reads up to the next space or the closing quote; returns true after an escaped line break.
    fn scan_quoted_word(&mut self, quote: u8, text: &mut String) -> Result<bool, Error> {
        let is_double = quote == b'"';
        while !self.cursor.is_space() {
            if self.cursor.is_byte(quote) {
                if is_double || self.cursor.byte(1) != b'\'' {
                    break;
                }
                text.push('\'');
                self.cursor.skip();
                self.cursor.skip();
            } else if is_double && self.cursor.is_byte(b'\\') {
                if self.cursor.break_at(1).is_some() {
                    self.cursor.skip();
                    self.cursor.skip_break();
                    return Ok(true);
                }
                text.push(self.scan_escape()?);
            } else {
                self.cursor.read_into(text);
            }
        }
        Ok(false)
    }

    /// Reads an escape sequence of YAML 1.1, which has no `\/`.
    fn scan_escape(&mut self) -> Result<char, Error> {
        let mark = self.cursor.mark;
        let escape_character = self.cursor.byte(1);
        let (character, digit_count) = match escape_character {
            b'0' => ('\0', 0),
            b'a' => ('\u{7}', 0),
            b'b' => ('\u{8}', 0),
            b't' | b'\t' => ('\t', 0),
            b'n' => ('\n', 0),
            b'v' => ('\u{b}', 0),
            b'f' => ('\u{c}', 0),
            b'r' => ('\r', 0),
            b'e' => ('\u{1b}', 0),
            b' ' | b'"' | b'\'' | b'\\' => (char::from(escape_character), 0),
            b'N' => ('\u{85}', 0),
            b'_' => ('\u{a0}', 0),
            b'L' => ('\u{2028}', 0),
            b'P' => ('\u{2029}', 0),
            b'x' => ('\0', 2),
            b'u' => ('\0', 4),
            b'U' => ('\0', 8),
            _ => {
                let message = "unknown escape sequence; write `\\\\` for a backslash";
                return Err(Error::yaml(mark, message));
            }
        };
        self.cursor.skip();
        self.cursor.skip();
        if digit_count == 0 {
            return Ok(character);
        }
        let mut code: u32 = 0;
        for _ in 0..digit_count {
            let Some(digit) = char::from(self.cursor.byte(0)).to_digit(16) else {
                let escape_character = char::from(escape_character);
                let message = format!(
                    "expected {digit_count} hexadecimal digits after `\\{escape_character}`"
                );
                return Err(Error::yaml(mark, message));
            };
            // Eight digits fit.
            code = code << 4 | digit;
            self.cursor.skip();
        }
        char::from_u32(code).ok_or_else(|| {
            let message =
                "this escape sequence is not a Unicode character; use `\\U` for one above ffff";
            Error::yaml(mark, message)
        })
    }
}
