//! Functions that read, compare, index, escape and print JSON values as an API server does.
//!
//! This crate is internal to the union toolkit. Its API changes with every version, so the other
//! crates depend on an exact version.
#![forbid(unsafe_code)]
// Input of a client must not cause a panic. Each remaining `expect` states why it cannot fail.
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

// Folders, lowest first: optional_box, value, read, path, print, schema, cel
mod cel;
pub mod optional_box;
mod path;
pub mod print;
pub mod read;
mod schema;
mod value;

pub use cel::{cel_literal, cel_name};
pub use path::{path_step, printed_path};
pub use print::{normalized_numbers, number, quote, status};
pub use schema::{free_json, schema_keywords, value_list};
pub use value::{deep, digest, element_index, entry, equality, key, names, non_string, rows};
