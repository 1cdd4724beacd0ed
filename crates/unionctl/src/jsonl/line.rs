//! Parses a line of JSON lines, and finds the positions of its values.

use k8s_yaml::Document;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::InputError;
use crate::input::{self, object};

/// A line of the input.
pub(crate) struct JsonlLine<'l>(pub(crate) &'l str);

impl<'l> JsonlLine<'l> {
    /// Parses the line. `expected_line` is an example of a line, for messages.
    pub(crate) fn parse_line<T: Deserialize<'l>>(
        &self,
        expected_line: &str,
    ) -> Result<T, InputError> {
        if !self.0.trim_ascii_start().starts_with('{') {
            // serde would also accept a list with the values in order.
            return Err(self.input_error(
                None,
                &format!("the line must be a JSON object: {expected_line}"),
            ));
        }
        serde_json::from_str(self.0).map_err(|error| {
            let error = input::json_input_error(&error);
            InputError {
                column: self.count_characters(error.column - 1) + 1,
                ..error
            }
        })
    }

    /// Parses a value of the line, which must be an object or a list. `key` is the key of the
    /// value, for messages.
    pub(crate) fn parse_object(
        &self,
        key: &str,
        raw_value: &RawValue,
    ) -> Result<Value, InputError> {
        self.parse_object_and_document(key, raw_value)
            .map(|(value, _)| value)
    }

    /// Parses a value of the line, which must be an object or a list, and also returns its
    /// document.
    pub(crate) fn parse_object_and_document(
        &self,
        key: &str,
        raw_value: &RawValue,
    ) -> Result<(Value, Document), InputError> {
        let document = Document::from_json(raw_value.get());
        let value = self.document_value(key, raw_value, &document)?;
        if value.is_object() || value.is_array() {
            return Ok((value, document));
        }
        let type_name = object::json_type_name(&value);
        Err(self.input_error(
            Some(raw_value),
            &format!("`{key}` must be an object, not {type_name}"),
        ))
    }

    pub(crate) fn parse_value(&self, key: &str, raw_value: &RawValue) -> Result<Value, InputError> {
        self.document_value(key, raw_value, &Document::from_json(raw_value.get()))
    }

    fn document_value(
        &self,
        key: &str,
        raw_value: &RawValue,
        document: &Document,
    ) -> Result<Value, InputError> {
        document.value().map_err(|error| InputError {
            line: error.line,
            column: self.character_offset(raw_value) + error.column,
            message: format!("{key}: {}", error.message),
        })
    }

    pub(crate) fn input_error(&self, raw_value: Option<&RawValue>, message: &str) -> InputError {
        InputError {
            line: 1,
            column: raw_value.map_or(0, |raw_value| self.character_offset(raw_value)) + 1,
            message: message.to_owned(),
        }
    }

    /// Returns the number of characters before a value of the line.
    fn character_offset(&self, raw_value: &RawValue) -> usize {
        let value_address = raw_value.get().as_ptr().addr();
        let line_address = self.0.as_ptr().addr();
        self.count_characters(value_address.saturating_sub(line_address))
    }

    /// Returns the number of characters that begin in the first `byte_count` bytes of the line.
    fn count_characters(&self, byte_count: usize) -> usize {
        let starts = self.0.char_indices();
        starts.take_while(|(start, _)| *start < byte_count).count()
    }
}
