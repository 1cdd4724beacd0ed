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
    /// The flag that has used stdin.
    stdin: Option<&'static str>,
}

impl InputReader {
    /// Creates a reader for a command that reads stdin itself. `flag` is the flag that reads stdin.
    pub(crate) const fn without_stdin(flag: &'static str) -> Self {
        Self { stdin: Some(flag) }
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

    /// Reads a file for a caller that reports duplicate keys and the positions of fields.
    pub(crate) fn read_documents_with_sources(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<Documents, CommandError> {
        let (file, bytes) = self.bytes(flag, path)?;
        Documents::parse_with_sources(&file, &bytes).map_err(|error| error.in_file(&file))
    }

    /// Reads a file, and returns its bytes too, for callers that search positions in them.
    pub(crate) fn read_documents_and_bytes(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<(Documents, Vec<u8>), CommandError> {
        let (file, bytes) = self.bytes(flag, path)?;
        let documents = Documents::parse(&file, &bytes).map_err(|error| error.in_file(&file))?;
        Ok((documents, bytes))
    }

    /// Returns the name of a file for messages, and its bytes. A file that exceeds the limit is an
    /// error.
    fn bytes(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<(String, Vec<u8>), CommandError> {
        let (file, bytes) = self.bytes_up_to_limit(flag, path)?;
        if bytes.len() > MAX_BYTES {
            let limit = MAX_BYTES >> 20;
            return Err(CommandError::new(
                file,
                format!("the file exceeds the limit of {limit} MiB"),
            ));
        }
        Ok((file, bytes))
    }

    /// Returns the name of a file for messages, and its bytes, at most one more than the limit.
    fn bytes_up_to_limit(
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
        let result = if is_stdin {
            if let Some(other_flag) = self.stdin.replace(flag) {
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
        match result {
            Ok(_) => Ok((file, bytes)),
            Err(error) => Err(CommandError::new(
                file,
                format!("cannot read the file ({flag}): {error}"),
            )),
        }
    }
}
