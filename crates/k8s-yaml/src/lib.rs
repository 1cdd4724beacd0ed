//! A parser of YAML and JSON files with the results of kubectl, and a printer of YAML: YAML 1.1 as
//! in go-yaml and sigs.k8s.io/yaml.
//!
//! [`parse`] returns the values that kubectl sends to an API server. [`Documents`] also returns the
//! positions of all values, and the values before an error. [`DocumentReader`] keeps one document
//! of a source in memory at a time. Unlike kubectl, this crate rejects a duplicate key in a map,
//! more than 128 levels, and more than 100 directives `%TAG`. [`Document::value_and_duplicates`]
//! returns the last value of each key, as kubectl does, and the duplicate keys.
//!
//! Parsers of YAML 1.2 are not suitable, because types, escape sequences, line breaks and the
//! indentation of quoted strings differ. This crate therefore has its own scanner, which creates
//! the same tokens as libyaml.
//!
//! [`to_yaml`] prints a value as Kubernetes prints values in messages.
//!
//! The API changes with every version, so crates depend on an exact version.
#![forbid(unsafe_code)]
// A file must not cause a panic.
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

// Folders, lowest first: error, scalar, emit, event, scan, parse, json, value, stream
mod emit;
mod error;
mod event;
mod json;
mod parse;
mod scalar;
mod scan;
mod stream;
mod value;

use serde_json::Value;

pub use emit::to_yaml;
pub use error::Error;
pub use event::{Event, Node};
pub use scalar::Scalar;
pub use stream::{Document, DocumentReader, Documents, InexactNumber, ReadError};
pub use value::{DuplicateKey, PathStep};

/// Returns the values of the documents in a source, as kubectl sends the values to an API server.
/// Documents that are null are left out.
///
/// ```
/// let values = k8s_yaml::parse("on: 010\n---\nv: 1e3\n")?;
/// assert_eq!(values, [serde_json::json!({"true": 8}), serde_json::json!({"v": 1000})]);
/// # Ok::<(), k8s_yaml::Error>(())
/// ```
///
/// # Errors
///
/// Returns the error of [`Document::value`] for the first document with an error.
pub fn parse(text: &str) -> Result<Vec<Value>, Error> {
    let values = Documents::new(text).map(|document| document.value());
    let is_kept = |value: &Result<Value, Error>| !matches!(value, Ok(Value::Null));
    values.filter(is_kept).collect()
}
