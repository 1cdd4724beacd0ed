//! Finds the files of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::CommandError;

/// The file name extensions of manifests.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The extension of compressed files, after the extension of a manifest.
const COMPRESSED_EXTENSION: &str = "gz";

/// The maximum depth of nested folders.
const MAX_DEPTH: usize = 64;

/// Returns the file at a path, or the sorted files of a folder and its subfolders. `flag` is the
/// flag of the path, for messages. Without `is_recursive`, subfolders are ignored.
pub(crate) fn find_files(
    flag: &str,
    path: &Path,
    is_recursive: bool,
) -> Result<Vec<PathBuf>, CommandError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let depth = is_recursive.then_some(MAX_DEPTH);
    add_files(flag, path, &mut files, depth)?;
    if files.is_empty() {
        return Err(CommandError::new(
            path.display().to_string(),
            format!("no .yaml, .yml or .json files found ({flag})"),
        ));
    }
    files.sort();
    Ok(files)
}

/// Adds the files of a folder and of at most `remaining_depth` levels of folders; `None` adds only
/// the files of the folder.
fn add_files(
    flag: &str,
    folder: &Path,
    files: &mut Vec<PathBuf>,
    remaining_depth: Option<usize>,
) -> Result<(), CommandError> {
    let folder_error = |message: String| CommandError::new(folder.display().to_string(), message);
    if remaining_depth == Some(0) {
        return Err(folder_error(format!(
            "folders are nested more than {MAX_DEPTH} levels deep ({flag})"
        )));
    }
    let read_error = |error| folder_error(format!("cannot read the folder ({flag}): {error}"));
    for entry in fs::read_dir(folder).map_err(read_error)? {
        let entry = entry.map_err(read_error)?;
        let path = entry.path();
        // Links to folders are skipped, because they may form a cycle.
        if entry.file_type().map_err(read_error)?.is_dir() {
            if let Some(depth) = remaining_depth {
                add_files(flag, &path, files, Some(depth - 1))?;
            }
        } else if is_manifest(&path) && !is_editor_lock(&entry) && may_be_file(&path) {
            files.push(path);
        }
    }
    Ok(())
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
