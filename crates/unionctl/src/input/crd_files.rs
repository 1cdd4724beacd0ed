//! Finds the files with CRDs among many files, such as the files of a commit.

use std::path::PathBuf;

use super::documents::Documents;
use super::folder;
use super::input_reader::InputReader;
use crate::error::{CommandError, InputError};

/// The kind of CRDs. A file without this word is not parsed, because a repository also has files
/// that do not parse, such as templates, or JSON with comments.
const KIND: &[u8] = b"CustomResourceDefinition";

/// The bytes that the kind has in UTF-16 of both byte orders: its letters, with a zero byte between
/// them.
const KIND_IN_UTF16: [u8; 2 * KIND.len() - 1] = {
    let mut bytes = [0; 2 * KIND.len() - 1];
    let mut i = 0;
    while i < KIND.len() {
        bytes[2 * i] = KIND[i];
        i += 1;
    }
    bytes
};

/// The files that may contain CRDs.
#[derive(Debug)]
pub(crate) struct CrdFiles {
    /// The documents and the content of each file.
    pub(crate) files: Vec<(Documents, Vec<u8>)>,
    /// The errors of files that are unreadable or invalid.
    pub(crate) errors: Vec<CommandError>,
}

impl CrdFiles {
    /// Reads the files with CRDs among `paths`, which are files and folders. `parse` parses the
    /// content of a file.
    pub(crate) fn read(
        inputs: &mut InputReader,
        paths: &[PathBuf],
        parse: impl Fn(&str, &[u8]) -> Result<Documents, InputError>,
    ) -> Result<Self, CommandError> {
        let flag = "FILES";
        let mut crd_files = Self {
            files: Vec::new(),
            errors: Vec::new(),
        };
        for path in paths {
            let found = folder::find_files(flag, path, true)?;
            crd_files.errors.extend(found.errors);
            for file in found.files {
                let documents = inputs.read_bytes(flag, &file).and_then(|(name, bytes)| {
                    if !may_contain_crd(&bytes) {
                        return Ok(None);
                    }
                    let documents = parse(&name, &bytes).map_err(|error| error.in_file(&name))?;
                    Ok(Some((documents, bytes)))
                });
                match documents {
                    Ok(documents) => crd_files.files.extend(documents),
                    Err(error) => crd_files.errors.push(error),
                }
            }
        }
        Ok(crd_files)
    }
}

/// Returns true if a file may contain a CRD. A file in UTF-16 is parsed too, which is an error.
pub(super) fn may_contain_crd(content: &[u8]) -> bool {
    let contains = |text: &[u8]| content.windows(text.len()).any(|window| window == text);
    contains(KIND) || (content.contains(&0) && contains(&KIND_IN_UTF16))
}
