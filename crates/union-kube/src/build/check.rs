//! Checks of CRDs and samples with an API server's rules.

use core::fmt::Write as _;

use serde_json::Value;

use super::sample::Sample;
use crate::crd::Crd;
use k8s_crd_validation::{ServerSettings, StructuralSchema, cost_report};
use union_json::document::{self, CrdVersion};

/// Returns the errors that an API server would report for a CRD, and the bounds that make its rules
/// cheap enough. Returns `None` if the server would accept the CRD.
pub(super) fn check_crd(crd: &Crd) -> Option<String> {
    let report = crd.lint();
    if report.is_accepted() {
        return None;
    }
    let mut message = format!("an API server would reject the CRD {}:", crd.name());
    for error in report.errors() {
        // Writing to a String cannot fail.
        let _ = write!(message, "\n  {error}");
    }
    let versions = document::Crd::new(crd.for_cluster()).versions();
    let schemas = versions.filter_map(CrdVersion::schema);
    for report in schemas.filter_map(|schema| cost_report(schema).ok()) {
        let costly_rules = report
            .rules
            .iter()
            .filter(|rule| !rule.remedies.is_empty() || !rule.is_within_limit());
        for rule in costly_rules {
            let _ = write!(message, "\n{}", indent(&rule.to_string()));
        }
    }
    Some(message)
}

fn indent(string: &str) -> String {
    let lines: Vec<String> = string.lines().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}

/// Returns a message if a sample is not accepted or rejected as declared.
pub(super) fn check_sample(sample: &Sample, crds: &[Crd]) -> Option<String> {
    let Sample {
        file,
        object,
        is_accepted,
    } = sample;
    let string_field = |field: &str| {
        object
            .get(field)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let (group, version) = string_field("apiVersion")
        .split_once('/')
        .unwrap_or_default();
    let kind = string_field("kind");
    let defines_sample = |crd: &&Crd| {
        let crd_document = crd.as_document();
        crd_document.group() == Some(group) && crd_document.kind() == Some(kind)
    };
    let matching_crd = crds.iter().find(defines_sample);
    let Some(crd) = matching_crd else {
        let names: Vec<&str> = crds.iter().map(Crd::name).collect();
        return Some(format!(
            "no CRD matches the sample {file} with kind {kind:?} and group {group:?}; the CRDs are: {}",
            names.join(", ")
        ));
    };
    let schema = match StructuralSchema::compiler().crd(crd.for_cluster(), Some(version)) {
        Ok(schema) => schema,
        Err(errors) => return Some(format!("the sample {file}: {errors}")),
    };
    let mut request = object.clone();
    // Clients set the namespace "default" if the object has none.
    if crd.as_document().is_namespaced()
        && let Some(metadata) = request.get_mut("metadata").and_then(Value::as_object_mut)
    {
        metadata
            .entry("namespace")
            .or_insert_with(|| "default".into());
    }
    let outcome = schema.create(&mut request, &ServerSettings::default());
    match (outcome.is_accepted(), is_accepted) {
        (true, false) => Some(format!(
            "the sample {file} should be rejected, but an API server accepts it; make the sample invalid, or pass it to `accepted_sample`"
        )),
        (false, true) => {
            let errors: Vec<String> = outcome.errors().iter().map(ToString::to_string).collect();
            Some(format!(
                "the sample {file} should be accepted, but an API server rejects it:\n  {}",
                errors.join("\n  ")
            ))
        }
        _ => None,
    }
}
