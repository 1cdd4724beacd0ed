//! The findings as SARIF 2.1.0, which code hosts show at their lines.

use std::fmt::Write as _;

use crd_unions::FindingCode;
use serde_json::{Value, json};
use union_runtime::path::FieldPath;

use super::finding::ListedFinding;
use super::model::Listing;
use crate::input::Position;
use crate::judge::inferred_unions::display_path;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The codes of remarks that are not codes of `crd_unions`.
const OTHER_RULES: [(&str, &str); 1] = [(
    "contradicts-declaration",
    "the rules declare another union than the annotation or `x-kubernetes-unions`",
)];

pub(super) fn sarif_log(listing: &Listing) -> Value {
    let rules = rules();
    let names: Vec<&str> = rules.iter().map(|(name, _)| *name).collect();
    let mut positions = listing.finding_positions().into_iter();
    let mut results = Vec::new();
    for kind in &listing.kinds {
        for version in &kind.versions {
            let names_of = format!("{} {}", kind.name, version.names.join(", "));
            for remark in version.objects.iter().flat_map(|place| &place.findings) {
                let at = positions.next().flatten();
                results.push(result(listing, remark, names_of.trim_end(), &names, at));
            }
        }
    }
    let rules: Vec<Value> = rules
        .iter()
        .map(|(id, what)| json!({"id": id, "shortDescription": {"text": what}}))
        .collect();
    let driver = json!({
        "name": "unionctl",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rules() -> Vec<(&'static str, &'static str)> {
    let codes = FindingCode::ALL
        .iter()
        .map(|code| (code.as_str(), code.description()));
    codes.chain(OTHER_RULES).collect()
}

fn result(
    listing: &Listing,
    remark: &ListedFinding,
    of: &str,
    rules: &[&str],
    at: Option<Position>,
) -> Value {
    let at = at.unwrap_or(Position { line: 1, column: 1 });
    let mut message = format!("{of}, {}: {}", display_path(&remark.path), remark.message);
    if let Some(shown) = remark.example_line() {
        let _ = write!(message, ": {shown}");
    }
    if !remark.remedy.is_empty() {
        let _ = write!(message, "\nRemedy: {}", remark.remedy);
    }
    let fields: Vec<&str> = remark.fields.iter().map(FieldPath::as_str).collect();
    let fingerprint = [
        of,
        &remark.path,
        remark.code,
        &fields.join(","),
        &remark.message,
    ];
    json!({
        "ruleId": remark.code,
        "ruleIndex": rules.iter().position(|rule| *rule == remark.code),
        "level": if remark.is_strong() { "error" } else { "note" },
        "message": {"text": message},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": uri(&listing.file)},
                "region": {"startLine": at.line, "startColumn": at.column},
            },
            "logicalLocations": [{"fullyQualifiedName": format!("{of} {}", display_path(&remark.path))}],
        }],
        // Lines move, but the fingerprint does not change.
        "partialFingerprints": {"unionctl/v1": fingerprint.join("|")},
    })
}

/// Returns a path as a URI. Relative paths remain relative, because code hosts look them up in the
/// repository.
fn uri(file: &str) -> String {
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
