//! What happens to stored objects and to clients when a union of a Kubernetes API changes.
//!
//! Somebody takes a value out, makes an optional member required, adds a discriminator: is that fine? [`compare`] asks both versions about
//! each object of a small world: every value of every discriminator, none, and one that nobody knows, with every member set and
//! unset. The rules of unions and an API server's own validation judge each of them; nothing is told from the text of a schema. For
//! each thing that changed there is a [`Finding`]: the smallest object that shows it, what both versions say to it, what happens to
//! the stored object, of clients of the old version and of the new one, and what to do.
//!
//! In a test of the crate that has the types:
//!
//! ```should_panic
//! mod v1 {
//!     #[derive(union_runtime::UnionEnum)]
//!     #[union(discriminator = "type", strict)] // fails where it knows nothing
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
//! | two Rust types | [`assert_compatible`] | a test that fails with what is breaking |
//! | two versions, of types, CRDs or schemas | [`compare`] | a [`Comparison`], as data and as text |
//! | a CRD that takes the place of another | [`compare_crds`] | one for each version that is served |
//! | a CRD with several versions | [`compare_versions`] | one for each two that are served together |
//! | two Rust types | [`skew()`] | the table of all requests between clients and servers of both: honoured, refused, lost |
//!
//! Unions are those that a type or a CRD declares, or else those that the rules of a CRD say
//! ([`crd-unions`](https://docs.rs/crd-unions)). Values of members are made from their schemas; where those say too little,
//! [`compare_with`] and [`skew_with`] take them from you.
//!
//! # What it does not say
//!
//! It is about unions, and what else is said to their objects: other fields that come and go are not told. A union that is not read
//! from its rules is not compared. Objects with more than a few members set are left out of large unions, and places whose objects
//! cannot be made are not compared: [`Comparison::notes`] says both. All [`bounds`] are counts, so that an answer is the same everywhere.
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

pub mod bounds;
mod cause;
mod compare;
mod crd;
mod declared;
mod finding;
mod frame;
#[doc(hidden)]
pub mod json;
mod judge;
mod place;
pub mod skew;
mod typed;
mod value;
mod verdict;
mod version;
mod wording;
mod world;

pub use compare::{compare, compare_with};
pub use crd::{compare_crds, compare_versions};
pub use finding::{Code, Comparison, Finding, Request, Weight};
pub use skew::{skew, skew_with};
pub use typed::assert_compatible;
pub use value::Values;
pub use verdict::{Answer, Fate, Verdict};
pub use version::{Version, VersionError};

// What the tool beside this crate uses, and users do not need.
#[doc(hidden)]
pub use declared::{path_of, shallow};
