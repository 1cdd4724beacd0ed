//! The CRDs of files: YAML and JSON, in one file or in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use union_json::document::Crd;

use crate::error::WebhookError;
use crate::schemas::{CheckScope, Schemas};

/// The extensions of files of objects.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// Reads the CRDs of files and folders; other objects are ignored.
///
/// # Errors
///
/// Returns an error if a path is unreadable or has no CRD, and all errors in the CRDs.
pub fn read_schemas(paths: &[PathBuf], checks: CheckScope) -> Result<Schemas, Vec<WebhookError>> {
    read_schemas_into(Schemas::default(), paths, checks)
}

/// Adds the CRDs of files and folders to schemas.
///
/// # Errors
///
/// Returns an error in the same cases as [`read`].
pub fn read_schemas_into(
    mut schemas: Schemas,
    paths: &[PathBuf],
    checks: CheckScope,
) -> Result<Schemas, Vec<WebhookError>> {
    let mut problems = Vec::new();
    for path in paths {
        let found = files(path).and_then(|files| {
            let crds = files.into_iter().map(|file| Ok((crds(&file)?, file)));
            crds.collect::<Result<Vec<_>, WebhookError>>()
        });
        let found = match found {
            Ok(found) => found,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        if found.iter().all(|(crds, _)| crds.is_empty()) {
            problems.push(WebhookError::new(
                path.display().to_string(),
                "no CustomResourceDefinition found; pass a file with one to --crds",
            ));
        }
        for (crds, file) in found {
            for crd in crds {
                let place = file.display().to_string();
                problems.extend(
                    schemas
                        .add(&place, &crd, checks)
                        .err()
                        .into_iter()
                        .flatten(),
                );
            }
        }
    }
    if problems.is_empty() {
        Ok(schemas)
    } else {
        Err(problems)
    }
}

/// Returns the file itself, or the files of the folder, in order. Folders in it are ignored: a
/// mounted `ConfigMap` has its files twice, once behind a link.
fn files(path: &Path) -> Result<Vec<PathBuf>, WebhookError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| unreadable(path, &error))?;
    let paths = entries.into_iter().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| is_object_file(path)).collect();
    files.sort();
    Ok(files)
}

fn is_object_file(path: &Path) -> bool {
    let extension = path.extension();
    let is_known = extension.is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    });
    is_known && path.is_file()
}

/// Returns the CRDs of a file. YAML and JSON are recognized by their content, as kubectl does.
fn crds(file: &Path) -> Result<Vec<Value>, WebhookError> {
    let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let documents = k8s_yaml::parse(&text).map_err(|error| {
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

fn unreadable(path: &Path, error: &std::io::Error) -> WebhookError {
    let text = format!("cannot read the file or folder (--crds): {error}");
    WebhookError::new(path.display().to_string(), text)
}
