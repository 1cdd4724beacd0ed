//! Reads files and stdin. Stdin can be read only once.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::documents::Documents;
use crate::error::CommandError;

/// The maximum size of a file or of a line, in bytes. The limit protects the memory from endless
/// devices such as `/dev/zero`.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// A reader of files, which reads stdin at most once.
#[derive(Debug, Default)]
pub(crate) struct InputReader {
    /// The flag that has read stdin, or that will read it.
    stdin_flag: Option<&'static str>,
}

impl InputReader {
    /// Creates a reader for a command that reads stdin itself. `flag` is the flag that reads stdin.
    pub(crate) const fn without_stdin(flag: &'static str) -> Self {
        Self {
            stdin_flag: Some(flag),
        }
    }

    /// Reads a file, or stdin if the path is `-`. `flag` is the flag of the path, for messages.
    pub(crate) fn read_documents(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<Documents, CommandError> {
        self.read_documents_and_bytes(flag, path)
            .map(|(documents, _)| documents)
    }

    /// Reads a file, and keeps the sources of its documents.
    pub(crate) fn read_documents_with_sources(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<Documents, CommandError> {
        let (file, bytes) = self.read_bytes(flag, path)?;
        Documents::parse_with_sources(&file, &bytes).map_err(|error| error.in_file(&file))
    }

    /// Reads a file, and also returns its bytes.
    pub(crate) fn read_documents_and_bytes(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<(Documents, Vec<u8>), CommandError> {
        let (file, bytes) = self.read_bytes(flag, path)?;
        let documents = Documents::parse(&file, &bytes).map_err(|error| error.in_file(&file))?;
        Ok((documents, bytes))
    }

    /// Returns the name of a file for messages, and its bytes. A file with more than [`MAX_BYTES`]
    /// bytes is an error.
    fn read_bytes(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<(String, Vec<u8>), CommandError> {
        let (file, bytes) = self.read_bytes_up_to_limit(flag, path)?;
        if bytes.len() > MAX_BYTES {
            let limit_mib = MAX_BYTES >> 20;
            return Err(CommandError::new(
                file,
                format!("the file exceeds the limit of {limit_mib} MiB"),
            ));
        }
        Ok((file, bytes))
    }

    /// Returns the name of a file for messages, and its first bytes: one byte more than
    /// [`MAX_BYTES`], so that the caller detects a file that is too large.
    fn read_bytes_up_to_limit(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<(String, Vec<u8>), CommandError> {
        let mut bytes = Vec::new();
        let limit = MAX_BYTES as u64 + 1;
        let is_stdin = path.as_os_str() == "-";
        let file = if is_stdin {
            "stdin".to_owned()
        } else {
            path.display().to_string()
        };
        let read_result = if is_stdin {
            if let Some(other_flag) = self.stdin_flag.replace(flag) {
                return Err(CommandError::new(
                    file,
                    format!(
                        "{other_flag} and {flag} both read stdin, which can be read only once; pass a file to one of them"
                    ),
                ));
            }
            io::stdin().lock().take(limit).read_to_end(&mut bytes)
        } else {
            File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
        };
        match read_result {
            Ok(_) => Ok((file, bytes)),
            Err(error) => Err(CommandError::new(
                file,
                format!("cannot read the file ({flag}): {error}"),
            )),
        }
    }
}
