//! The known differences between our result and the server's, named as in
//! `tests/reference/DIFFERENCES.md`, which gives the reasons.

use std::collections::HashSet;

use crate::cluster::{Answer, Cause, text};
use crate::type_name;

pub(crate) const CRD_NUMBERS: &str = "explained by `crd-numbers`";
pub(crate) const MANAGED_FIELDS: &str = "explained by `managed-fields`";
pub(crate) const METADATA_DEFAULT: &str = "explained by `metadata-default`";
pub(crate) const UNCHANGED_VALUE: &str = "explained by `unchanged-value`";
pub(crate) const EMPTY_FOLLOWS: &str = "explained by `empty-follows`";
pub(crate) const KEPT_RAW: &str = "explained by `kept-raw`";
pub(crate) const SEVERAL_ANSWERS: &str = "explained by `several-answers`";
pub(crate) const TYPE_NAME: &str = "explained by `type-name`";
const METADATA_REPEATS: &str = "explained by `metadata-repeats`";
const UNHASHABLE: &str = "explained by `unhashable`";
const EMPTY_KEY: &str = "explained by `empty-key`";
pub(crate) const ONE_OF_SEVERAL: &str = "explained by `one-of-several`";
const MALFORMED: &str = "explained by `malformed-element`";

/// The beginning of CEL's message about an old, tolerated list element that does not match the
/// schema.
const NO_ELEMENT: &str = "invalid data, expected";

/// The message of the server when its own code panicked.
const PANIC: &str = "hash of unhashable type";

/// Returns the name of the known difference that explains the server's response, if there is one.
///
/// `agrees` compares a response of the server with causes that replace ours.
pub(crate) fn of_request(
    answer: &Answer,
    ours: &[Cause],
    agrees: impl Fn(&Answer, &[Cause]) -> bool,
) -> Option<&'static str> {
    if agrees(&without_repeats(answer), ours) {
        return Some(METADATA_REPEATS);
    }
    if agrees(&without_empty_keys(answer), ours) {
        return Some(EMPTY_KEY);
    }
    // The causes at all other field paths have to be the same.
    let causes = answer.causes();
    let panicked = places(&causes, PANIC);
    if !panicked.is_empty()
        && agrees(
            &without_places(answer, &panicked),
            &elsewhere(ours, &panicked),
        )
    {
        return Some(UNHASHABLE);
    }
    // Both sides must have an error at each of these field paths.
    let mut malformed = places(&causes, NO_ELEMENT);
    malformed.extend(places(ours, NO_ELEMENT));
    let are_said_by = |causes: &[Cause]| {
        let is_said = |place: &String| causes.iter().any(|[_, field, _]| field == place);
        malformed.iter().all(is_said)
    };
    if !malformed.is_empty()
        && are_said_by(&causes)
        && are_said_by(ours)
        && agrees(
            &without_places(answer, &malformed),
            &elsewhere(ours, &malformed),
        )
    {
        return Some(MALFORMED);
    }
    None
}

/// Returns true if the object cannot be decoded. Decoding ends at the first of several such fields.
pub(crate) fn is_unreadable(causes: &[Cause]) -> bool {
    causes.iter().any(|[reason, ..]| reason == "BadRequest")
}

/// Returns the field paths of the causes with this message.
fn places(causes: &[Cause], what: &str) -> HashSet<String> {
    let about = causes
        .iter()
        .filter(|[_, _, message]| message.contains(what));
    about.map(|[_, field, _]| field.clone()).collect()
}

/// Returns the causes at other field paths.
fn elsewhere(causes: &[Cause], places: &HashSet<String>) -> Vec<Cause> {
    let others = causes
        .iter()
        .filter(|[_, field, _]| !places.contains(field));
    others.cloned().collect()
}

/// Returns the response without the causes at these field paths.
fn without_places(answer: &Answer, places: &HashSet<String>) -> Answer {
    let mut answer = answer.clone();
    if let Some(causes) = answer.body["details"]["causes"].as_array_mut() {
        causes.retain(|cause| !places.contains(&text(&cause["field"])));
    }
    answer
}

/// Returns the response without repeated causes about metadata.
fn without_repeats(answer: &Answer) -> Answer {
    let mut answer = answer.clone();
    if let Some(causes) = answer.body["details"]["causes"].as_array_mut() {
        let mut said = HashSet::new();
        causes.retain(|cause| {
            !text(&cause["field"]).starts_with("metadata") || said.insert(cause.to_string())
        });
    }
    answer
}

/// Returns the response without the empty key in field paths such as `status..b`.
fn without_empty_keys(answer: &Answer) -> Answer {
    let mut answer = answer.clone();
    if let Some(causes) = answer.body["details"]["causes"].as_array_mut() {
        for cause in causes {
            cause["field"] = text(&cause["field"]).replace("status..", "status.").into();
        }
    }
    answer
}

/// Returns true if the causes differ only in the names that the server's messages give to unnamed
/// Go types. Both must be sorted.
pub(crate) fn is_type_name(server: &[Cause], ours: &[Cause]) -> bool {
    let plain = |[reason, field, message]: &Cause| {
        [reason.clone(), field.clone(), type_name::plain(message)]
    };
    let mut server: Vec<Cause> = server.iter().map(plain).collect();
    server.sort();
    server == ours
}

/// Returns true if the causes differ only at defaults inside of metadata. There the server reports
/// errors of the whole resource, and we report the errors of any other default.
pub(crate) fn is_metadata_default(server: &[Cause], ours: &[Cause]) -> bool {
    let of_metadata = |[_, _, message]: &&Cause| message.contains("must result in valid metadata");
    let fields: HashSet<&String> = server
        .iter()
        .filter(of_metadata)
        .map(|[_, field, _]| field)
        .collect();
    let rest = |causes: &[Cause]| -> Vec<Cause> {
        let is_other =
            |[_, field, _]: &&Cause| !fields.iter().any(|place| field.starts_with(place.as_str()));
        causes.iter().filter(is_other).cloned().collect()
    };
    !fields.is_empty() && rest(server) == rest(ours)
}
