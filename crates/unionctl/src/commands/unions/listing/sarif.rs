//! The findings as SARIF 2.1.0, which code hosts show beside the source lines.

use std::fmt::Write as _;

use crd_unions::FindingCode;
use serde_json::{Value, json};
use union_runtime::path::FieldPath;

use super::finding::ListedFinding;
use super::model::Listing;
use crate::input::Position;
use crate::judge::inferred_unions::display_path;

const SARIF_SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The codes and descriptions of findings that `crd_unions` does not report.
const ADDITIONAL_RULES: [(&str, &str); 1] = [(
    "contradicts-declaration",
    "the rules declare another union than the annotation or `x-kubernetes-unions`",
)];

pub(super) fn sarif_log(listing: &Listing) -> Value {
    let rules = finding_rules();
    let codes: Vec<&str> = rules.iter().map(|(code, _)| *code).collect();
    let mut positions = listing.finding_positions().into_iter();
    let mut results = Vec::new();
    for kind in &listing.kinds {
        for version in &kind.versions {
            let title = format!("{} {}", kind.name, version.names.join(", "));
            for finding in version.objects.iter().flat_map(|object| &object.findings) {
                let position = positions.next().flatten();
                results.push(sarif_result(
                    listing,
                    finding,
                    title.trim_end(),
                    &codes,
                    position,
                ));
            }
        }
    }
    let rules: Vec<Value> = rules
        .iter()
        .map(|(id, description)| json!({"id": id, "shortDescription": {"text": description}}))
        .collect();
    let driver = json!({
        "name": "unionctl",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    json!({
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// Returns the codes and descriptions of all findings, as the rules of the SARIF log.
fn finding_rules() -> Vec<(&'static str, &'static str)> {
    let codes = FindingCode::ALL
        .iter()
        .map(|code| (code.as_str(), code.description()));
    codes.chain(ADDITIONAL_RULES).collect()
}

fn sarif_result(
    listing: &Listing,
    finding: &ListedFinding,
    title: &str,
    codes: &[&str],
    position: Option<Position>,
) -> Value {
    let position = position.unwrap_or(Position { line: 1, column: 1 });
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
    json!({
        "ruleId": finding.code,
        "ruleIndex": codes.iter().position(|code| *code == finding.code),
        "level": if finding.is_strong() { "error" } else { "note" },
        "message": {"text": message},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": file_uri(&listing.file)},
                "region": {"startLine": position.line, "startColumn": position.column},
            },
            "logicalLocations": [{"fullyQualifiedName": format!("{title} {}", display_path(&finding.path))}],
        }],
        // The fingerprint has no line number, so that it stays the same if lines move.
        "partialFingerprints": {"unionctl/v1": fingerprint.join("|")},
    })
}

/// Returns a path as a URI. A relative path remains relative, because code hosts resolve it in the
/// repository.
fn file_uri(file: &str) -> String {
    let mut uri = String::new();
    if file.starts_with('/') {
        uri += "file://";
    }
    let file = file.strip_prefix("./").unwrap_or(file);
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}
