//! Validation of the conversion between versions, and of the conversion webhook.

use serde_json::Value;

use super::ca_bundle;
use super::definition::{CrdConversion, CrdDefinition};
use super::names::{self, check_one_of};
use super::update::is_established;
use crate::metadata::meta::ObjectFields;
use crate::metadata::meta::names::check_dns1123_subdomain;
use crate::schema::crd_path::CrdPath;
use k8s_cel::{Feature, KubeVersion};
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
    version: KubeVersion,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    let conversion = &crd.conversion;
    let path = path.field("conversion");
    let strategy_path = path.field("strategy");
    if crd.preserves_unknown && conversion.strategy != "None" {
        let bad_value = BadValue::Quoted(conversion.strategy.to_owned());
        let detail = "must be None if spec.preserveUnknownFields is true";
        errors.push(strategy_path.violation(ViolationKind::Invalid, bad_value, detail));
    }
    check_one_of(
        conversion.strategy,
        &["None", WEBHOOK],
        &strategy_path,
        errors,
    );
    if conversion.strategy == WEBHOOK {
        let checks_review_versions = old.is_none_or(|old| accepts_review_versions(&old.conversion));
        check_webhook(conversion, checks_review_versions, &path, errors);
        let has_valid_bundle =
            |old| is_established(old) && ca_bundle_problem(&old.conversion).is_none();
        if version.has(Feature::CaBundles) && old.is_some_and(has_valid_bundle) {
            check_ca_bundle(conversion, &path, errors);
        }
        return;
    }
    let detail = "should not be set when strategy is not set to Webhook";
    if conversion.client.is_some() {
        errors.push(path.field("webhookClientConfig").forbidden(detail));
    }
    if !conversion.review_versions().is_empty() {
        errors.push(path.field("conversionReviewVersions").forbidden(detail));
    }
}

/// Returns true if a server knows one of the review versions, or if the list is empty.
fn accepts_review_versions(conversion: &CrdConversion<'_>) -> bool {
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
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    let client_path = path.field("webhookClientConfig");
    match conversion.client {
        None => {
            errors.push(client_path.required("required when strategy is set to Webhook"));
        }
        Some(client) => check_client(client, &client_path, errors),
    }
    let field = "conversionReviewVersions";
    let versions = conversion.review_versions();
    if versions.is_empty() {
        errors.push(path.field(field).required(""));
        return;
    }
    names::check_unique_labels(versions, path, field, errors);
    if checks_review_versions && !versions.iter().any(is_known_review_version) {
        let bad_value = BadValue::Formatted(GoJson(&versions.into()).to_string());
        let detail = format!(
            "must include at least one of {}",
            REVIEW_VERSIONS.join(", ")
        );
        errors.push(
            path.field(field)
                .violation(ViolationKind::Invalid, bad_value, &detail),
        );
    }
}

/// Checks that the client configuration has either a URL or a service.
fn check_client(client: ObjectFields<'_>, path: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    match (client.get("url"), client.get("service")) {
        (Some(url), None) => {
            check_url(url.as_str().unwrap_or_default(), &path.field("url"), errors);
        }
        (None, Some(service)) => {
            check_service(
                ObjectFields::new(Some(service)),
                &path.field("service"),
                errors,
            );
        }
        _ => errors.push(path.required("exactly one of url or service is required")),
    }
}

/// Returns the error message for the CA bundle, or `None` if the CA bundle is valid or missing.
fn ca_bundle_problem(conversion: &CrdConversion<'_>) -> Option<&'static str> {
    let bundle = conversion.client?.string("caBundle");
    ca_bundle::find_bundle_problem(bundle)
}

/// Checks the CA bundle. Servers check the bundle only in updates of established CRDs.
fn check_ca_bundle(
    conversion: &CrdConversion<'_>,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    let (Some(client), Some(error)) = (conversion.client, ca_bundle_problem(conversion)) else {
        return;
    };
    let bad_value = BadValue::Quoted(ca_bundle::to_canonical(client.string("caBundle")));
    let detail = format!("unable to load root certificates: {error}");
    let client_path = path.field("webhookClientConfig");
    let bundle_path = client_path.field("caBundle");
    errors.push(bundle_path.violation(ViolationKind::Invalid, bad_value, &detail));
}

fn check_url(url_string: &str, path: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    const EXPECTED_FORMAT: &str = "; desired format: https://host[/path]";
    let url = match Url::parse(url_string) {
        Ok(url) => url,
        Err(error) => {
            let detail = format!("url must be a valid URL: {error}{EXPECTED_FORMAT}");
            errors.push(path.required(&detail));
            return;
        }
    };
    let mut invalid = |bad_value: BadValue, detail: &str| {
        errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
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
        let bad_value = match String::from_utf8(url.fragment) {
            Ok(fragment) => BadValue::Quoted(fragment),
            Err(error) => BadValue::Formatted(QuotedBytes(error.as_bytes()).to_string()),
        };
        invalid(bad_value, "fragments are not permitted in the URL");
    }
    if !url.raw_query.is_empty() {
        invalid(
            BadValue::Quoted(url.raw_query),
            "query parameters are not permitted in the URL",
        );
    }
}

fn check_service(service: ObjectFields<'_>, path: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    // If one of the two fields is missing, servers report the error at the other field.
    for (field, reported_field) in [("name", "namespace"), ("namespace", "name")] {
        if service.string(field).is_empty() {
            errors.push(path.field(reported_field).required(""));
        }
    }
    // A missing port is 443, which is valid.
    if service.get("port").is_some() && !(1..=65535).contains(&service.integer("port")) {
        let bad_value = BadValue::Formatted(service.integer("port").to_string());
        let detail = "port is not valid: must be between 1 and 65535, inclusive";
        errors.push(
            path.field("port")
                .violation(ViolationKind::Invalid, bad_value, detail),
        );
    }
    check_path(service.string("path"), &path.field("path"), errors);
}

fn check_path(url_path: &str, path: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    let mut invalid = |detail: &str| {
        let bad_value = BadValue::Quoted(url_path.to_owned());
        errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
    };
    if url_path.is_empty() || url_path == "/" {
        return;
    }
    let mut chars = url_path.chars();
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
