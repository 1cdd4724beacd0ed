//! Parses a line of JSON lines, and finds the positions of its parts.

use k8s_yaml::Document;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::InputError;
use crate::input::{self, object};

/// A line of the input.
pub(crate) struct JsonlLine<'l>(pub(crate) &'l str);

impl<'l> JsonlLine<'l> {
    /// Parses the line. `form` is the expected form, for messages.
    pub(crate) fn parse_line<T: Deserialize<'l>>(&self, form: &str) -> Result<T, InputError> {
        if !self.0.trim_ascii_start().starts_with('{') {
            // serde would also accept a list with the values in order.
            return Err(self.input_error(None, &format!("the line must be a JSON object: {form}")));
        }
        serde_json::from_str(self.0).map_err(|error| {
            let error = input::json_input_error(&error);
            InputError {
                column: self.characters(error.column - 1) + 1,
                ..error
            }
        })
    }

    /// Parses a part of the line, which must be an object or a list. `key` is the key of the part,
    /// for messages.
    pub(crate) fn parse_object(&self, key: &str, part: &RawValue) -> Result<Value, InputError> {
        self.parse_object_and_document(key, part)
            .map(|(value, _)| value)
    }

    /// Parses a part of the line, which must be an object or a list, and also returns its document.
    pub(crate) fn parse_object_and_document(
        &self,
        key: &str,
        part: &RawValue,
    ) -> Result<(Value, Document), InputError> {
        let document = Document::from_json(part.get());
        let value = self.document_value(key, part, &document)?;
        if value.is_object() || value.is_array() {
            return Ok((value, document));
        }
        let found = object::json_type_name(&value);
        Err(self.input_error(
            Some(part),
            &format!("`{key}` must be an object, not {found}"),
        ))
    }

    pub(crate) fn parse_value(&self, key: &str, part: &RawValue) -> Result<Value, InputError> {
        self.document_value(key, part, &Document::from_json(part.get()))
    }

    fn document_value(
        &self,
        key: &str,
        part: &RawValue,
        document: &Document,
    ) -> Result<Value, InputError> {
        document.value().map_err(|error| InputError {
            line: error.line,
            column: self.offset(part) + error.column,
            message: format!("{key}: {}", error.message),
        })
    }

    pub(crate) fn input_error(&self, part: Option<&RawValue>, message: &str) -> InputError {
        InputError {
            line: 1,
            column: part.map_or(0, |part| self.offset(part)) + 1,
            message: message.to_owned(),
        }
    }

    /// Returns the number of characters in front of a part of the line.
    fn offset(&self, part: &RawValue) -> usize {
        let (part, line) = (part.get().as_ptr().addr(), self.0.as_ptr().addr());
        self.characters(part.saturating_sub(line))
    }

    /// Returns the number of characters that begin in the first `bytes` bytes of the line.
    fn characters(&self, bytes: usize) -> usize {
        let starts = self.0.char_indices();
        starts.take_while(|(start, _)| *start < bytes).count()
    }
}
