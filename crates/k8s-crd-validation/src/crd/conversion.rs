//! Validation of the conversion between versions, and of the conversion webhook.

use serde_json::Value;

use super::ca_bundle;
use super::definition::{CrdConversion, CrdDefinition};
use super::names::{self, check_one_of};
use super::update::is_established;
use crate::metadata::meta::Fields;
use crate::metadata::meta::names::check_dns1123_subdomain;
use crate::schema::crd_path::CrdPath;
use k8s_go_text::net::QuotedBytes;
use k8s_go_text::net::url::Url;
use k8s_json_internals::print::GoJson;
use union_runtime::{BadValue, Violation, ViolationKind};

const WEBHOOK: &str = "Webhook";
/// The versions of `ConversionReview` that an API server can send.
const REVIEW_VERSIONS: [&str; 2] = ["v1", "v1beta1"];

/// Checks the conversion. An update may keep unknown review versions and an invalid CA bundle: both
/// are checked only if the old CRD passes the same check.
pub(super) fn check(
    crd: &CrdDefinition<'_>,
    old: Option<&CrdDefinition<'_>>,
    at: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    let conversion = &crd.conversion;
    let at = at.field("conversion");
    let at_strategy = at.field("strategy");
    if crd.preserves_unknown && conversion.strategy != "None" {
        let found = BadValue::Quoted(conversion.strategy.to_owned());
        let detail = "must be None if spec.preserveUnknownFields is true";
        errors.push(at_strategy.violation(ViolationKind::Invalid, found, detail));
    }
    check_one_of(
        conversion.strategy,
        &["None", WEBHOOK],
        &at_strategy,
        errors,
    );
    if conversion.strategy == WEBHOOK {
        let checks_review_versions =
            old.is_none_or(|old| has_known_review_version(&old.conversion));
        check_webhook(conversion, checks_review_versions, &at, errors);
        if old
            .is_some_and(|old| is_established(old) && ca_bundle_problem(&old.conversion).is_none())
        {
            check_ca_bundle(conversion, &at, errors);
        }
        return;
    }
    let detail = "should not be set when strategy is not set to Webhook";
    if conversion.client.is_some() {
        errors.push(at.field("webhookClientConfig").forbidden(detail));
    }
    if !conversion.review_versions().is_empty() {
        errors.push(at.field("conversionReviewVersions").forbidden(detail));
    }
}

/// Returns true if a server knows one of the review versions, or if the list is empty.
fn has_known_review_version(conversion: &CrdConversion<'_>) -> bool {
    let versions = conversion.review_versions();
    versions.is_empty() || versions.iter().any(is_known_review_version)
}

fn is_known_review_version(version: &Value) -> bool {
    version
        .as_str()
        .is_some_and(|version| REVIEW_VERSIONS.contains(&version))
}

/// Checks the webhook. `checks_review_versions` is false if the old CRD has only unknown review
/// versions.
fn check_webhook(
    conversion: &CrdConversion<'_>,
    checks_review_versions: bool,
    at: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    let at_client = at.field("webhookClientConfig");
    match conversion.client {
        None => {
            errors.push(at_client.required("required when strategy is set to Webhook"));
        }
        Some(client) => check_client(client, &at_client, errors),
    }
    let field = "conversionReviewVersions";
    let versions = conversion.review_versions();
    if versions.is_empty() {
        errors.push(at.field(field).required(""));
        return;
    }
    names::check_unique_labels(versions, at, field, errors);
    if checks_review_versions && !versions.iter().any(is_known_review_version) {
        let found = BadValue::Formatted(GoJson(&versions.into()).to_string());
        let detail = format!(
            "must include at least one of {}",
            REVIEW_VERSIONS.join(", ")
        );
        errors.push(
            at.field(field)
                .violation(ViolationKind::Invalid, found, &detail),
        );
    }
}

fn check_client(client: Fields<'_>, at: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    match (client.get("url"), client.get("service")) {
        (Some(url), None) => check_url(url.as_str().unwrap_or_default(), &at.field("url"), errors),
        (None, Some(service)) => {
            check_service(Fields::new(Some(service)), &at.field("service"), errors);
        }
        _ => errors.push(at.required("exactly one of url or service is required")),
    }
}

/// Returns the error message for the CA bundle, or `None` if the CA bundle is valid or missing.
fn ca_bundle_problem(conversion: &CrdConversion<'_>) -> Option<&'static str> {
    let bundle = conversion.client?.string("caBundle");
    Some(bundle)
        .filter(|bundle| !bundle.is_empty())
        .and_then(ca_bundle::find_problem)
}

/// Checks the CA bundle. Servers check the bundle only in updates of established CRDs.
fn check_ca_bundle(conversion: &CrdConversion<'_>, at: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    let (Some(client), Some(error)) = (conversion.client, ca_bundle_problem(conversion)) else {
        return;
    };
    let found = BadValue::Quoted(client.string("caBundle").to_owned());
    let detail = format!("unable to load root certificates: {error}");
    let at = at.field("webhookClientConfig");
    let at = at.field("caBundle");
    errors.push(at.violation(ViolationKind::Invalid, found, &detail));
}

fn check_url(url_string: &str, at: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    const EXPECTED_FORMAT: &str = "; desired format: https://host[/path]";
    let url = match Url::parse(url_string) {
        Ok(url) => url,
        Err(error) => {
            let detail = format!("url must be a valid URL: {error}{EXPECTED_FORMAT}");
            errors.push(at.required(&detail));
            return;
        }
    };
    let mut invalid = |found: BadValue, detail: &str| {
        errors.push(at.violation(ViolationKind::Invalid, found, detail));
    };
    if url.scheme != "https" {
        let detail = format!("'https' is the only allowed URL scheme{EXPECTED_FORMAT}");
        invalid(BadValue::Quoted(url.scheme), &detail);
    }
    if url.host.is_empty() {
        invalid(
            BadValue::Quoted(String::new()),
            &format!("host must be specified{EXPECTED_FORMAT}"),
        );
    }
    if let Some(user) = url.user {
        invalid(
            BadValue::Quoted(user),
            "user information is not permitted in the URL",
        );
    }
    if !url.fragment.is_empty() {
        let found = match String::from_utf8(url.fragment) {
            Ok(fragment) => BadValue::Quoted(fragment),
            Err(error) => BadValue::Formatted(QuotedBytes(error.as_bytes()).to_string()),
        };
        invalid(found, "fragments are not permitted in the URL");
    }
    if !url.raw_query.is_empty() {
        invalid(
            BadValue::Quoted(url.raw_query),
            "query parameters are not permitted in the URL",
        );
    }
}

fn check_service(service: Fields<'_>, at: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    // If one of the two fields is missing, servers report the error at the other field.
    for (field, reported) in [("name", "namespace"), ("namespace", "name")] {
        if service.string(field).is_empty() {
            errors.push(at.field(reported).required(""));
        }
    }
    // A missing port is 443, which is valid.
    if service.get("port").is_some() && !(1..=65535).contains(&service.integer("port")) {
        let found = BadValue::Formatted(service.integer("port").to_string());
        let detail = "port is not valid: must be between 1 and 65535, inclusive";
        errors.push(
            at.field("port")
                .violation(ViolationKind::Invalid, found, detail),
        );
    }
    check_path(service.string("path"), &at.field("path"), errors);
}

fn check_path(path: &str, at: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    let mut invalid = |detail: &str| {
        let found = BadValue::Quoted(path.to_owned());
        errors.push(at.violation(ViolationKind::Invalid, found, detail));
    };
    if path.is_empty() || path == "/" {
        return;
    }
    let mut chars = path.chars();
    if chars.next() != Some('/') {
        invalid("must start with a '/'");
    }
    // Servers skip the first character, even if it is not a slash.
    let segments = chars.as_str();
    let segments = segments.strip_suffix('/').unwrap_or(segments);
    for (i, segment) in segments.split('/').enumerate() {
        if segment.is_empty() {
            invalid(&format!("segment[{i}] may not be empty"));
            continue;
        }
        for detail in check_dns1123_subdomain(segment) {
            invalid(&format!("segment[{i}]: {detail}"));
        }
    }
}
