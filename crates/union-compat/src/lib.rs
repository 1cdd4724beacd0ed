//! Finds the effects of a changed union or enum of a Kubernetes API on stored objects and on
//! clients.
//!
//! Which objects and clients break if you remove a value, make an optional member required, or add
//! a discriminator? [`compare`] validates many small objects in both versions: objects with every
//! value of every discriminator, with an absent and an unknown value, and with every member set and
//! unset. If the rules require other fields for a value or a member, a search adds them. The rules
//! of unions and an API server's own validation judge each object; schemas are not compared as
//! strings. Each difference is a [`Finding`]: the smallest object that shows the difference, the
//! results of both versions, the effects on stored objects and on clients of the old and the new
//! version, and a remedy.
//!
//! Use it in a test of the crate that contains the types:
//!
//! ```should_panic
//! mod v1 {
//!     #[derive(union_runtime::UnionEnum)]
//!     #[union(discriminator = "type", strict)] // fails for unknown values
//!     pub enum Target { S3(String), Volume(String) }
//! }
//!
//! mod v2 {
//!     #[derive(union_runtime::UnionEnum)]
//!     #[union(discriminator = "type", strict)]
//!     pub enum Target { S3(String), Volume(String), Tape(u32) }
//! }
//!
//! // breaking: the value "Tape" (`tape`) was added (value-added)
//! //   object: {"tape":1,"type":"Tape"}
//! //   ...
//! //   old clients that read the object and write it back: the client cannot deserialize ...
//! //   remedy: update clients to an enum type with an `other` variant before the value ...
//! union_compat::assert_compatible::<v1::Target, v2::Target>();
//! ```
//!
//! - [`assert_compatible`] compares two Rust types in a test, and fails with the breaking changes.
//! - [`compare`] compares two versions, which are types, CRDs or schemas, and returns a
//!   [`CompatReport`].
//! - [`compare_crds`] compares a CRD with the CRD that replaces it, and returns a [`CompatReport`]
//!   for each served version.
//! - [`compare_whole_crds`] and [`assert_crds_compatible`] also compare everything else in the
//!   CRDs, with [`crd-compat`](https://docs.rs/crd-compat).
//! - [`compare_versions`] compares the served versions of one CRD, and returns a [`CompatReport`]
//!   for each pair of versions.
//! - [`skew()`] returns a table of all requests between clients and servers of two Rust types:
//!   honoured, refused or lost.
//!
//! The unions are declared by the type or CRD, or else implied by the rules of the CRD
//! ([`crd-unions`](https://docs.rs/crd-unions)). Values of members are built from their schemas. If
//! the schemas are not sufficient, pass values with [`Options::values`].
//!
//! # Limits
//!
//! A comparison covers unions, the other rules for objects that contain unions, and enums. Other
//! added and removed fields are not reported, and unions that cannot be inferred from the rules are
//! not compared. For large unions, objects with more than a few set members are left out. Unions,
//! values and members without a valid object are not compared. [`CompatReport::notes`] lists
//! everything that was left out. All [`bounds`] are counts, so results are the same on every
//! machine.
#![forbid(unsafe_code)]
// The input may be any CRD, so the crate must not panic. Each exception gives the reason why it
// cannot panic.
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
pub use compare::whole_crd::{
    CrdComparison, assert_crds_compatible, compare_whole_crds, compare_whole_versions,
};
pub use judge::decision::{Decision, Decisions, RequestOutcome};
pub use report::finding::{ChangeCode, CompatReport, Finding, Severity, UpdateExample};
pub use skew::skew;
pub use version::error::VersionError;
pub use version::version::ApiVersion;
pub use world::options::Options;
pub use world::value::ValueSource;

// For `unionctl`; not part of the public API.
#[doc(hidden)]
pub use version::compared_union::without_nested_schemas;
