//! What a changed union does.
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
