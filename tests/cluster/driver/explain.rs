//! The known differences between our result and the server's, named as in
//! `tests/reference/DIFFERENCES.md`, which gives the reasons.

use std::collections::HashSet;

use crate::cluster::{Cause, ServerResponse, text};
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
const MALFORMED_ELEMENT: &str = "invalid data, expected";

/// The message of the server when its own code panicked.
const PANIC: &str = "hash of unhashable type";

/// Returns the name of the known difference that explains the server's response, if there is one.
///
/// `agrees` compares a response of the server with causes that replace `our_causes`.
pub(crate) fn known_difference(
    response: &ServerResponse,
    our_causes: &[Cause],
    agrees: impl Fn(&ServerResponse, &[Cause]) -> bool,
) -> Option<&'static str> {
    if agrees(&without_repeats(response), our_causes) {
        return Some(METADATA_REPEATS);
    }
    if agrees(&without_empty_keys(response), our_causes) {
        return Some(EMPTY_KEY);
    }
    // The causes at all other field paths must be equal.
    let causes = response.causes();
    let panicked_fields = fields_with_message(&causes, PANIC);
    if !panicked_fields.is_empty()
        && agrees(
            &without_fields(response, &panicked_fields),
            &causes_elsewhere(our_causes, &panicked_fields),
        )
    {
        return Some(UNHASHABLE);
    }
    // Both sides must have an error at each of these field paths.
    let mut malformed_fields = fields_with_message(&causes, MALFORMED_ELEMENT);
    malformed_fields.extend(fields_with_message(our_causes, MALFORMED_ELEMENT));
    let are_all_in = |causes: &[Cause]| {
        malformed_fields
            .iter()
            .all(|malformed| causes.iter().any(|[_, field, _]| field == malformed))
    };
    if !malformed_fields.is_empty()
        && are_all_in(&causes)
        && are_all_in(our_causes)
        && agrees(
            &without_fields(response, &malformed_fields),
            &causes_elsewhere(our_causes, &malformed_fields),
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
fn fields_with_message(causes: &[Cause], message_part: &str) -> HashSet<String> {
    let matching_causes = causes
        .iter()
        .filter(|[_, _, message]| message.contains(message_part));
    matching_causes.map(|[_, field, _]| field.clone()).collect()
}

/// Returns the causes at other field paths.
fn causes_elsewhere(causes: &[Cause], fields: &HashSet<String>) -> Vec<Cause> {
    let other_causes = causes
        .iter()
        .filter(|[_, field, _]| !fields.contains(field));
    other_causes.cloned().collect()
}

/// Returns the response without the causes at these field paths.
fn without_fields(response: &ServerResponse, fields: &HashSet<String>) -> ServerResponse {
    let mut response = response.clone();
    if let Some(causes) = response.body["details"]["causes"].as_array_mut() {
        causes.retain(|cause| !fields.contains(&text(&cause["field"])));
    }
    response
}

/// Returns the response without repeated causes about metadata.
fn without_repeats(response: &ServerResponse) -> ServerResponse {
    let mut response = response.clone();
    if let Some(causes) = response.body["details"]["causes"].as_array_mut() {
        let mut seen_causes = HashSet::new();
        causes.retain(|cause| {
            !text(&cause["field"]).starts_with("metadata") || seen_causes.insert(cause.to_string())
        });
    }
    response
}

/// Returns the response without the empty key in field paths such as `status..b`.
fn without_empty_keys(response: &ServerResponse) -> ServerResponse {
    let mut response = response.clone();
    if let Some(causes) = response.body["details"]["causes"].as_array_mut() {
        for cause in causes {
            cause["field"] = text(&cause["field"]).replace("status..", "status.").into();
        }
    }
    response
}

/// Returns true if the causes differ only in the names that the server's messages give to unnamed
/// Go types. Both must be sorted.
pub(crate) fn is_type_name(server_causes: &[Cause], our_causes: &[Cause]) -> bool {
    let with_plain_types = |[reason, field, message]: &Cause| {
        [reason.clone(), field.clone(), type_name::plain(message)]
    };
    let mut server_causes: Vec<Cause> = server_causes.iter().map(with_plain_types).collect();
    server_causes.sort();
    server_causes == our_causes
}

/// Returns true if the causes differ only at defaults inside of metadata. There the server reports
/// errors of the whole resource, and we report the errors of any other default.
pub(crate) fn is_metadata_default(server_causes: &[Cause], our_causes: &[Cause]) -> bool {
    let is_about_metadata =
        |[_, _, message]: &&Cause| message.contains("must result in valid metadata");
    let fields: HashSet<&String> = server_causes
        .iter()
        .filter(is_about_metadata)
        .map(|[_, field, _]| field)
        .collect();
    let causes_outside = |causes: &[Cause]| -> Vec<Cause> {
        let is_outside = |[_, field, _]: &&Cause| {
            !fields
                .iter()
                .any(|metadata_field| field.starts_with(metadata_field.as_str()))
        };
        causes.iter().filter(is_outside).cloned().collect()
    };
    !fields.is_empty() && causes_outside(server_causes) == causes_outside(our_causes)
}
