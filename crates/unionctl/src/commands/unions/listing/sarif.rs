//! The findings as SARIF 2.1.0, which code hosts show beside the source lines.

use std::fmt::Write as _;

use crd_unions::FindingCode;
use serde_json::Value;
use union_runtime::path::FieldPath;

use super::finding::ListedFinding;
use super::model::Listing;
use crate::input::Position;
use crate::judge::inferred_unions::display_path;
use crate::output::sarif::{self, SarifLevel, SarifResult};

/// The codes and descriptions of findings that `crd_unions` does not report.
const ADDITIONAL_RULES: [(&str, &str); 1] = [(
    "contradicts-declaration",
    "the rules declare another union than the annotation or `x-kubernetes-unions`",
)];

/// Returns the log of all findings in several files.
pub(super) fn sarif_log(listings: &[&Listing]) -> Value {
    let results = listings.iter().copied().flat_map(sarif_results);
    sarif::log("unions", &finding_rules(), results)
}

fn sarif_results(listing: &Listing) -> Vec<SarifResult> {
    let mut positions = listing.finding_positions().into_iter();
    let mut results = Vec::new();
    for kind in &listing.kinds {
        for version in &kind.versions {
            let title = format!("{} {}", kind.name, version.names.join(", "));
            for finding in version.objects.iter().flat_map(|object| &object.findings) {
                let position = positions.next().flatten();
                results.push(sarif_result(listing, finding, title.trim_end(), position));
            }
        }
    }
    results
}

/// Returns the codes and descriptions of all findings, as the rules of the SARIF log.
fn finding_rules() -> Vec<(&'static str, String)> {
    let codes = FindingCode::ALL
        .iter()
        .map(|code| (code.as_str(), code.description()));
    let rules = codes.chain(ADDITIONAL_RULES);
    rules
        .map(|(code, description)| (code, description.to_owned()))
        .collect()
}

fn sarif_result(
    listing: &Listing,
    finding: &ListedFinding,
    title: &str,
    position: Option<Position>,
) -> SarifResult {
    let mut message = format!(
        "{title}, {}: {}",
        display_path(&finding.path),
        finding.message
    );
    if let Some(example) = finding.example_line() {
        let _ = write!(message, ": {example}");
    }
    if !finding.remedy.is_empty() {
        let _ = write!(message, "\nRemedy: {}", finding.remedy);
    }
    let fields: Vec<&str> = finding.fields.iter().map(FieldPath::as_str).collect();
    let fingerprint = [
        title,
        &finding.path,
        finding.code,
        &fields.join(","),
        &finding.message,
    ];
    let level = if finding.is_strong() {
        SarifLevel::Error
    } else {
        SarifLevel::Note
    };
    SarifResult {
        rule_id: finding.code.to_owned(),
        level,
        message,
        file: listing.file.clone(),
        position,
        qualified_name: format!("{title} {}", display_path(&finding.path)),
        fingerprint: fingerprint.join("|"),
    }
}
