//! The documents of a source that is read piece by piece.

use std::io::{self, Read};
use std::{fmt, mem};

use super::documents::{DETECTION_WINDOW, Document, Documents, Progress};
use crate::error::Mark;

/// The number of bytes that are read at once.
const CHUNK_BYTES: usize = 64 << 10;

/// An iterator over the documents of a reader, which keeps one document at a time. The documents
/// equal those of [`Documents`], but the limit of keys and values applies to each document.
#[derive(Debug)]
pub struct DocumentReader<R> {
    reader: R,
    /// The text that was read. The text before `start` was parsed.
    buffer: String,
    start: usize,
    /// The first bytes of a character whose other bytes were not read.
    incomplete_character: Vec<u8>,
    /// The state after the last document; `None` before the first.
    progress: Option<Progress>,
    /// The maximum number of bytes of a document.
    max_bytes: usize,
    is_at_end: bool,
    /// The error after the text that was read.
    error_after_text: Option<TextError>,
    is_finished: bool,
}

/// An error in bytes that follow valid text.
#[derive(Debug)]
enum TextError {
    Io(io::Error),
    NotUtf8(u8),
}

/// The reason why the next document cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// The reader failed.
    Io(io::Error),
    /// A byte is not valid UTF-8.
    NotUtf8 {
        /// The line of the byte, from 1.
        line: usize,
        /// The column of the byte in characters, from 1.
        column: usize,
        /// The byte.
        byte: u8,
    },
    /// The document has more bytes than the limit.
    TooLarge {
        /// The first line of the document, from 1.
        line: usize,
        /// The limit.
        max_bytes: usize,
    },
}

impl<R: Read> DocumentReader<R> {
    /// Creates an iterator over the documents of a reader. `max_bytes` is the maximum number of
    /// bytes of a document.
    pub const fn new(reader: R, max_bytes: usize) -> Self {
        Self {
            reader,
            buffer: String::new(),
            start: 0,
            incomplete_character: Vec::new(),
            progress: None,
            max_bytes,
            is_at_end: false,
            error_after_text: None,
            is_finished: false,
        }
    }

    fn text(&self) -> &str {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// Returns the position of the text.
    fn mark(&self) -> Mark {
        let progress = self.progress.as_ref();
        progress.map(|progress| progress.mark).unwrap_or_default()
    }

    fn next_document(&mut self) -> Result<Option<Document>, ReadError> {
        let progress = match &self.progress {
            Some(progress) => progress.clone(),
            None => self.read_head()?,
        };
        if progress.is_json {
            self.read_json_value()?;
        } else {
            self.read_yaml_document(1)?;
        }
        let mut documents = Documents::resume(self.text(), progress.clone());
        let mut document = documents.next();
        let (mut rest, mut next_progress) = documents.into_rest_and_progress();
        if progress.is_json && !next_progress.is_json {
            // The value is not JSON, so it is the beginning of a YAML document. White space before
            // the value may be a line of its own.
            self.read_yaml_document(2)?;
            documents = Documents::resume(self.text(), progress);
            document = documents.next();
            (rest, next_progress) = documents.into_rest_and_progress();
        }
        self.start = self.buffer.len() - rest.len();
        next_progress.node_count = 0;
        self.progress = Some(next_progress);
        Ok(document)
    }

    /// Reads the bytes that decide if the source is JSON.
    fn read_head(&mut self) -> Result<Progress, ReadError> {
        while self.text().len() < DETECTION_WINDOW && self.read_more()? {}
        Ok(Progress::before_first_document(self.text()))
    }

    /// Reads until the text has a complete YAML document and the separator after it. The first
    /// `min_lines` lines do not end the document, because they may be the separator before it.
    fn read_yaml_document(&mut self, min_lines: usize) -> Result<(), ReadError> {
        let (mut line_start, mut searched, mut line_count) = (0, 0, 0);
        loop {
            let bytes = self.text().as_bytes();
            while let Some(length) = bytes.get(searched..).and_then(find_line_break) {
                let line_end = searched + length;
                let line = bytes.get(line_start..line_end).unwrap_or_default();
                if line_count >= min_lines && line.starts_with(b"---") {
                    return Ok(());
                }
                line_count += 1;
                (line_start, searched) = (line_end + 1, line_end + 1);
            }
            searched = bytes.len();
            if !self.read_more_of_document()? {
                return Ok(());
            }
        }
    }

    /// Reads until the text has a complete JSON value.
    fn read_json_value(&mut self) -> Result<(), ReadError> {
        // The parser looks at these bytes after a value that is not JSON.
        const BYTES_AFTER_VALUE: usize = 4;
        let mut search = ValueSearch::default();
        let mut searched = 0;
        loop {
            let bytes = self.text().as_bytes();
            for byte in bytes.get(searched..).unwrap_or_default() {
                if search.is_complete {
                    break;
                }
                search.process(*byte);
                searched += 1;
            }
            if search.is_complete && bytes.len() >= searched + BYTES_AFTER_VALUE {
                return Ok(());
            }
            if !self.read_more_of_document()? {
                return Ok(());
            }
        }
    }

    /// Reads more text of an incomplete document. Returns false at the end.
    fn read_more_of_document(&mut self) -> Result<bool, ReadError> {
        if self.read_more()? {
            return Ok(true);
        }
        match self.error_after_text.take() {
            None => Ok(false),
            Some(TextError::Io(error)) => Err(ReadError::Io(error)),
            Some(TextError::NotUtf8(byte)) => {
                let mut mark = self.mark();
                mark.advance(self.text());
                Err(ReadError::NotUtf8 {
                    line: mark.line + 1,
                    column: mark.column + 1,
                    byte,
                })
            }
        }
    }

    /// Reads more text. Returns false at the end and before an error.
    fn read_more(&mut self) -> Result<bool, ReadError> {
        if self.text().len() > self.max_bytes {
            return Err(ReadError::TooLarge {
                line: self.mark().line + 1,
                max_bytes: self.max_bytes,
            });
        }
        if self.is_at_end {
            return Ok(false);
        }
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let mut bytes = mem::take(&mut self.incomplete_character);
        let mut chunk = (&mut self.reader).take(CHUNK_BYTES as u64);
        let old_length = bytes.len();
        if let Err(error) = chunk.read_to_end(&mut bytes) {
            self.end_with(TextError::Io(error));
        }
        let is_last_chunk = bytes.len() == old_length;
        self.add_text(bytes, is_last_chunk);
        Ok(true)
    }

    fn add_text(&mut self, mut bytes: Vec<u8>, is_last_chunk: bool) {
        let (valid_length, is_incomplete) = match std::str::from_utf8(&bytes) {
            Ok(text) => (text.len(), false),
            Err(error) => (error.valid_up_to(), error.error_len().is_none()),
        };
        let rest = bytes.split_off(valid_length);
        self.buffer
            .push_str(std::str::from_utf8(&bytes).unwrap_or_default());
        match rest.first() {
            Some(byte) if !is_incomplete || is_last_chunk => {
                self.end_with(TextError::NotUtf8(*byte));
            }
            _ => self.incomplete_character = rest,
        }
        self.is_at_end |= is_last_chunk;
    }

    /// Ends the text. The first error remains.
    fn end_with(&mut self, error: TextError) {
        self.is_at_end = true;
        self.error_after_text.get_or_insert(error);
    }
}

impl<R: Read> Iterator for DocumentReader<R> {
    type Item = Result<Document, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_finished {
            return None;
        }
        let item = self.next_document().transpose();
        self.is_finished = match &item {
            Some(Ok(document)) => document.has_error(),
            Some(Err(_)) | None => true,
        };
        item
    }
}

fn find_line_break(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == b'\n')
}

/// A search for the end of a JSON value. If the value is not valid JSON, the search may end
/// anywhere after the error.
#[derive(Default)]
struct ValueSearch {
    /// The number of open lists and objects.
    depth: usize,
    state: SearchState,
    is_complete: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum SearchState {
    #[default]
    BeforeValue,
    InContainer,
    InString,
    /// After a backslash in a string.
    InEscape,
    /// In a number or a literal that is not inside of a container.
    InWord,
}

impl ValueSearch {
    const fn process(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            (SearchState::InString, b'\\') => SearchState::InEscape,
            (SearchState::InString, b'"') if self.depth == 0 => {
                self.is_complete = true;
                SearchState::InString
            }
            (SearchState::InString, b'"') => SearchState::InContainer,
            (SearchState::InString | SearchState::InEscape, _)
            | (SearchState::BeforeValue | SearchState::InContainer, b'"') => SearchState::InString,
            (SearchState::BeforeValue | SearchState::InContainer, b'{' | b'[') => {
                self.depth += 1;
                SearchState::InContainer
            }
            (SearchState::InContainer, b'}' | b']') => {
                self.depth -= 1;
                self.is_complete = self.depth == 0;
                SearchState::InContainer
            }
            (SearchState::BeforeValue, b' ' | b'\t' | b'\r' | b'\n') => SearchState::BeforeValue,
            (SearchState::InWord, b' ' | b'\t' | b'\r' | b'\n') => {
                self.is_complete = true;
                SearchState::InWord
            }
            (SearchState::BeforeValue | SearchState::InWord, _) => SearchState::InWord,
            (SearchState::InContainer, _) => SearchState::InContainer,
        };
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotUtf8 { line, column, byte } => write!(
                f,
                "{line}:{column}: byte 0x{byte:02x} is not valid UTF-8; save the file as UTF-8"
            ),
            Self::TooLarge { line, max_bytes } => write!(
                f,
                "{line}:1: the document exceeds the limit of {max_bytes} bytes; split the document"
            ),
        }
    }
}

impl core::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::NotUtf8 { .. } | Self::TooLarge { .. } => None,
        }
    }
}
