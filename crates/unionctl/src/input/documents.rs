//! Parses the documents of a file.

use std::sync::Arc;

use serde_json::Value;

use super::format::DocumentFormat;
use super::inexact_numbers::InexactNumbers;
use super::list;
use super::object_source::DocumentSource;
use crate::error::InputError;

/// The documents of a file.
#[derive(Debug)]
pub(crate) struct Documents {
    /// The name of the file, for messages.
    pub(crate) file: String,
    pub(crate) format: DocumentFormat,
    /// The documents that are not null.
    pub(crate) values: Vec<Value>,
    /// Notes on numbers that lose precision.
    pub(crate) notes: Vec<String>,
    /// The sources of the documents; empty unless [`parse_with_sources`](Self::parse_with_sources)
    /// was called.
    pub(super) sources: Vec<Arc<DocumentSource>>,
}

impl Documents {
    /// Parses the content of a file. `file` is the file name in messages.
    pub(crate) fn parse(file: &str, bytes: &[u8]) -> Result<Self, InputError> {
        Self::parse_with(file, bytes, |document| {
            document.value().map_err(InputError::from_reader)
        })
    }

    /// Parses the content of a file as [`parse`](Self::parse) does, and keeps the sources.
    /// Duplicate keys are not errors: [`ObjectSource::duplicates`](super::ObjectSource::duplicates)
    /// returns them.
    pub(crate) fn parse_with_sources(file: &str, bytes: &[u8]) -> Result<Self, InputError> {
        let mut sources = Vec::new();
        let mut documents = Self::parse_with(file, bytes, |document| {
            let (value, source) = DocumentSource::parse(document)?;
            if !value.is_null() {
                sources.push(Arc::new(source));
            }
            Ok(value)
        })?;
        documents.sources = sources;
        Ok(documents)
    }

    /// Creates documents from values that were not read from a file, without their sources.
    pub(crate) fn from_values(name: &str, values: Vec<Value>) -> Self {
        Self {
            file: name.to_owned(),
            format: DocumentFormat::Json,
            values,
            notes: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// Returns the documents of all files of a folder, without their sources.
    pub(crate) fn merge(folder: String, files: Vec<Self>) -> Self {
        let mut merged = Self {
            file: folder,
            format: DocumentFormat::Yaml,
            values: Vec::new(),
            notes: Vec::new(),
            sources: Vec::new(),
        };
        for mut documents in files {
            merged.values.append(&mut documents.values);
            merged.notes.append(&mut documents.notes);
        }
        merged
    }

    fn parse_with(
        file: &str,
        bytes: &[u8],
        mut parse_value: impl FnMut(k8s_yaml::Document) -> Result<Value, InputError>,
    ) -> Result<Self, InputError> {
        let text = decode_utf8_with_bom(bytes)?;
        let mut values = Vec::new();
        let mut numbers = InexactNumbers::default();
        for document in k8s_yaml::Documents::new(text) {
            numbers.add(&document);
            let mut value = parse_value(document)?;
            list::complete_items(&mut value);
            if !value.is_null() {
                values.push(value);
            }
        }
        Ok(Self {
            notes: numbers.into_file_notes(file),
            file: file.to_owned(),
            format: DocumentFormat::detect(text),
            values,
            sources: Vec::new(),
        })
    }
}

/// Decodes UTF-8, and removes a byte order mark.
pub(crate) fn decode_utf8(bytes: &[u8]) -> Result<&str, InputError> {
    let text = decode_utf8_with_bom(bytes)?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Decodes UTF-8, and keeps a byte order mark.
fn decode_utf8_with_bom(bytes: &[u8]) -> Result<&str, InputError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid_text = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let mut lines = valid_text.split('\n');
        utf8_error(
            lines.clone().count(),
            lines.next_back().map_or(0, |line| line.chars().count()) + 1,
            bytes[error.valid_up_to()],
        )
    })
}

/// Returns the error for a byte that is not valid UTF-8. The line and the column count from 1.
pub(super) fn utf8_error(line: usize, column: usize, byte: u8) -> InputError {
    // UTF-16 begins with a byte order mark, whose first byte is never valid UTF-8.
    let is_utf16 = (line, column) == (1, 1) && matches!(byte, 0xfe | 0xff);
    InputError {
        line,
        column,
        message: if is_utf16 {
            "the file is UTF-16; save it as UTF-8".to_owned()
        } else {
            format!("byte 0x{byte:02x} is not valid UTF-8; save the file as UTF-8")
        },
    }
}
