//! The input: files and stdin, YAML and JSON.

pub(crate) mod crd;
mod documents;
pub(crate) mod folder;
mod format;
mod inexact_numbers;
mod input_reader;
pub(crate) mod object;
mod object_source;
pub(crate) mod openapi;
pub(crate) mod resolve_field;
mod select_object;
mod source_map;

pub(crate) use documents::{Documents, decode_utf8};
pub(crate) use format::{DocumentFormat, json_input_error};
pub(crate) use inexact_numbers::InexactNumbers;
pub(crate) use input_reader::{InputReader, MAX_BYTES};
pub(crate) use object_source::{LocatedDuplicate, ObjectSource};
pub(crate) use select_object::ObjectInFile;
pub(crate) use source_map::{Position, SourceMap};
