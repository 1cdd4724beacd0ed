//! Reads files, and stdin, which can be read only once.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::documents::Documents;
use crate::problem::Problem;

/// The greatest size of a file, or of a line, in bytes: a device without an end must not exhaust
/// the memory.
pub(crate) const MOST_BYTES: usize = 64 << 20;

/// A reader of files, and of stdin once.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// The flag that has read stdin.
    stdin: Option<&'static str>,
}

impl Inputs {
    /// Creates the inputs of a command that reads stdin itself.
    pub(crate) const fn without_stdin(flag: &'static str) -> Self {
        Self { stdin: Some(flag) }
    }

    /// Reads a file, or stdin for `-`; `flag` is the flag with the path, for messages.
    pub(crate) fn read(&mut self, flag: &'static str, path: &Path) -> Result<Documents, Problem> {
        self.read_with_text(flag, path)
            .map(|(documents, _)| documents)
    }

    /// Reads a file and returns its bytes too, for callers that look for positions in them.
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
                format!("the file exceeds the limit of {most} MiB"),
            ));
        }
        let documents = Documents::of(&file, &bytes).map_err(|flaw| flaw.of_file(&file))?;
        Ok((documents, bytes))
    }

    /// Returns the name of a file for messages, and its bytes; one byte more than allowed if the
    /// file is too large.
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
                        "{other} and {flag} both read stdin, which can be read only once; pass a file to one of them"
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
                format!("cannot read the file ({flag}): {error}"),
            )),
        }
    }
}
