//! The SARIF output of `unionctl compat`.

use core::hash::Hasher as _;
use std::collections::BTreeSet;

use crd_compat::Level;
use fnv::FnvHasher;
use serde_json::{Value, json};
use union_compat::{Finding, Severity};

use super::changes::ChangeInFiles;
use super::report::{Comparison, CompatSummary, REMOVED, RemovedCrd};
use crate::output::sarif::{self, SarifLevel, SarifResult};

pub(super) fn sarif_log(summary: &CompatSummary) -> Value {
    let comparisons = summary.comparisons.iter();
    let findings = comparisons.flat_map(|comparison| {
        let findings = comparison.report.findings.iter();
        let findings = findings.enumerate();
        findings.map(|(index, finding)| finding_result(comparison, index, finding))
    });
    let changes = summary.comparisons.iter().flat_map(|comparison| {
        let report = &comparison.report;
        let title = format!("{} -> {}", report.old, report.new);
        let findings = comparison.changes.findings.iter();
        findings.map(move |change| change_result(&comparison.crd, &title, change))
    });
    let outside_schemas = summary.outside_schemas.iter();
    let outside_schemas = outside_schemas.flat_map(|outside| {
        let findings = outside.findings.iter();
        findings.map(|change| change_result(&outside.crd, &outside.kind, change))
    });
    let removed_crds = summary.removed_crds.iter().map(removed_result);
    let results = findings.chain(changes).chain(outside_schemas);
    let results: Vec<SarifResult> = results.chain(removed_crds).collect();
    let rule_ids = results.iter().map(|result| result.rule_id.clone());
    let rule_ids: BTreeSet<String> = rule_ids.collect();
    let rules = rule_ids
        .iter()
        .map(|id| (id.as_str(), id.replace('-', " ")));
    sarif::log("compat", &rules.collect::<Vec<_>>(), results)
}

fn finding_result(comparison: &Comparison, index: usize, finding: &Finding) -> SarifResult {
    let report = &comparison.report;
    let title = format!("{} -> {}", report.old, report.new);
    let rule_id = finding.code.as_str();
    let places = comparison.places.get(index);
    SarifResult {
        rule_id: rule_id.to_owned(),
        level: match finding.severity {
            Severity::Breaking => SarifLevel::Error,
            _ => SarifLevel::Warning,
        },
        message: format!("{title}: {}", finding.lines().join("\n")),
        file: places.map_or_else(String::new, |places| places.file.clone()),
        position: places.and_then(|places| places.position),
        qualified_name: format!("{title} {}", finding.path).trim_end().to_owned(),
        fingerprint: fingerprint(
            &[rule_id, &comparison.crd, &title, &finding.pointer],
            &json!(finding.subjects).to_string(),
        ),
    }
}

fn change_result(crd: &str, title: &str, change: &ChangeInFiles) -> SarifResult {
    let finding = &change.finding;
    SarifResult {
        rule_id: finding.code.to_owned(),
        level: match finding.level {
            Level::Breaking => SarifLevel::Error,
            Level::Tolerated => SarifLevel::Warning,
            _ => SarifLevel::Note,
        },
        message: format!("{title}: {}", finding.lines().join("\n")),
        file: change.places.file.clone(),
        position: change.places.position,
        qualified_name: format!("{title} {}", finding.path).trim_end().to_owned(),
        fingerprint: fingerprint(
            &[finding.code, crd, title, &finding.place.to_string()],
            &finding.identity(),
        ),
    }
}

/// Returns a fingerprint of the parts that identify a finding. The last part may be long, so the
/// fingerprint has its hash (FNV-1a), which is the same in each release.
fn fingerprint(parts: &[&str], identity: &str) -> String {
    let mut hasher = FnvHasher::default();
    hasher.write(identity.as_bytes());
    format!("{}|{:016x}", parts.join("|"), hasher.finish())
}

fn removed_result(removed_crd: &RemovedCrd) -> SarifResult {
    let RemovedCrd { title, file } = removed_crd;
    SarifResult {
        rule_id: REMOVED.to_owned(),
        level: SarifLevel::Error,
        message: format!("{title} was removed; a server deletes its objects"),
        file: file.clone(),
        position: None,
        qualified_name: title.clone(),
        fingerprint: [REMOVED, title].join("|"),
    }
}
