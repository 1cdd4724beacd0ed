//! One union, validated by the derive and by hand. The benches `typed` and `instructions` measure
//! the same functions on the same objects.
//!
//! The tests of this package compare both implementations in every state of the union: their errors
//! have the same field paths.

use std::fmt;
use std::hint::black_box;

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

pub mod by_hand;
pub mod derived;
pub mod enums;
pub mod objects;

/// A type of probe for a workload.
#[derive(EnumType, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckType {
    /// A command to run.
    Exec,
    /// An HTTP request.
    HttpGet,
    /// A TCP connection.
    Port,
    /// A gRPC request, to the default service if `grpc` is unset.
    Grpc,
    /// No probe; the value has no member.
    Always,
}

/// A union of four members of different types, one of them optional. The struct also has an
/// ordinary field.
#[derive(Union, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// The discriminator, which selects the member to respect.
    #[union(discriminator)]
    pub r#type: CheckType,
    /// An ordinary field that is not a part of the union.
    pub period_seconds: u32,
    /// The command to run.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exec: Option<Vec<String>>,
    /// The HTTP request to send.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_get: Option<HttpGet>,
    /// The TCP port to connect to.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// The gRPC service to call.
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grpc: Option<String>,
}

/// An HTTP request.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct HttpGet {
    /// The path of the URL.
    pub path: String,
    /// The port of the server.
    pub port: u16,
}

impl fmt::Display for CheckType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exec => "Exec",
            Self::HttpGet => "HttpGet",
            Self::Port => "Port",
            Self::Grpc => "Grpc",
            Self::Always => "Always",
        })
    }
}

/// Calls `check` on each object, with objects and results hidden from the optimizer.
///
/// The results are passed to `black_box` by reference: a move would cost more than the check,
/// because of failed store forwarding.
pub fn for_each_object<R>(objects: &[Check], check: fn(&Check) -> R) {
    for object in objects {
        black_box(&check(black_box(object)));
    }
}

/// Calls `check` on each update, like [`for_each_object`].
pub fn for_each_update<R>(updates: &[Update], check: fn(&Check, &Check) -> R) {
    for update in updates {
        let Update { new, old } = black_box(update);
        black_box(&check(new, old));
    }
}

/// Calls `normalize` on each update, like [`for_each_object`]. `normalize` may change the new
/// object.
pub fn for_each_update_mut<R>(
    updates: &mut [Update],
    normalize: fn(&mut Check, Option<&Check>) -> R,
) {
    for update in updates {
        let Update { new, old } = black_box(update);
        black_box(&normalize(new, Some(old)));
    }
}

/// Reads one field and validates nothing. The measurement of this function is the cost of the call
/// and of the loop.
#[inline(never)]
#[must_use]
pub fn read_one_field(check: &Check) -> u32 {
    check.period_seconds
}

/// An update: the new object and the old object.
#[derive(Clone, Debug)]
pub struct Update {
    /// The object of the request.
    pub new: Check,
    /// The stored object.
    pub old: Check,
}

#[cfg(test)]
mod tests {
    use super::objects::{ALL_TYPES, with_members};
    use union_runtime::{Report, Settings, Violation};

    use super::*;

    /// Returns an object for every combination of the discriminator's value and the set members.
    /// There are 16 sets of the four members.
    fn every_state() -> Vec<Check> {
        ALL_TYPES
            .iter()
            .flat_map(|r#type| (0..16).map(|set_mask| with_members(*r#type, set_mask)))
            .collect()
    }

    fn paths<'a>(violations: impl IntoIterator<Item = &'a Violation>) -> Vec<String> {
        let paths = violations
            .into_iter()
            .map(|violation| violation.path().to_string());
        paths.collect()
    }

    fn paths_by_hand(errors: Vec<by_hand::FieldError>) -> Vec<String> {
        errors.into_iter().map(|error| error.path).collect()
    }

    #[test]
    fn both_implementations_report_the_same_errors_of_creates() {
        for object in every_state() {
            let result_of_derive = object.validate_unions().into_result();
            let result_by_hand = by_hand::validate(&object);
            assert_eq!(result_by_hand, by_hand::validate_by_match(&object));
            assert_eq!(
                result_of_derive.err().map(|report| paths(report.errors())),
                result_by_hand.err().map(paths_by_hand),
                "{object:?}"
            );
        }
    }

    #[test]
    fn both_implementations_report_the_same_errors_of_updates() {
        for old in every_state() {
            for new in every_state() {
                let report = new.validate_unions_update(&old, &Settings::default());
                let derived = (paths(report.errors()), paths(report.tolerated()));
                let by_hand = match by_hand::validate_update(&new, &old) {
                    Ok(tolerated) => (vec![], paths_by_hand(tolerated)),
                    Err(update_error) => (
                        paths_by_hand(update_error.errors),
                        paths_by_hand(update_error.tolerated),
                    ),
                };
                assert_eq!(derived, by_hand, "{old:?} -> {new:?}");
            }
        }
    }

    #[test]
    fn both_implementations_clear_the_same_members() {
        for old in every_state() {
            for object in every_state() {
                let (mut derived, mut by_hand) = (object.clone(), object);
                let changes = derived.normalize_unions(Some(&old), &Settings::default());
                let cleared = by_hand::normalize(&mut by_hand, Some(&old));
                assert_eq!(derived, by_hand);
                let by_derive: Vec<&str> = changes.cleared().map(AsRef::as_ref).collect();
                assert_eq!(by_derive, cleared);
            }
        }
    }

    #[test]
    fn objects_have_the_errors_that_their_names_promise() {
        assert!(
            objects::mixed()
                .iter()
                .chain(&objects::one_type())
                .all(|object| object.validate_unions().is_accepted())
        );
        assert!(
            objects::invalid()
                .iter()
                .all(|object| !object.validate_unions().is_accepted())
        );
        for Update { new, old } in objects::echoes().iter().chain(&objects::switches()) {
            assert_eq!(
                new.validate_unions_update(old, &Settings::default()),
                Report::default()
            );
        }
        for Update { new, old } in objects::ratcheted() {
            let report = new.validate_unions_update(&old, &Settings::default());
            assert!(report.is_accepted(), "{report}");
            assert_eq!(report.tolerated().len(), 1);
        }
        for Update { mut new, old } in objects::stale() {
            let changes = new.normalize_unions(Some(&old), &Settings::default());
            assert_eq!(changes.len(), 1);
            assert_eq!(new.validate_unions(), Report::default());
        }
    }
}
