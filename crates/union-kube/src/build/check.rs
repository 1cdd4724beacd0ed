//! The checks of CRDs and samples by an API server's rules, with messages for the author.

use core::fmt::Write as _;

use serde_json::Value;

use super::sample::Sample;
use crate::crd::Crd;
use k8s_crd_validation::{ServerSettings, StructuralSchema, cost_report};
use union_json::document::{self, CrdVersion};

/// Returns the errors of an API server for a CRD, with the bounds that its rules need.
pub(super) fn check_crd(crd: &Crd) -> Option<String> {
    let report = crd.lint();
    if report.is_accepted() {
        return None;
    }
    let mut text = format!("an API server would reject the CRD {}:", crd.name());
    for error in report.errors() {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n  {error}");
    }
    let versions = document::Crd::new(crd.for_cluster()).versions();
    let schemas = versions.filter_map(CrdVersion::schema);
    for report in schemas.filter_map(|schema| cost_report(schema).ok()) {
        let dear = report
            .rules
            .iter()
            .filter(|rule| !rule.remedies.is_empty() || !rule.is_within_limit());
        for rule in dear {
            let _ = write!(text, "\n{}", indent(&rule.to_string()));
        }
    }
    Some(text)
}

fn indent(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}

/// Returns a message if a sample is not accepted or rejected as declared.
pub(super) fn check_sample(sample: &Sample, crds: &[Crd]) -> Option<String> {
    let Sample {
        file,
        object,
        is_accepted,
    } = sample;
    let text = |field: &str| {
        object
            .get(field)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let (group, version) = text("apiVersion").split_once('/').unwrap_or_default();
    let kind = text("kind");
    let is_it = |crd: &&Crd| {
        let declared = crd.as_document();
        declared.group() == Some(group) && declared.kind() == Some(kind)
    };
    let found = crds.iter().find(is_it);
    let Some(crd) = found else {
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
    // Clients set the default namespace if none is given.
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
            "the sample {file} should be rejected, but an API server accepts it; make the sample invalid, or declare it as `accepted`"
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
