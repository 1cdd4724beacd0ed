//! Functions of the authorizer. An API server declares them for all expressions; that rules of CRDs have no authorizer only keeps
//! them from being called with one.

use super::cost;
use super::operators::no_overload;
use super::row::{Entry, row};

/// What the server counts for a question to the authorizer.
pub(crate) const CHECK: u64 = 350_000;

const NARROWED: &[&str] = &["ResourceCheck.string -> ResourceCheck"];
const TOLD: &[&str] = &["Decision. -> string"];
const ASKED: &[&str] = &["Decision. -> bool"];

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "path",
        &[row(&["Authorizer.string -> PathCheck"], no_overload)],
    ),
    (
        "group",
        &[row(&["Authorizer.string -> GroupCheck"], no_overload)],
    ),
    (
        "serviceAccount",
        &[row(
            &["Authorizer.string, string -> Authorizer"],
            no_overload,
        )],
    ),
    (
        "resource",
        &[row(&["GroupCheck.string -> ResourceCheck"], no_overload)],
    ),
    ("subresource", &[row(NARROWED, no_overload)]),
    ("namespace", &[row(NARROWED, no_overload)]),
    ("name", &[row(NARROWED, no_overload)]),
    (
        "fieldSelector",
        &[row(NARROWED, no_overload).costs(cost::selector).early()],
    ),
    (
        "labelSelector",
        &[row(NARROWED, no_overload).costs(cost::selector).early()],
    ),
    (
        "check",
        &[row(
            &[
                "PathCheck.string -> Decision",
                "ResourceCheck.string -> Decision",
            ],
            no_overload,
        )
        .costs(cost::check)],
    ),
    ("allowed", &[row(ASKED, no_overload)]),
    ("errored", &[row(ASKED, no_overload)]),
    ("reason", &[row(TOLD, no_overload)]),
    ("error", &[row(TOLD, no_overload)]),
];

/// What the server counts for a selector of that length: reading it, and each requirement that may be in it.
pub(crate) const fn selector(length: u64) -> u64 {
    let requirements = length.div_ceil(2);
    length
        .div_ceil(10)
        .saturating_add(requirements.saturating_mul(50))
        .saturating_add(10)
}
