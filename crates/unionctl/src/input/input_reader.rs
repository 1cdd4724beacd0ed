//! Reads files and stdin. Stdin can be read only once.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use k8s_yaml::DocumentReader;

use super::compression::{self, LimitedReader};
use super::document_stream::DocumentStream;
use super::documents::Documents;
use super::folder;
use crate::error::CommandError;

/// The maximum size of a file, of a line, or of a document in a file with objects, in bytes after
/// decompression. The limit protects the memory from endless devices such as `/dev/zero`.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// The maximum size of a file with objects, which are read one by one.
const MAX_STREAM_BYTES: (u64, &str) = (16 << 30, "16 GiB");

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

    /// Reads a file, or all files of a folder.
    pub(crate) fn read_file_or_folder(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<Documents, CommandError> {
        if !path.is_dir() {
            return self.read_documents(flag, path);
        }
        let files = folder::find_all_files(flag, path)?;
        let documents = files.iter().map(|file| self.read_documents(flag, file));
        let documents = documents.collect::<Result<Vec<_>, _>>()?;
        Ok(Documents::merge(path.display().to_string(), documents))
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

    /// Opens a file with objects. With `keeps_sources`, the documents have their sources.
    pub(crate) fn open_documents(
        &mut self,
        flag: &'static str,
        path: &Path,
        keeps_sources: bool,
    ) -> Result<DocumentStream, CommandError> {
        let file = display_file(path);
        let reader = self.open(flag, path, &file)?;
        let (max_bytes, limit) = MAX_STREAM_BYTES;
        let reader: Box<dyn Read> = Box::new(LimitedReader::new(reader, max_bytes, limit));
        let documents = DocumentReader::new(reader, MAX_BYTES);
        Ok(DocumentStream::new(file, flag, documents, keeps_sources))
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
    pub(super) fn read_bytes(
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
        let file = display_file(path);
        let reader = self.open(flag, path, &file)?;
        match reader.take(limit).read_to_end(&mut bytes) {
            Ok(_) => Ok((file, bytes)),
            Err(error) => Err(read_error(file, flag, &error)),
        }
    }

    /// Opens a file, or stdin if the path is `-`. The reader decompresses the content.
    fn open(
        &mut self,
        flag: &'static str,
        path: &Path,
        file: &str,
    ) -> Result<Box<dyn Read>, CommandError> {
        let reader = if path.as_os_str() == "-" {
            if let Some(other_flag) = self.stdin_flag.replace(flag) {
                return Err(CommandError::new(
                    file,
                    format!(
                        "{other_flag} and {flag} both read stdin, which can be read only once; pass a file to one of them"
                    ),
                ));
            }
            compression::decompress(io::stdin())
        } else {
            File::open(path).and_then(compression::decompress)
        };
        reader.map_err(|error| {
            if path.is_dir() {
                let message = format!("cannot read the file ({flag}): it is a folder; pass a file");
                return CommandError::new(file, message);
            }
            if let (ErrorKind::NotFound, Ok(target)) = (error.kind(), path.read_link()) {
                let target = target.display();
                let message = format!(
                    "cannot read the file ({flag}): it is a link to {target}, which does not exist; remove the link"
                );
                return CommandError::new(file, message);
            }
            read_error(file, flag, &error)
        })
    }
}

/// Returns the name of a file for messages.
pub(crate) fn display_file(path: &Path) -> String {
    if path.as_os_str() == "-" {
        "stdin".to_owned()
    } else {
        path.display().to_string()
    }
}

fn read_error(file: impl Into<String>, flag: &str, error: &io::Error) -> CommandError {
    CommandError::new(file, format!("cannot read the file ({flag}): {error}"))
}
