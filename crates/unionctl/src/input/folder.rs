//! The files of a folder, or a single file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::problem::Problem;

/// The extensions of files of objects.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The greatest depth of folders that is searched.
const DEEPEST: usize = 64;

/// Returns the file, or the files of the folder and of the folders in it, in order.
pub(crate) fn files(flag: &str, path: &Path) -> Result<Vec<PathBuf>, Problem> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    add_files(flag, path, &mut files, DEEPEST)?;
    if files.is_empty() {
        return Err(Problem::new(
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
) -> Result<(), Problem> {
    let problem = |text: String| Problem::new(folder.display().to_string(), text);
    let Some(depth) = depth.checked_sub(1) else {
        return Err(problem(format!(
            "folders are nested more than {DEEPEST} levels deep ({flag})"
        )));
    };
    let unreadable = |error| problem(format!("cannot read the folder ({flag}): {error}"));
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        // Links to folders are not followed, because they may form a cycle.
        if entry.file_type().map_err(unreadable)?.is_dir() {
            add_files(flag, &path, files, depth)?;
        } else if is_of_objects(&path) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

fn is_of_objects(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}
