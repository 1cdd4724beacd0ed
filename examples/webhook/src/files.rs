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

fn crds(file: &Path) -> Result<Vec<Value>, WebhookError> {
    let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let is_json = file
        .extension()
        .is_some_and(|is| is.eq_ignore_ascii_case("json"));
    let documents = if is_json {
        let values = serde_json::Deserializer::from_str(&text).into_iter();
        let values: Result<Vec<Value>, _> = values.collect();
        values.map_err(|error| error.to_string())
    } else {
        read_yaml(&text)
    };
    let documents = documents.map_err(|error| {
        let text = format!("invalid file: {error}");
        WebhookError::new(file.display().to_string(), text)
    })?;
    let is_crd = |object: &Value| Crd::from_object(object).is_some();
    Ok(documents.into_iter().filter(is_crd).collect())
}

/// Parses YAML as kubectl does, with limits that allow the largest CRDs.
fn read_yaml(text: &str) -> Result<Vec<Value>, String> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: 2_000_000,
            max_events: 8_000_000,
        },
        legacy_octal_numbers: true,
        with_snippet: false,
    };
    serde_saphyr::from_multiple_with_options(text, options).map_err(|error| error.to_string())
}

fn unreadable(path: &Path, error: &std::io::Error) -> WebhookError {
    let text = format!("cannot read the file or folder (--crds): {error}");
    WebhookError::new(path.display().to_string(), text)
}
