//! Shared parts of the crates of the union toolkit that their users do not need: functions that
//! compare, count, name and print JSON values as a Kubernetes API server does.
//!
//! The API changes with every version, so crates depend on an exact version. Use
//! [`union-runtime`](https://docs.rs/union-runtime), [`k8s-cel`](https://docs.rs/k8s-cel) or
//! [`k8s-crd-validation`](https://docs.rs/k8s-crd-validation) instead.
#![forbid(unsafe_code)]
// Input of a client must not panic. A remaining `expect` has the reason why it cannot fail.
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

// Folders, lowest first: value, print, cel
mod cel;
pub mod print;
mod value;

pub use cel::{cel_literal, cel_name};
pub use print::{number, quote, stored};
pub use value::{deep, digest, element_index, entry, equality, key, names, rows};
