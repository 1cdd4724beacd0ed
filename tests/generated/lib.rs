//! The types that crd-to-rust generates for the CRDs of `crds` and of the Gateway API, compiled
//! with all warnings as errors.
#![deny(
    warnings,
    missing_docs,
    rust_2018_idioms,
    unused_lifetimes,
    clippy::all
)]
#![allow(
    unreachable_pub,
    reason = "KubeSchema copies public structs into functions"
)]
#![allow(
    clippy::pedantic,
    reason = "names and texts are those of other people; what users of clippy see by default is denied"
)]
#![allow(
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items,
    reason = "lists in texts of other people are laid out as they like"
)]

include!(concat!(env!("OUT_DIR"), "/modules.rs"));
