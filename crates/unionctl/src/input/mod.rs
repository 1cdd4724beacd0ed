//! The input: files and stdin, YAML and JSON.

mod compression;
pub(crate) mod crd;
mod crd_files;
mod document_stream;
mod documents;
pub(crate) mod folder;
mod format;
mod git;
mod inexact_numbers;
mod input_reader;
pub(crate) mod list;
pub(crate) mod object;
mod object_source;
pub(crate) mod openapi;
pub(crate) mod resolve_field;
pub(crate) mod resolve_path;
mod select_object;
mod source_map;

pub(crate) use crd_files::CrdFiles;
pub(crate) use document_stream::{DocumentStream, StreamedDocument};
pub(crate) use documents::{Documents, decode_utf8};
pub(crate) use format::{DocumentFormat, json_input_error};
pub(crate) use git::MergeBase;
pub(crate) use inexact_numbers::InexactNumbers;
pub(crate) use input_reader::{InputReader, MAX_BYTES, display_file};
pub(crate) use object_source::{LocatedDuplicate, ObjectSource};
pub(crate) use select_object::ObjectInFile;
pub(crate) use source_map::{Position, SourceMap};
