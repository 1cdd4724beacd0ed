//! JSON as Go reads it: events of one value.

use crate::error::{Error, Mark};
use crate::event::{Events, Node};
use crate::scalar::{Scalar, Style, Tag};

/// The reason why a value cannot be read.
#[derive(Debug)]
pub(crate) enum JsonError {
    /// It is not JSON, and may be YAML.
    Syntax(Error),
    /// It exceeds a limit.
    Limit(Error),
}

/// A reader of JSON.
pub(crate) struct JsonParser<'t, 'e> {
    text: &'t str,
    at: usize,
    /// The position of `marked`, which is at most `at`.
    mark: Mark,
    marked: usize,
    events: &'e mut Events,
}

impl JsonError {
    fn into_error(self) -> Error {
        match self {
            Self::Syntax(error) | Self::Limit(error) => error,
        }
    }
}

/// Reads a value, and returns the length of the source that was read. Returns `None` if the source
/// has only white space.
pub(crate) fn parse(
    text: &str,
    mark: Mark,
    events: &mut Events,
) -> Result<Option<usize>, JsonError> {
    let mut json = JsonParser::new(text, mark, events);
    json.skip_space();
    if json.at == text.len() {
        return Ok(None);
    }
    json.value()?;
    Ok(Some(json.at))
}

/// Reads the only value of a string.
pub(crate) fn parse_single(text: &str, events: &mut Events) -> Result<(), Error> {
    let mut json = JsonParser::new(text, Mark::default(), events);
    json.value().map_err(JsonError::into_error)?;
    json.skip_space();
    if json.at == text.len() {
        Ok(())
    } else {
        Err(json.expected("the end after the value").into_error())
    }
}

impl<'t, 'e> JsonParser<'t, 'e> {
    fn new(text: &'t str, mark: Mark, events: &'e mut Events) -> Self {
        Self {
            text,
            at: 0,
            mark,
            marked: 0,
            events,
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn mark(&mut self) -> Mark {
        let passed = self.text.get(self.marked..self.at).unwrap_or_default();
        self.mark.advance(passed);
        self.marked = self.at;
        self.mark
    }

    fn expected(&mut self, what: &str) -> JsonError {
        let mark = self.mark();
        let text = match self.byte() {
            None => {
                return JsonError::Syntax(Error::new(
                    mark,
                    format!("incomplete JSON: expected {what}"),
                ));
            }
            Some(_) => format!("expected {what}"),
        };
        JsonError::Syntax(Error::json(mark, text))
    }

    fn skip_space(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// Skips a sign, if it is next after white space.
    fn takes(&mut self, sign: u8) -> bool {
        self.skip_space();
        let is = self.byte() == Some(sign);
        self.at += usize::from(is);
        is
    }

    fn push(&mut self, node: Node, mark: Mark) -> Result<(), JsonError> {
        self.events.push(node, mark).map_err(JsonError::Limit)?;
        Ok(())
    }

    fn scalar(&mut self, text: String, style: Style, mark: Mark) -> Result<(), JsonError> {
        let tag = Tag::Absent;
        self.push(Node::Scalar(Scalar { text, tag, style }), mark)
    }

    fn value(&mut self) -> Result<(), JsonError> {
        self.skip_space();
        let mark = self.mark();
        match self.byte() {
            Some(b'{') => {
                self.at += 1;
                self.push(Node::Map { end: 0 }, mark)?;
                self.object()
            }
            Some(b'[') => {
                self.at += 1;
                self.push(Node::List { end: 0 }, mark)?;
                self.array()
            }
            Some(b'"') => {
                let text = self.string()?;
                self.scalar(text, Style::Quoted, mark)
            }
            Some(b'-' | b'0'..=b'9') => {
                let text = self.number()?;
                self.scalar(text, Style::JsonNumber, mark)
            }
            _ => {
                let rest = self.text.get(self.at..).unwrap_or_default();
                let words = ["null", "true", "false"];
                let Some(word) = words.into_iter().find(|word| rest.starts_with(word)) else {
                    return Err(self.expected("a value"));
                };
                self.at += word.len();
                self.scalar(word.to_owned(), Style::Plain, mark)
            }
        }
    }

    fn close(&mut self) -> Result<(), JsonError> {
        let mark = self.mark();
        self.push(Node::End, mark)
    }

    fn object(&mut self) -> Result<(), JsonError> {
        let mut is_first = true;
        loop {
            if is_first && self.takes(b'}') {
                return self.close();
            }
            is_first = false;
            self.skip_space();
            let mark = self.mark();
            if self.byte() != Some(b'"') {
                return Err(self.expected("a key in double quotes"));
            }
            let key = self.string()?;
            self.scalar(key, Style::Quoted, mark)?;
            if !self.takes(b':') {
                return Err(self.expected("`:` after the key"));
            }
            self.value()?;
            if self.takes(b'}') {
                return self.close();
            }
            if !self.takes(b',') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    fn array(&mut self) -> Result<(), JsonError> {
        if self.takes(b']') {
            return self.close();
        }
        loop {
            self.value()?;
            if self.takes(b']') {
                return self.close();
            }
            if !self.takes(b',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let before = self.at;
        while matches!(self.byte(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == before {
            return Err(self.expected("a digit"));
        }
        Ok(())
    }

    fn number(&mut self) -> Result<String, JsonError> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        if self.byte() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = self.text.get(start..self.at);
        Ok(text.unwrap_or_default().to_owned())
    }

    fn string(&mut self) -> Result<String, JsonError> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let start = self.at;
            while !matches!(self.byte(), None | Some(b'"' | b'\\' | 0..0x20)) {
                self.at += 1;
            }
            text.push_str(self.text.get(start..self.at).unwrap_or_default());
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return Err(self.expected("an escape sequence for a control character")),
                None => return Err(self.expected("the closing quote")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        self.at += 1;
        let found = match self.byte() {
            Some(sign @ (b'"' | b'\\' | b'/')) => char::from(sign),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.expected("an escape sequence of JSON")),
        };
        self.at += 1;
        Ok(found)
    }

    /// Reads an escape sequence of four digits, or two of them. As in Go, half of a pair becomes
    /// U+FFFD.
    fn unicode(&mut self) -> Result<char, JsonError> {
        self.at += 1;
        let Some(first) = self.four_digits() else {
            return Err(self.expected("four hexadecimal digits"));
        };
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or('\u{fffd}'));
        }
        let before = self.at;
        if self
            .text
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with("\\u"))
        {
            self.at += 2;
            if let Some(second @ 0xdc00..0xe000) = self.four_digits() {
                let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
            self.at = before;
        }
        Ok('\u{fffd}')
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}
