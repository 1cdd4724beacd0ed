//! Parses and prints strings as Go does, with Go's error messages: URLs, IP addresses, times,
//! durations, floats, base64, and the quantities and versions of Kubernetes.
//!
//! The API may change with every version, so crates depend on an exact version. Use
//! [`k8s-cel`](https://docs.rs/k8s-cel) or
//! [`k8s-crd-validation`](https://docs.rs/k8s-crd-validation) instead.
#![forbid(unsafe_code)]
// Input of a client must not cause panics. Each remaining `expect` gives the reason why it cannot
// fail.
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

// These modules are in a lower crate, because `union-runtime` needs them without this crate.
#[doc(no_inline)]
pub use k8s_json_internals::{number, print, quote};
