//! What the crates of the union toolkit share and their users do not need: JSON values as an API server of Kubernetes
//! compares, counts, names and prints them, and reads the texts in them.
//!
//! It changes with every version, so crates depend on it by an exact one. Use
//! [`union-runtime`](https://docs.rs/union-runtime), [`k8s-cel`](https://docs.rs/k8s-cel) or
//! [`k8s-crd-validation`](https://docs.rs/k8s-crd-validation) in its place.
#![forbid(unsafe_code)]
// Whatever a client sends is answered, never a panic. What is left says why it cannot happen.
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

pub use cel::{cel_name, cel_text};
pub use print::{number, quote};
pub use value::{deep, digest, equality, key, keyed, names, rows};
