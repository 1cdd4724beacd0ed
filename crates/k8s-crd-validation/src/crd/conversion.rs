//! Conversion between versions, and the webhook that converts.

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
/// The review versions that a server can send.
const REVIEWS: [&str; 2] = ["v1", "v1beta1"];

/// Checks the conversion. On an update, invalid review versions and certificates are tolerated if
/// the old CRD has invalid ones too.
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
        let recognizes = old.is_none_or(|old| is_recognized(&old.conversion));
        check_webhook(conversion, recognizes, &at, errors);
        if old
            .is_some_and(|old| is_established(old) && ca_bundle_problem(&old.conversion).is_none())
        {
            check_bundle(conversion, &at, errors);
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

/// Returns true if a server knows at least one of the review versions, or if the conversion does
/// not list any.
fn is_recognized(conversion: &CrdConversion<'_>) -> bool {
    let versions = conversion.review_versions();
    versions.is_empty() || versions.iter().any(is_known)
}

fn is_known(version: &Value) -> bool {
    version
        .as_str()
        .is_some_and(|version| REVIEWS.contains(&version))
}

fn check_webhook(
    conversion: &CrdConversion<'_>,
    recognizes: bool,
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
    if recognizes && !versions.iter().any(is_known) {
        let found = BadValue::Formatted(GoJson(&versions.into()).to_string());
        let detail = format!("must include at least one of {}", REVIEWS.join(", "));
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

/// Returns the problem with the certificates, or `None` if they are valid or absent.
fn ca_bundle_problem(conversion: &CrdConversion<'_>) -> Option<&'static str> {
    let bundle = conversion.client?.string("caBundle");
    Some(bundle)
        .filter(|bundle| !bundle.is_empty())
        .and_then(ca_bundle::find_problem)
}

/// Checks the certificates. Seen: a server does not check them in a new CRD, nor in a CRD that is
/// not established.
fn check_bundle(conversion: &CrdConversion<'_>, at: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    let (Some(client), Some(problem)) = (conversion.client, ca_bundle_problem(conversion)) else {
        return;
    };
    let found = BadValue::Quoted(client.string("caBundle").to_owned());
    let detail = format!("unable to load root certificates: {problem}");
    let at = at.field("webhookClientConfig");
    let at = at.field("caBundle");
    errors.push(at.violation(ViolationKind::Invalid, found, &detail));
}

fn check_url(text: &str, at: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    const FORM: &str = "; desired format: https://host[/path]";
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(problem) => {
            let detail = format!("url must be a valid URL: {problem}{FORM}");
            errors.push(at.required(&detail));
            return;
        }
    };
    let mut invalid = |found: BadValue, detail: &str| {
        errors.push(at.violation(ViolationKind::Invalid, found, detail));
    };
    if url.scheme != "https" {
        let detail = format!("'https' is the only allowed URL scheme{FORM}");
        invalid(BadValue::Quoted(url.scheme), &detail);
    }
    if url.host.is_empty() {
        invalid(
            BadValue::Quoted(String::new()),
            &format!("host must be specified{FORM}"),
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
            Ok(text) => BadValue::Quoted(text),
            Err(other) => BadValue::Formatted(QuotedBytes(other.as_bytes()).to_string()),
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
    // Seen: if one of the fields is missing, a server reports the other.
    for (field, named) in [("name", "namespace"), ("namespace", "name")] {
        if service.string(field).is_empty() {
            errors.push(at.field(named).required(""));
        }
    }
    // The default port is the port of HTTPS.
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
    // Seen: the first character is skipped, whatever it is.
    let segments = chars.as_str();
    let segments = segments.strip_suffix('/').unwrap_or(segments);
    for (i, segment) in segments.split('/').enumerate() {
        if segment.is_empty() {
            invalid(&format!("segment[{i}] may not be empty"));
            continue;
        }
        for wrong in check_dns1123_subdomain(segment) {
            invalid(&format!("segment[{i}]: {wrong}"));
        }
    }
}
