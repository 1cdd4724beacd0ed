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

pub mod cel_name;
pub mod cel_text;
pub mod deep;
pub mod digest;
pub mod equality;
pub mod key;
pub mod keyed;
pub mod name;
pub mod names;
pub mod number;
pub mod print;
pub mod quote;
pub mod rows;
pub mod scan;
pub mod time;
