//! Finds every change of a CRD that an object, a client or a field manager notices, and proves it
//! by the smallest object.
//!
//! [`compare_crds`] walks the schemas of both CRDs and lists the keywords that differ. For each
//! difference it makes objects at the edges of both schemas: a string that is just too long, a
//! string that only one of two patterns matches, a number that is just too small, each value of an
//! enum and one more, an absent field, null, lists with equal elements. Both versions answer the
//! creation of each object as an API server does
//! ([`k8s-crd-validation`](https://docs.rs/k8s-crd-validation)). A [`Finding`] contains an object
//! that the versions answer differently; a difference of the text alone is not a finding. If both
//! versions reject an object, but only one because of the difference, a search changes other values
//! of the object until the other version accepts it. A difference that no object shows is
//! [`Unproven`], with the number of objects that were tried.
//!
//! - [`compare_crds`] compares a CRD with the CRD that replaces it.
//! - [`compare_served_versions`] compares the versions that a CRD serves.
//! - [`assert_compatible`] does it in a test, and panics with the findings.
//!
//! # Limits
//!
//! Objects are made from the keywords, from the syntax trees and the literals of rules and from
//! small combinations of them, and then from a fixed sequence of random choices. An effect that
//! needs a rarer object is not found. Server-side apply is not simulated: a changed list type, key
//! or map type is a finding without an object. All [`bounds`] are counts, so the results are the
//! same on each machine.

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

// Folders, lowest first: bounds, error, sample, schema, edges, judge, report, outside, compare
pub mod bounds;
mod compare;
mod edges;
mod error;
mod judge;
mod outside;
mod report;
// For `unionctl`; not part of the public API.
#[doc(hidden)]
pub mod sample;
mod schema;

pub use compare::assert::assert_compatible;
pub use compare::crd::{compare_crds, compare_served_versions};
// For `union-compat`; not part of the public API.
#[doc(hidden)]
pub use compare::objects::place_search::{PlaceValue, find_object_at, repair_object_at};
// For `union-compat`; not part of the public API.
#[doc(hidden)]
pub use edges::placement::field_path;
pub use error::CompareError;
pub use judge::answer::Answer;
// For `union-compat`; not part of the public API.
#[doc(hidden)]
pub use judge::cause_score::schema_path;
pub use report::finding::{CrdReport, Finding, Level, Proof, SameVersions, VersionReport};
pub use report::unproven::{ObjectLimit, Unproven, UnprovenReason, Untried};
pub use schema::keyword::Keyword;
// For `union-compat`; not part of the public API.
#[doc(hidden)]
pub use schema::merge::merge_schemas;
