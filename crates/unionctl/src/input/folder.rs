//! Finds the files of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::CommandError;

/// The file name extensions of manifests.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The maximum depth of nested folders.
const MAX_DEPTH: usize = 64;

/// Returns the file at a path, or the sorted files of a folder and its subfolders. `flag` is the
/// flag of the path, for messages.
pub(crate) fn files(flag: &str, path: &Path) -> Result<Vec<PathBuf>, CommandError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    add_files(flag, path, &mut files, MAX_DEPTH)?;
    if files.is_empty() {
        return Err(CommandError::new(
            path.display().to_string(),
            format!("no .yaml, .yml or .json files found ({flag})"),
        ));
    }
    files.sort();
    Ok(files)
}

fn add_files(
    flag: &str,
    folder: &Path,
    files: &mut Vec<PathBuf>,
    depth: usize,
) -> Result<(), CommandError> {
    let folder_error = |message: String| CommandError::new(folder.display().to_string(), message);
    let Some(depth) = depth.checked_sub(1) else {
        return Err(folder_error(format!(
            "folders are nested more than {MAX_DEPTH} levels deep ({flag})"
        )));
    };
    let unreadable = |error| folder_error(format!("cannot read the folder ({flag}): {error}"));
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        // Links to folders are skipped, because they may form a cycle.
        if entry.file_type().map_err(unreadable)?.is_dir() {
            add_files(flag, &path, files, depth)?;
        } else if is_object_file(&path) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

fn is_object_file(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}
