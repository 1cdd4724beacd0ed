//! A line of JSON lines: a case, or settings for the lines that follow.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::InputError;
use crate::input::{self, object};

/// A line, which knows the position of its parts.
pub(crate) struct JsonlLine<'l>(pub(crate) &'l str);

impl<'l> JsonlLine<'l> {
    /// Parses the line; `form` is the expected form, for messages.
    pub(crate) fn parse_line<T: Deserialize<'l>>(&self, form: &str) -> Result<T, InputError> {
        if !self.0.trim_ascii_start().starts_with('{') {
            // serde would accept a list of the values in order, too.
            return Err(self.input_error(None, &format!("the line must be a JSON object: {form}")));
        }
        serde_json::from_str(self.0).map_err(|error| input::json_input_error(&error))
    }

    /// Reads a part of the line that must be an object or a list.
    pub(crate) fn parse_object(&self, key: &str, part: &RawValue) -> Result<Value, InputError> {
        let value = self.parse_value(key, part)?;
        if value.is_object() || value.is_array() {
            return Ok(value);
        }
        let found = object::json_type_name(&value);
        Err(self.input_error(
            Some(part),
            &format!("`{key}` must be an object, not {found}"),
        ))
    }

    pub(crate) fn parse_value(&self, key: &str, part: &RawValue) -> Result<Value, InputError> {
        input::parse_json(part.get()).map_err(|flaw| InputError {
            column: self.offset(part) + flaw.column,
            message: format!("{key}: {}", flaw.message),
            ..flaw
        })
    }

    pub(crate) fn input_error(&self, part: Option<&RawValue>, text: &str) -> InputError {
        InputError {
            line: 1,
            column: part.map_or(0, |part| self.offset(part)) + 1,
            message: text.to_owned(),
        }
    }

    /// Returns the byte offset of a part in the line.
    fn offset(&self, part: &RawValue) -> usize {
        let (part, line) = (part.get().as_ptr().addr(), self.0.as_ptr().addr());
        part.saturating_sub(line)
    }
}
