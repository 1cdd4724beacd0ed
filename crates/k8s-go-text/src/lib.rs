//! Texts as Go reads and prints them, with Go's error texts: URLs, addresses, times, durations,
//! floats, base64, and the quantities and versions of Kubernetes.
//!
//! It changes with every version, so crates depend on it by an exact one. Use
//! [`k8s-cel`](https://docs.rs/k8s-cel) or
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

// Folders, lowest first: scan, name, base64, float, semver, time, duration, quantity, net
pub mod base64;
pub mod duration;
pub mod float;
pub mod name;
pub mod net;
pub mod quantity;
pub mod scan;
pub mod semver;
pub mod time;

// Users of the derive compile these, so they stay in the crate below.
#[doc(no_inline)]
pub use k8s_json_internals::{number, print, quote};
