//! Reads files, and stdin, which can be read only once.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::documents::Documents;
use crate::error::CommandError;

/// The greatest size of a file, or of a line, in bytes: a device without an end must not exhaust
/// the memory.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// A reader of files, and of stdin once.
#[derive(Debug, Default)]
pub(crate) struct InputReader {
    /// The flag that has read stdin.
    stdin: Option<&'static str>,
}

impl InputReader {
    /// Creates the inputs of a command that reads stdin itself.
    pub(crate) const fn without_stdin(flag: &'static str) -> Self {
        Self { stdin: Some(flag) }
    }

    /// Reads a file, or stdin for `-`; `flag` is the flag with the path, for messages.
    pub(crate) fn read_documents(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<Documents, CommandError> {
        self.read_documents_and_bytes(flag, path)
            .map(|(documents, _)| documents)
    }

    /// Reads a file for a caller that reports duplicate keys and the positions of fields.
    pub(crate) fn read_documents_with_sources(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<Documents, CommandError> {
        let (file, bytes) = self.bytes(flag, path)?;
        Documents::parse_with_sources(&file, &bytes).map_err(|flaw| flaw.in_file(&file))
    }

    /// Reads a file and returns its bytes too, for callers that look for positions in them.
    pub(crate) fn read_documents_and_bytes(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<(Documents, Vec<u8>), CommandError> {
        let (file, bytes) = self.bytes(flag, path)?;
        let documents = Documents::parse(&file, &bytes).map_err(|flaw| flaw.in_file(&file))?;
        Ok((documents, bytes))
    }

    /// Returns the name of a file for messages, and its bytes, which must not be too many.
    fn bytes(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<(String, Vec<u8>), CommandError> {
        let (file, bytes) = self.bytes_up_to_limit(flag, path)?;
        if bytes.len() > MAX_BYTES {
            let most = MAX_BYTES >> 20;
            return Err(CommandError::new(
                file,
                format!("the file exceeds the limit of {most} MiB"),
            ));
        }
        Ok((file, bytes))
    }

    /// Returns the name of a file for messages, and its bytes; one byte more than allowed if the
    /// file is too large.
    fn bytes_up_to_limit(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<(String, Vec<u8>), CommandError> {
        let mut bytes = Vec::new();
        let most = MAX_BYTES as u64 + 1;
        let is_stdin = path.as_os_str() == "-";
        let file = if is_stdin {
            "stdin".to_owned()
        } else {
            path.display().to_string()
        };
        let read = if is_stdin {
            if let Some(other) = self.stdin.replace(flag) {
                return Err(CommandError::new(
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
            Err(error) => Err(CommandError::new(
                file,
                format!("cannot read the file ({flag}): {error}"),
            )),
        }
    }
}
