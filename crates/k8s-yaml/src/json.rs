//! A parser of JSON with the rules of Go, which adds the events of one value.

use crate::error::{Error, Mark, NUL_REMEDY};
use crate::event::{Events, Node};
use crate::scalar::{Scalar, Style, Tag};

/// The reason why a value cannot be parsed as JSON.
#[derive(Debug)]
pub(crate) enum JsonError {
    /// The source is not JSON, but may be YAML.
    Syntax(Error),
    /// The source exceeds a limit.
    Limit(Error),
}

/// A parser of JSON.
pub(crate) struct JsonParser<'t, 'e> {
    text: &'t str,
    position: usize,
    /// The line and the column at `mark_position`.
    mark: Mark,
    /// The position of `mark`, which is not after `position`. [`mark`](Self::mark) moves both to
    /// `position`.
    mark_position: usize,
    events: &'e mut Events,
}

impl JsonError {
    fn into_error(self) -> Error {
        match self {
            Self::Syntax(error) | Self::Limit(error) => error,
        }
    }
}

/// Parses the first value of a source. Returns the length of the value, including the white space
/// before the value. Returns `None` if the source has only white space.
pub(crate) fn parse(
    text: &str,
    mark: Mark,
    events: &mut Events,
) -> Result<Option<usize>, JsonError> {
    let mut parser = JsonParser::new(text, mark, events);
    parser.skip_space();
    if parser.position == text.len() {
        return Ok(None);
    }
    parser.parse_value()?;
    Ok(Some(parser.position))
}

/// Parses a string that has only one value.
pub(crate) fn parse_single(text: &str, events: &mut Events) -> Result<(), Error> {
    let mut parser = JsonParser::new(text, Mark::default(), events);
    parser.parse_value().map_err(JsonError::into_error)?;
    parser.skip_space();
    if parser.position == text.len() {
        Ok(())
    } else {
        Err(parser
            .expected_error("the end after the value")
            .into_error())
    }
}

impl<'t, 'e> JsonParser<'t, 'e> {
    fn new(text: &'t str, mark: Mark, events: &'e mut Events) -> Self {
        Self {
            text,
            position: 0,
            mark,
            mark_position: 0,
            events,
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn mark(&mut self) -> Mark {
        let passed_text = self
            .text
            .get(self.mark_position..self.position)
            .unwrap_or_default();
        self.mark.advance(passed_text);
        self.mark_position = self.position;
        self.mark
    }

    fn expected_error(&mut self, expectation: &str) -> JsonError {
        let mark = self.mark();
        let message = match self.byte() {
            None => {
                return JsonError::Syntax(Error::new(
                    mark,
                    format!("incomplete JSON: expected {expectation}"),
                ));
            }
            Some(0) => format!("expected {expectation}, found the character U+0000; {NUL_REMEDY}"),
            Some(_) => format!("expected {expectation}"),
        };
        JsonError::Syntax(Error::json(mark, message))
    }

    fn skip_space(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.position += 1;
        }
    }

    /// Skips white space, and then `delimiter` if it is next. Returns true if the delimiter was
    /// skipped.
    fn skip_delimiter(&mut self, delimiter: u8) -> bool {
        self.skip_space();
        let is_next = self.byte() == Some(delimiter);
        self.position += usize::from(is_next);
        is_next
    }

    /// Adds an event. [`Events::push`] sets the `end` of a list or a map later.
    fn push(&mut self, node: Node, mark: Mark) -> Result<(), JsonError> {
        self.events.push(node, mark).map_err(JsonError::Limit)?;
        Ok(())
    }

    fn push_scalar(&mut self, text: String, style: Style, mark: Mark) -> Result<(), JsonError> {
        let tag = Tag::Absent;
        self.push(Node::Scalar(Scalar { text, tag, style }), mark)
    }

    fn parse_value(&mut self) -> Result<(), JsonError> {
        self.skip_space();
        let mark = self.mark();
        match self.byte() {
            Some(b'{') => {
                self.position += 1;
                self.push(Node::Map { end: 0 }, mark)?;
                self.parse_object()
            }
            Some(b'[') => {
                self.position += 1;
                self.push(Node::List { end: 0 }, mark)?;
                self.parse_array()
            }
            Some(b'"') => {
                let text = self.parse_string()?;
                self.push_scalar(text, Style::Quoted, mark)
            }
            Some(b'-' | b'0'..=b'9') => {
                let text = self.parse_number()?;
                self.push_scalar(text, Style::JsonNumber, mark)
            }
            _ => {
                let rest = self.text.get(self.position..).unwrap_or_default();
                let keywords = ["null", "true", "false"];
                let Some(keyword) = keywords
                    .into_iter()
                    .find(|keyword| rest.starts_with(keyword))
                else {
                    return Err(self.expected_error("a value"));
                };
                self.position += keyword.len();
                self.push_scalar(keyword.to_owned(), Style::Plain, mark)
            }
        }
    }

    fn push_end(&mut self) -> Result<(), JsonError> {
        let mark = self.mark();
        self.push(Node::End, mark)
    }

    fn parse_object(&mut self) -> Result<(), JsonError> {
        let mut is_first = true;
        loop {
            if is_first && self.skip_delimiter(b'}') {
                return self.push_end();
            }
            is_first = false;
            self.skip_space();
            let mark = self.mark();
            if self.byte() != Some(b'"') {
                return Err(self.expected_error("a key in double quotes"));
            }
            let key = self.parse_string()?;
            self.push_scalar(key, Style::Quoted, mark)?;
            if !self.skip_delimiter(b':') {
                return Err(self.expected_error("`:` after the key"));
            }
            self.parse_value()?;
            if self.skip_delimiter(b'}') {
                return self.push_end();
            }
            if !self.skip_delimiter(b',') {
                return Err(self.expected_error("`,` or `}`"));
            }
        }
    }

    fn parse_array(&mut self) -> Result<(), JsonError> {
        if self.skip_delimiter(b']') {
            return self.push_end();
        }
        loop {
            self.parse_value()?;
            if self.skip_delimiter(b']') {
                return self.push_end();
            }
            if !self.skip_delimiter(b',') {
                return Err(self.expected_error("`,` or `]`"));
            }
        }
    }

    fn skip_digits(&mut self) -> Result<(), JsonError> {
        let start = self.position;
        while matches!(self.byte(), Some(b'0'..=b'9')) {
            self.position += 1;
        }
        if self.position == start {
            return Err(self.expected_error("a digit"));
        }
        Ok(())
    }

    fn parse_number(&mut self) -> Result<String, JsonError> {
        let start = self.position;
        if self.byte() == Some(b'-') {
            self.position += 1;
        }
        if self.byte() == Some(b'0') {
            self.position += 1;
        } else {
            self.skip_digits()?;
        }
        if self.byte() == Some(b'.') {
            self.position += 1;
            self.skip_digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.position += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.position += 1;
            }
            self.skip_digits()?;
        }
        let text = self.text.get(start..self.position);
        Ok(text.unwrap_or_default().to_owned())
    }

    fn parse_string(&mut self) -> Result<String, JsonError> {
        self.position += 1;
        let mut text = String::new();
        loop {
            let start = self.position;
            while !matches!(self.byte(), None | Some(b'"' | b'\\' | 0..0x20)) {
                self.position += 1;
            }
            text.push_str(self.text.get(start..self.position).unwrap_or_default());
            match self.byte() {
                Some(b'"') => {
                    self.position += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.parse_escape()?),
                Some(_) => {
                    return Err(self.expected_error("an escape sequence for a control character"));
                }
                None => return Err(self.expected_error("the closing quote")),
            }
        }
    }

    fn parse_escape(&mut self) -> Result<char, JsonError> {
        self.position += 1;
        let character = match self.byte() {
            Some(character @ (b'"' | b'\\' | b'/')) => char::from(character),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.parse_unicode_escape(),
            _ => return Err(self.expected_error("an escape sequence of JSON")),
        };
        self.position += 1;
        Ok(character)
    }

    /// Parses an escape sequence of four digits, or a surrogate pair of two sequences. As in Go, an
    /// unpaired surrogate becomes U+FFFD.
    fn parse_unicode_escape(&mut self) -> Result<char, JsonError> {
        self.position += 1;
        let Some(first_unit) = self.parse_four_hex_digits() else {
            return Err(self.expected_error("four hexadecimal digits"));
        };
        if !(0xd800..0xdc00).contains(&first_unit) {
            return Ok(char::from_u32(first_unit).unwrap_or('\u{fffd}'));
        }
        let start_of_second = self.position;
        if self
            .text
            .get(self.position..)
            .is_some_and(|rest| rest.starts_with("\\u"))
        {
            self.position += 2;
            if let Some(second_unit @ 0xdc00..0xe000) = self.parse_four_hex_digits() {
                let code_point = 0x1_0000 + ((first_unit - 0xd800) << 10) + (second_unit - 0xdc00);
                return Ok(char::from_u32(code_point).unwrap_or('\u{fffd}'));
            }
            self.position = start_of_second;
        }
        Ok('\u{fffd}')
    }

    fn parse_four_hex_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.position..self.position + 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.position += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}
