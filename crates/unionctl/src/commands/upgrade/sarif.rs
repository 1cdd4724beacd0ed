//! The SARIF output of `unionctl upgrade`.

use serde_json::Value;

use super::report::{
    BREAKING, CHANGED, Cause, CauseGroup, ChangeReply, LocatedFinding, UpgradeReport,
};
use crate::output::sarif::{self, SarifLevel, SarifResult};

/// The rule of a difference without a known cause.
const UNKNOWN_CAUSE: &str = "unknown-cause";

pub(super) fn sarif_log(report: &UpgradeReport) -> Value {
    let mut rules: Vec<(&str, String)> = Vec::new();
    for group in &report.groups {
        let description = match group.causes.first() {
            Some(cause) => format!("{}: {} ({})", cause.since, cause.description, cause.source),
            None => "no known change of Kubernetes explains the difference".to_owned(),
        };
        let id = rule_id(group);
        if !rules.iter().any(|(other, _)| *other == id) {
            rules.push((id, description));
        }
    }
    let results = report.groups.iter().flat_map(|group| {
        let findings = group.findings.iter();
        findings.map(|finding| sarif_result(report, group, finding))
    });
    sarif::log("upgrade", &rules, results)
}

/// Returns the identifier of the rule: the first cause.
fn rule_id(group: &CauseGroup) -> &str {
    let cause = group.causes.first();
    cause.map_or(UNKNOWN_CAUSE, |cause| &cause.code)
}

fn sarif_result(
    report: &UpgradeReport,
    group: &CauseGroup,
    finding: &LocatedFinding,
) -> SarifResult {
    let level = match finding.level {
        BREAKING => SarifLevel::Error,
        CHANGED => SarifLevel::Warning,
        _ => SarifLevel::Note,
    };
    let mut lines = vec![format!(
        "{} -> {}: {}",
        report.from, report.to, finding.object
    )];
    for (side, side_text) in [("before", &finding.before), ("after", &finding.after)] {
        let line = |text: &String| format!("{} {side}: {text}", finding.subject);
        lines.extend(side_text.as_ref().map(line));
    }
    lines.extend(finding.changes.iter().map(ChangeReply::line));
    let line = |cause: &Cause| {
        format!(
            "Cause: {}: {} ({})",
            cause.since, cause.description, cause.source
        )
    };
    lines.extend(group.causes.iter().map(line));
    SarifResult {
        rule_id: rule_id(group).to_owned(),
        level,
        message: lines.join("\n"),
        file: finding.file.clone(),
        position: finding.position,
        qualified_name: format!("{} {}", finding.object, finding.path),
        fingerprint: [
            rule_id(group),
            &finding.object,
            &finding.path,
            finding.subject,
            finding
                .after
                .as_deref()
                .or(finding.before.as_deref())
                .unwrap_or_default(),
        ]
        .join("|"),
    }
}
