//! The documents of a file.

use serde_json::Value;

use super::form::Form;
use super::numbers::changed_numbers;
use crate::problem::Flaw;

/// The documents of a file.
#[derive(Debug)]
pub(crate) struct Documents {
    /// The name of the file, for messages.
    pub(crate) file: String,
    pub(crate) form: Form,
    /// The documents that are not null.
    pub(crate) values: Vec<Value>,
    /// Notes on numbers that are changed by reading them.
    pub(crate) notes: Vec<String>,
}

impl Documents {
    /// Parses the bytes of a file; `file` is its name for messages.
    pub(crate) fn of(file: &str, bytes: &[u8]) -> Result<Self, Flaw> {
        let text = text(bytes)?;
        let form = Form::of(text);
        let values = form.read(text)?;
        let changed = changed_numbers(text, &values).into_iter();
        let notes = changed.map(|number| format!("{file}:{}: {}", number.line, number.text));
        Ok(Self {
            notes: notes.collect(),
            file: file.to_owned(),
            form,
            values,
        })
    }
}

/// Returns bytes as a string, without the byte order mark that some editors write.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Flaw> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        let mut lines = valid.split(|byte| *byte == b'\n');
        let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        Flaw {
            line: lines.clone().count(),
            column: lines.next_back().map_or(0, <[u8]>::len) + 1,
            text: if is_utf16 {
                "the file is UTF-16; save it as UTF-8".to_owned()
            } else {
                let found = bytes[error.valid_up_to()];
                format!("byte 0x{found:02x} is not valid UTF-8; save the file as UTF-8")
            },
        }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}
