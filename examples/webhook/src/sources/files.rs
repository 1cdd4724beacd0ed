//! Reads CRDs from YAML and JSON files, and from folders of such files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use union_json::document::Crd;

use crate::admission::schemas::{CheckScope, Schemas};
use crate::error::WebhookError;

/// The extensions of the files that are read from a folder.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// Reads and compiles the CRDs of files and folders. Other objects are ignored.
///
/// # Errors
///
/// Returns an error for each path that is unreadable or has no CRD, and the errors in the CRDs.
pub fn read_schemas(paths: &[PathBuf], checks: CheckScope) -> Result<Schemas, Vec<WebhookError>> {
    read_schemas_into(Schemas::default(), paths, checks)
}

/// Adds the CRDs of files and folders to schemas.
///
/// # Errors
///
/// Returns the same errors as [`read_schemas`].
pub fn read_schemas_into(
    mut schemas: Schemas,
    paths: &[PathBuf],
    checks: CheckScope,
) -> Result<Schemas, Vec<WebhookError>> {
    let mut errors = Vec::new();
    for path in paths {
        let files_with_crds = object_files(path).and_then(|files| {
            let crds = files.into_iter().map(|file| Ok((read_crds(&file)?, file)));
            crds.collect::<Result<Vec<_>, WebhookError>>()
        });
        let files_with_crds = match files_with_crds {
            Ok(files_with_crds) => files_with_crds,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        if files_with_crds.iter().all(|(crds, _)| crds.is_empty()) {
            errors.push(WebhookError::new(
                path.display().to_string(),
                "no CustomResourceDefinition found; pass a file with one to --crds",
            ));
        }
        for (crds, file) in files_with_crds {
            for crd in crds {
                let location = file.display().to_string();
                errors.extend(
                    schemas
                        .add(&location, &crd, checks)
                        .err()
                        .into_iter()
                        .flatten(),
                );
            }
        }
    }
    if errors.is_empty() {
        Ok(schemas)
    } else {
        Err(errors)
    }
}

/// Returns the path itself if it is a file, or the object files of a folder, sorted. Inner folders
/// are ignored, because a mounted `ConfigMap` has each file twice, once in a linked inner folder.
fn object_files(path: &Path) -> Result<Vec<PathBuf>, WebhookError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| read_error(path, &error))?;
    let paths = entries.into_iter().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| is_object_file(path)).collect();
    files.sort();
    Ok(files)
}

fn is_object_file(path: &Path) -> bool {
    let extension = path.extension();
    let is_yaml_or_json = extension.is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    });
    is_yaml_or_json && path.is_file()
}

/// Returns the CRDs of a file. YAML and JSON are recognized by their content, as kubectl does.
fn read_crds(file: &Path) -> Result<Vec<Value>, WebhookError> {
    let content = fs::read_to_string(file).map_err(|error| read_error(file, &error))?;
    let documents = k8s_yaml::parse(&content).map_err(|error| {
        let k8s_yaml::Error {
            line,
            column,
            message,
        } = error;
        WebhookError::new(format!("{}:{line}:{column}", file.display()), message)
    })?;
    let is_crd = |object: &Value| Crd::from_object(object).is_some();
    Ok(documents.into_iter().filter(is_crd).collect())
}

fn read_error(path: &Path, error: &std::io::Error) -> WebhookError {
    let message = format!("cannot read the file or folder (--crds): {error}");
    WebhookError::new(path.display().to_string(), message)
}
