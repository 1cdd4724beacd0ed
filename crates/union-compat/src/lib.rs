//! Finds what happens to stored objects and to clients when a union of a Kubernetes API changes.
//!
//! You remove a value, make an optional member required, or add a discriminator: what breaks? [`compare`] asks both versions about each
//! small object: every value of every discriminator, an absent and an unknown one, with every member set and unset. The rules of unions
//! and an API server's own validation judge each of them; the text of a schema is not compared. Each change gives a [`Finding`]: the
//! smallest object that shows it, the verdicts of both versions, what happens to stored objects and to clients of the old and the new
//! version, and what to do.
//!
//! In a test of the crate that has the types:
//!
//! ```should_panic
//! mod v1 {
//!     #[derive(union_runtime::UnionEnum)]
//!     #[union(discriminator = "type", strict)] // fails for what it does not know
//!     pub enum Target { S3(String), Volume(String) }
//! }
//!
//! mod v2 {
//!     #[derive(union_runtime::UnionEnum)]
//!     #[union(discriminator = "type", strict)]
//!     pub enum Target { S3(String), Volume(String), Tape(u32) }
//! }
//!
//! // breaking: there is one more value, "Tape" (`tape`) (value-added)
//! //   object: {"tape":1,"type":"Tape"}
//! //   ...
//! //   old clients that read it and write it back: the client cannot read it: ...
//! //   remedy: give clients an enum type with an `other` variant before the value can be stored; ...
//! union_compat::assert_compatible::<v1::Target, v2::Target>();
//! ```
//!
//! | you have | you ask | you get |
//! | --- | --- | --- |
//! | two Rust types | [`assert_compatible`] | a test that fails with the breaking changes |
//! | two versions, of types, CRDs or schemas | [`compare`] | a [`Comparison`], as data and as text |
//! | a CRD that replaces another | [`compare_crds`] | one for each version that is served |
//! | a CRD with several versions | [`compare_versions`] | one for each pair that is served together |
//! | two Rust types | [`skew()`] | the table of all requests between clients and servers of both: honoured, refused, lost |
//!
//! Unions are those that a type or a CRD declares, or else those that the rules of a CRD imply
//! ([`crd-unions`](https://docs.rs/crd-unions)). Values of members are made from their schemas; where those say too little,
//! [`Options::values`] takes them from you.
//!
//! # Limits
//!
//! It compares unions, and the other rules for their objects. It does not report other fields that come and go. A union that cannot be
//! read from its rules is not compared. In large unions, objects with more than a few members set are left out, and places for which no
//! object can be made are not compared: [`Comparison::notes`] says so. All [`bounds`] are counts, so that an answer is the same everywhere.
#![forbid(unsafe_code)]
// CRDs come from anybody. What is left says why it cannot happen.
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

// Folders, lowest first: bounds, json, version, world, judge, report, compare, skew
pub mod bounds;
mod compare;
#[doc(hidden)]
pub mod json;
mod judge;
mod report;
pub mod skew;
mod version;
mod world;

pub use compare::compare::compare;
pub use compare::crd::{compare_crds, compare_versions};
pub use compare::typed::assert_compatible;
pub use judge::verdict::{Answer, Fate, Verdict};
pub use report::finding::{Code, Comparison, Finding, Request, Weight};
pub use skew::skew;
pub use version::error::VersionError;
pub use version::version::Version;
pub use world::options::Options;
pub use world::value::Values;

// What the tool beside this crate uses, and users do not need.
#[doc(hidden)]
pub use version::declared::shallow;
