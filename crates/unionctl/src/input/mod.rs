//! What comes in: files and stdin, YAML and JSON.

mod choose;
pub(crate) mod crd;
pub(crate) mod folder;
mod form;
mod numbers;
pub(crate) mod object;
pub(crate) mod openapi;
pub(crate) mod place;
mod positions;
mod value;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use serde_json::Value;

use crate::problem::{Flaw, Problem};

pub(crate) use choose::Placed;
pub(crate) use form::{Form, flaw_of_json, read_json};
pub(crate) use numbers::changed_numbers;
pub(crate) use positions::{Position, Positions, with_parents};

/// How large a file, or a line, may be: a device that never ends must not take all memory.
pub(crate) const MOST_BYTES: usize = 64 << 20;

/// Reads files, and stdin once.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// The flag that had stdin.
    stdin: Option<&'static str>,
}

/// The documents of a file.
#[derive(Debug)]
pub(crate) struct Documents {
    /// For messages.
    pub(crate) file: String,
    pub(crate) form: Form,
    /// None is null.
    pub(crate) values: Vec<Value>,
    /// What cannot be kept as it stands in the file.
    pub(crate) notes: Vec<String>,
}

impl Inputs {
    /// Where stdin is read by something else.
    pub(crate) const fn without_stdin(flag: &'static str) -> Self {
        Self { stdin: Some(flag) }
    }

    /// Reads a file, `-` for stdin; `flag` is the one that names it.
    pub(crate) fn read(&mut self, flag: &'static str, path: &Path) -> Result<Documents, Problem> {
        self.read_with_text(flag, path)
            .map(|(documents, _)| documents)
    }

    /// The same with the bytes, for those who ask for places in them.
    pub(crate) fn read_with_text(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<(Documents, Vec<u8>), Problem> {
        let (file, bytes) = self.bytes(flag, path)?;
        if bytes.len() > MOST_BYTES {
            let most = MOST_BYTES >> 20;
            return Err(Problem::new(
                file,
                format!("it is larger than {most} MiB; give a smaller one"),
            ));
        }
        let documents = Documents::of(&file, &bytes).map_err(|flaw| flaw.of_file(&file))?;
        Ok((documents, bytes))
    }

    /// The bytes of a file, one more than allowed if it is too large, and what to call it.
    fn bytes(&mut self, flag: &'static str, path: &Path) -> Result<(String, Vec<u8>), Problem> {
        let mut bytes = Vec::new();
        let most = MOST_BYTES as u64 + 1;
        let is_stdin = path.as_os_str() == "-";
        let file = if is_stdin {
            "stdin".to_owned()
        } else {
            path.display().to_string()
        };
        let read = if is_stdin {
            if let Some(other) = self.stdin.replace(flag) {
                return Err(Problem::new(
                    file,
                    format!(
                        "{other} and {flag} both read it, and it can be read once; give one of them a file"
                    ),
                ));
            }
            io::stdin().lock().take(most).read_to_end(&mut bytes)
        } else {
            File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
        };
        match read {
            Ok(_) => Ok((file, bytes)),
            Err(error) => Err(Problem::new(
                file,
                format!("{flag} cannot read it: {error}; give the path of a file, or - for stdin"),
            )),
        }
    }
}

impl Documents {
    /// Reads the bytes of a file, or of what is called so in messages.
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

/// Bytes as text, without the mark that some editors put in front.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Flaw> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        let mut lines = valid.split(|byte| *byte == b'\n');
        let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        Flaw {
            line: lines.clone().count(),
            column: lines.next_back().map_or(0, <[u8]>::len) + 1,
            text: if is_utf16 {
                "it is UTF-16; save it as UTF-8".to_owned()
            } else {
                let found = bytes[error.valid_up_to()];
                format!("byte 0x{found:02x} is not UTF-8 here; save it as UTF-8")
            },
        }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}
