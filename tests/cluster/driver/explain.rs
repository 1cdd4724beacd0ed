//! Where we and a server differ, and `tests/reference/DIFFERENCES.md` says why: under these names.

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

/// What CEL says of an element that is none of its list's schema: an old one, which is tolerated.
const NO_ELEMENT: &str = "invalid data, expected";

/// What the server says where its own code panicked.
const PANIC: &str = "hash of unhashable type";

/// What explains that the server's answer is another one than ours. `agrees`: whether an answer, and causes in the place of ours,
/// were the same.
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
    // All but what is said of the places where it panicked has to be the same.
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
    // Here both sides have something to say of each place.
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

/// Whether an object cannot be read: the first of several fields that say so ends the work.
pub(crate) fn is_unreadable(causes: &[Cause]) -> bool {
    causes.iter().any(|[reason, ..]| reason == "BadRequest")
}

/// The places of which something is said.
fn places(causes: &[Cause], what: &str) -> HashSet<String> {
    let about = causes
        .iter()
        .filter(|[_, _, message]| message.contains(what));
    about.map(|[_, field, _]| field.clone()).collect()
}

/// What is said of other places.
fn elsewhere(causes: &[Cause], places: &HashSet<String>) -> Vec<Cause> {
    let others = causes
        .iter()
        .filter(|[_, field, _]| !places.contains(field));
    others.cloned().collect()
}

/// The answer without what it says of some places.
fn without_places(answer: &Answer, places: &HashSet<String>) -> Answer {
    let mut answer = answer.clone();
    if let Some(causes) = answer.body["details"]["causes"].as_array_mut() {
        causes.retain(|cause| !places.contains(&text(&cause["field"])));
    }
    answer
}

/// The answer with what it says about metadata said once.
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

/// The answer with the empty key left out of places such as `status..b`.
fn without_empty_keys(answer: &Answer) -> Answer {
    let mut answer = answer.clone();
    if let Some(causes) = answer.body["details"]["causes"].as_array_mut() {
        for cause in causes {
            cause["field"] = text(&cause["field"]).replace("status..", "status.").into();
        }
    }
    answer
}

/// Whether the two differ in what the server calls types that have no name; both are sorted.
pub(crate) fn is_type_name(server: &[Cause], ours: &[Cause]) -> bool {
    let plain = |[reason, field, message]: &Cause| {
        [reason.clone(), field.clone(), type_name::plain(message)]
    };
    let mut server: Vec<Cause> = server.iter().map(plain).collect();
    server.sort();
    server == ours
}

/// Whether the server says of a default inside of metadata what happens to the whole resource, and we what we say of any.
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
