//! Finds the files of a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::CommandError;

/// The file name extensions of manifests.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The extension of compressed files, after the extension of a manifest.
const COMPRESSED_EXTENSION: &str = "gz";

/// The maximum depth of nested folders.
const MAX_DEPTH: usize = 64;

/// The files at a path, and the errors of folders that were not searched.
#[derive(Debug, Default)]
pub(crate) struct FoundFiles {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) errors: Vec<CommandError>,
}

/// Returns the file at a path, or the sorted files of a folder and its subfolders. `flag` is the
/// flag of the path, for messages. Without `is_recursive`, subfolders are ignored.
pub(crate) fn find_files(
    flag: &str,
    path: &Path,
    is_recursive: bool,
) -> Result<FoundFiles, CommandError> {
    let mut found = FoundFiles::default();
    if !path.is_dir() {
        found.files.push(path.to_owned());
        return Ok(found);
    }
    let depth = is_recursive.then_some(MAX_DEPTH);
    found.add_files(flag, path, depth);
    if found.files.is_empty() && found.errors.is_empty() {
        return Err(CommandError::new(
            path.display().to_string(),
            format!("no .yaml, .yml or .json files found ({flag})"),
        ));
    }
    found.files.sort();
    Ok(found)
}

/// Returns the files as [`find_files`] does, for a command that needs all of them. A folder that
/// was not searched is an error.
pub(crate) fn find_all_files(flag: &str, path: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let found = find_files(flag, path, true)?;
    match found.errors.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(found.files),
    }
}

impl FoundFiles {
    /// Adds the files of a folder and of at most `remaining_depth` levels of folders; `None` adds
    /// only the files of the folder.
    fn add_files(&mut self, flag: &str, folder: &Path, remaining_depth: Option<usize>) {
        let folder_error =
            |message: String| CommandError::new(folder.display().to_string(), message);
        if remaining_depth == Some(0) {
            self.errors.push(folder_error(format!(
                "folders are nested more than {MAX_DEPTH} levels deep ({flag})"
            )));
            return;
        }
        let result = self.add_entries(flag, folder, remaining_depth);
        self.errors.extend(
            result
                .err()
                .map(|error| folder_error(format!("cannot read the folder ({flag}): {error}"))),
        );
    }

    fn add_entries(
        &mut self,
        flag: &str,
        folder: &Path,
        remaining_depth: Option<usize>,
    ) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            // Links to folders are skipped, because they may form a cycle.
            if entry.file_type()?.is_dir() {
                if let Some(depth) = remaining_depth {
                    self.add_files(flag, &path, Some(depth - 1));
                }
            } else if is_manifest(&path) && !is_editor_lock(&entry) && may_be_file(&path) {
                self.files.push(path);
            }
        }
        Ok(())
    }
}

/// Returns true for a lock of Emacs, which is a link to nothing beside each changed file.
fn is_editor_lock(entry: &fs::DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".#")
}

/// Returns false for a folder, and for a special file such as a pipe. Returns true if the type is
/// unknown, as for a link to nothing, so that the attempt to read the file reports the error.
fn may_be_file(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

pub(super) fn is_manifest(path: &Path) -> bool {
    let has_extension = |path: &Path, expected: &str| {
        let extension = path.extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case(expected))
    };
    let decompressed_path = path.with_extension("");
    let path = if has_extension(path, COMPRESSED_EXTENSION) {
        &decompressed_path
    } else {
        path
    };
    EXTENSIONS
        .iter()
        .any(|extension| has_extension(path, extension))
}
