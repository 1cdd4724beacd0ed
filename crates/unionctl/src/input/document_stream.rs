//! Reads the documents of a file one by one.

use std::io::Read;
use std::sync::Arc;

use k8s_yaml::{DocumentReader, ReadError};
use serde_json::Value;

use super::documents::utf8_error;
use super::inexact_numbers::InexactNumbers;
use super::object_source::{DocumentSource, ObjectSource};
use crate::error::{CommandError, InputError};

/// The documents of a file, of which one is in memory at a time.
pub(crate) struct DocumentStream {
    /// The name of the file, for messages.
    pub(crate) file: String,
    /// The flag of the file, for messages.
    flag: &'static str,
    documents: DocumentReader<Box<dyn Read>>,
    keeps_sources: bool,
    numbers: InexactNumbers,
}

/// A document that is not null.
pub(crate) struct StreamedDocument {
    pub(crate) value: Value,
    /// The number of bytes in the file.
    pub(crate) bytes: usize,
    source: Option<Arc<DocumentSource>>,
}

impl DocumentStream {
    pub(super) fn new(
        file: String,
        flag: &'static str,
        documents: DocumentReader<Box<dyn Read>>,
        keeps_sources: bool,
    ) -> Self {
        Self {
            file,
            flag,
            documents,
            keeps_sources,
            numbers: InexactNumbers::default(),
        }
    }

    /// Returns the next document that is not null.
    pub(crate) fn next_document(&mut self) -> Result<Option<StreamedDocument>, CommandError> {
        while let Some(document) = self.documents.next() {
            let document = document.map_err(|error| self.read_error(error))?;
            self.numbers.add(&document);
            let bytes = document.source_bytes();
            let in_file = |error: InputError| error.in_file(&self.file);
            let (value, source) = if self.keeps_sources {
                let (value, source) = DocumentSource::parse(document).map_err(in_file)?;
                (value, Some(Arc::new(source)))
            } else {
                let value = document.value().map_err(InputError::from_reader);
                (value.map_err(in_file)?, None)
            };
            if !value.is_null() {
                return Ok(Some(StreamedDocument {
                    value,
                    bytes,
                    source,
                }));
            }
        }
        Ok(None)
    }

    /// Returns notes on numbers that lose precision.
    pub(crate) fn into_notes(self) -> Vec<String> {
        self.numbers.into_file_notes(&self.file)
    }

    fn read_error(&self, error: ReadError) -> CommandError {
        match error {
            ReadError::NotUtf8 { line, column, byte } => {
                utf8_error(line, column, byte).in_file(&self.file)
            }
            ReadError::TooLarge { line, max_bytes } => {
                let limit_mib = max_bytes >> 20;
                let error = InputError {
                    line,
                    column: 1,
                    message: format!(
                        "the document exceeds the limit of {limit_mib} MiB; write its objects as separate documents"
                    ),
                };
                error.in_file(&self.file)
            }
            ReadError::Io(error) => CommandError::new(
                &*self.file,
                format!("cannot read the file ({}): {error}", self.flag),
            ),
        }
    }
}

impl StreamedDocument {
    /// Returns the source of the document; `None` if the sources are not kept.
    pub(crate) fn source(&self) -> Option<ObjectSource> {
        let source = self.source.as_ref()?;
        Some(ObjectSource::new(source, None))
    }

    /// Returns a function that returns the source of an object in `items`, by its index.
    pub(crate) fn item_sources(&self) -> impl Fn(usize) -> Option<ObjectSource> + use<> {
        let source = self.source.clone();
        move |index| Some(ObjectSource::new(source.as_ref()?, Some(index)))
    }
}
