//! A line of JSON lines: a case, or settings for the lines that follow.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::input::{self, object};
use crate::problem::Flaw;

/// A line, which knows the position of its parts.
pub(crate) struct Line<'l>(pub(crate) &'l str);

impl<'l> Line<'l> {
    /// Parses the line; `form` is the expected form, for messages.
    pub(crate) fn parse<T: Deserialize<'l>>(&self, form: &str) -> Result<T, Flaw> {
        if !self.0.trim_ascii_start().starts_with('{') {
            // serde would accept a list of the values in order, too.
            return Err(self.flaw(None, &format!("the line must be a JSON object: {form}")));
        }
        serde_json::from_str(self.0).map_err(|error| input::flaw_of_json(&error))
    }

    /// Reads a part of the line that must be an object or a list.
    pub(crate) fn object(&self, key: &str, part: &RawValue) -> Result<Value, Flaw> {
        let value = self.value(key, part)?;
        if value.is_object() || value.is_array() {
            return Ok(value);
        }
        let found = object::what_is(&value);
        Err(self.flaw(
            Some(part),
            &format!("`{key}` must be an object, not {found}"),
        ))
    }

    pub(crate) fn value(&self, key: &str, part: &RawValue) -> Result<Value, Flaw> {
        input::read_json(part.get()).map_err(|flaw| Flaw {
            column: self.offset(part) + flaw.column,
            text: format!("{key}: {}", flaw.text),
            ..flaw
        })
    }

    pub(crate) fn flaw(&self, part: Option<&RawValue>, text: &str) -> Flaw {
        Flaw {
            line: 1,
            column: part.map_or(0, |part| self.offset(part)) + 1,
            text: text.to_owned(),
        }
    }

    /// Returns the byte offset of a part in the line.
    fn offset(&self, part: &RawValue) -> usize {
        let (part, line) = (part.get().as_ptr().addr(), self.0.as_ptr().addr());
        part.saturating_sub(line)
    }
}
