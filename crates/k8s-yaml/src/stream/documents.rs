//! The documents of a source. They are separated as by apimachinery's `YAMLOrJSONDecoder`.
//!
//! A source that begins with `{` is parsed as a sequence of JSON values. If a value is not JSON,
//! the rest of the source is parsed as YAML, unless two or more values were JSON. Lines that begin
//! with `---` separate YAML documents.

use serde_json::Value;

use crate::error::{Error, Mark, NUL_REMEDY};
use crate::event::{Event, Events, Node};
use crate::json::{self, JsonError};
use crate::parse;
use crate::value::{self, DuplicateKey};

use super::inexact::InexactNumber;

/// The number of bytes in which kubectl looks for a `{`.
pub(crate) const DETECTION_WINDOW: usize = 4096;

/// A document: its events, up to an error.
#[derive(Debug)]
pub struct Document {
    events: Vec<Event>,
    error: Option<Error>,
    is_json: bool,
    /// The number of lines before the document.
    lines_before: usize,
    source_bytes: usize,
}

impl Document {
    /// Parses a JSON string that has only one value.
    #[must_use]
    pub fn from_json(text: &str) -> Self {
        let mut events = Events::default();
        let result = json::parse_single(text, &mut events);
        Self {
            events: events.all,
            error: result.err(),
            is_json: true,
            lines_before: 0,
            source_bytes: text.len(),
        }
    }

    /// Returns the events of the document, up to an error.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns true if the document is null, which kubectl ignores.
    #[must_use]
    pub fn is_null(&self) -> bool {
        match self.events.as_slice() {
            [] => true,
            [only_event] => matches!(&only_event.node, Node::Scalar(scalar) if scalar.is_null()),
            _ => false,
        }
    }

    /// Returns the numbers that an API server stores as other numbers, in the order of the source.
    /// A number in the value of an anchor is returned once.
    pub fn inexact_numbers(&self) -> impl Iterator<Item = InexactNumber<'_>> {
        self.events.iter().filter_map(InexactNumber::from_event)
    }

    /// Returns the value that is sent to an API server.
    ///
    /// # Errors
    ///
    /// Returns an error for invalid syntax, a duplicate key, a value that cannot be written as
    /// JSON, and an exceeded limit.
    pub fn value(&self) -> Result<Value, Error> {
        match &self.error {
            Some(error) => Err(error.clone()),
            None => value::build(&self.events),
        }
    }

    /// Returns the value with the last value of each key, as kubectl sends it, and the keys that a
    /// map has more than once, in the order in which a server reports them.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`value`](Self::value), except duplicate keys, and an error for more
    /// than 10,000 duplicate keys.
    pub fn value_and_duplicates(&self) -> Result<(Value, Vec<DuplicateKey>), Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let (value, mut duplicates) = value::build_with_duplicates(&self.events)?;
        if self.is_json {
            // In JSON, a server reports a duplicate key before the duplicate keys in its value.
            duplicates.sort_by_key(|key| (key.line, key.column));
        }
        Ok((value, duplicates))
    }

    /// Returns the number of lines in the source before the document. A server receives each
    /// document alone, so it counts lines from the beginning of the document.
    #[must_use]
    pub const fn lines_before(&self) -> usize {
        self.lines_before
    }

    /// Returns the number of bytes of the document in the source, including separators.
    #[must_use]
    pub const fn source_bytes(&self) -> usize {
        self.source_bytes
    }

    /// Returns true if the document has an error, so that it is the last document.
    pub(crate) const fn has_error(&self) -> bool {
        self.error.is_some()
    }

    /// Returns true if the document was read as JSON.
    #[must_use]
    pub const fn is_json(&self) -> bool {
        self.is_json
    }
}

/// An iterator over the documents of a source. Only the last document can have an error.
#[derive(Debug)]
pub struct Documents<'t> {
    rest: &'t str,
    progress: Progress,
}

/// The state after a document, with which the next document is parsed.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// The position of the next document.
    pub(crate) mark: Mark,
    pub(crate) is_json: bool,
    /// The number of JSON values that were parsed.
    json_count: usize,
    /// The JSON error of a value that is parsed again as YAML.
    json_error: Option<Error>,
    /// The number of keys and values in the documents that were parsed.
    pub(crate) node_count: usize,
}

impl Progress {
    /// Creates the state before the first document. `head` is the source, or at least its first
    /// [`DETECTION_WINDOW`] bytes.
    pub(crate) fn before_first_document(head: &str) -> Self {
        let mut end = DETECTION_WINDOW.min(head.len());
        while !head.is_char_boundary(end) {
            end -= 1;
        }
        let head = head.get(..end);
        Self {
            mark: Mark::default(),
            is_json: head.is_some_and(|head| head.trim_start().starts_with('{')),
            json_count: 0,
            json_error: None,
            node_count: 0,
        }
    }
}

impl<'t> Documents<'t> {
    /// Creates an iterator over the documents of a source.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self::resume(text, Progress::before_first_document(text))
    }

    /// Creates an iterator over the documents that follow others. `rest` is the source after them.
    pub(crate) const fn resume(rest: &'t str, progress: Progress) -> Self {
        Self { rest, progress }
    }

    /// Returns the source after the last document, and the state.
    pub(crate) fn into_rest_and_progress(self) -> (&'t str, Progress) {
        (self.rest, self.progress)
    }

    fn consume(&mut self, length: usize) -> &'t str {
        let (consumed, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, ""));
        self.rest = rest;
        self.progress.mark.advance(consumed);
        consumed
    }

    /// Returns the last document, which has an error.
    fn fail(&mut self, events: Vec<Event>, error: Error) -> Document {
        self.rest = "";
        Document {
            events,
            error: Some(error),
            is_json: self.progress.is_json,
            lines_before: 0,
            source_bytes: 0,
        }
    }

    fn finish(&mut self, events: Events, start: Mark) -> Document {
        self.progress.node_count = events.node_count;
        Document {
            events: events.all,
            error: None,
            is_json: self.progress.is_json,
            lines_before: start.line,
            source_bytes: 0,
        }
    }

    fn next_json(&mut self) -> Option<Document> {
        let mut events = Events::with_node_count(self.progress.node_count);
        match json::parse(self.rest, self.progress.mark, &mut events) {
            Ok(None) => {
                self.rest = "";
                None
            }
            Ok(Some(length)) => {
                let start = self.progress.mark;
                self.progress.json_count += 1;
                self.consume(length);
                Some(self.finish(events, start))
            }
            Err(JsonError::Limit(error)) => Some(self.fail(events.all, error)),
            Err(JsonError::Syntax(error)) => {
                if self.progress.json_count > 1 || !self.skip_white_space_of_line() {
                    return Some(self.fail(events.all, error));
                }
                self.progress.is_json = false;
                self.progress.json_error = Some(error);
                self.next_yaml()
            }
        }
    }

    /// Skips white space up to the end of the line, as apimachinery does before it reads YAML.
    /// Returns false if less than four bytes are left, which apimachinery rejects.
    fn skip_white_space_of_line(&mut self) -> bool {
        while self.rest.len() >= 4 {
            match self.rest.chars().next() {
                Some('\n') => {
                    self.consume(1);
                    return true;
                }
                // As in apimachinery, U+FFFD counts as invalid UTF-8.
                Some('\u{fffd}') | None => return false,
                Some(c) if c.is_whitespace() => {
                    self.consume(c.len_utf8());
                }
                Some(_) => return true,
            }
        }
        false
    }

    fn next_yaml(&mut self) -> Option<Document> {
        let start = self.progress.mark;
        let mut text = String::new();
        loop {
            let line_length = self
                .rest
                .find('\n')
                .map_or(self.rest.len(), |index| index + 1);
            if line_length == 0 {
                if text.is_empty() {
                    return None;
                }
                break;
            }
            let mark = self.progress.mark;
            let line = self.consume(line_length);
            let line = line.strip_suffix('\n').map_or(line, |line| {
                // A `\r` without `\n` remains.
                line.strip_suffix('\r').unwrap_or(line)
            });
            if let Some(after_dashes) = line.strip_prefix("---") {
                let after_dashes = after_dashes.trim();
                if !after_dashes.is_empty() && !after_dashes.starts_with('#') {
                    let error = Error::new(
                        mark,
                        format!(
                            "invalid Yaml document separator: {after_dashes}; write it in the next line"
                        ),
                    );
                    return Some(self.fail(Vec::new(), error));
                }
                if !text.is_empty() {
                    break;
                }
            }
            text.push_str(line);
            text.push('\n');
        }
        let json_error = self.progress.json_error.take();
        let mut events = Events::with_node_count(self.progress.node_count);
        match parse_yaml(&text, &mut events) {
            Ok(()) => {
                shift_events(&mut events.all, start);
                Some(self.finish(events, start))
            }
            Err(mut error) => {
                shift_events(&mut events.all, start);
                shift_position(start, &mut error.line, &mut error.column);
                Some(self.fail(events.all, json_error.unwrap_or(error)))
            }
        }
    }
}

impl Iterator for Documents<'_> {
    type Item = Document;

    fn next(&mut self) -> Option<Document> {
        let bytes_before = self.rest.len();
        let document = if self.progress.is_json {
            self.next_json()
        } else {
            self.next_yaml()
        };
        document.map(|document| Document {
            source_bytes: bytes_before - self.rest.len(),
            ..document
        })
    }
}

/// Parses the first document of a string.
fn parse_yaml(text: &str, events: &mut Events) -> Result<(), Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some((index, character)) = text.char_indices().find(|(_, c)| !is_allowed(*c)) {
        let mut mark = Mark::default();
        mark.advance(text.get(..index).unwrap_or_default());
        let code = u32::from(character);
        let mut message = format!(
            "the character U+{code:04X} is not allowed; write it as an escape sequence in double quotes"
        );
        if character == '\0' {
            message.push_str(", or ");
            message.push_str(NUL_REMEDY);
        }
        return Err(Error::yaml(mark, message));
    }
    parse::parse(text, events)
}

/// Returns true for the characters of YAML.
const fn is_allowed(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..
    )
}

/// Converts positions in a document to positions in the source.
fn shift_events(events: &mut [Event], start: Mark) {
    for event in events {
        shift_position(start, &mut event.line, &mut event.column);
    }
}

/// Converts a position in a document that begins at `start`.
const fn shift_position(start: Mark, line: &mut usize, column: &mut usize) {
    if *line == 1 {
        *column += start.column;
    }
    *line += start.line;
}
