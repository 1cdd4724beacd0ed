//! SARIF 2.1.0, which code hosts show beside the source lines.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::input::Position;

const SARIF_SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The severity of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SarifLevel {
    Error,
    Warning,
    Note,
}

/// A finding at a position in a file.
#[derive(Debug)]
pub(crate) struct SarifResult {
    /// The identifier of a rule of the log.
    pub(crate) rule_id: String,
    pub(crate) level: SarifLevel,
    pub(crate) message: String,
    pub(crate) file: String,
    /// The position; `None` is the start of the file.
    pub(crate) position: Option<Position>,
    pub(crate) qualified_name: String,
    /// A string that identifies the finding. The string does not have line numbers, so that the
    /// finding stays the same if lines move.
    pub(crate) fingerprint: String,
}

/// Returns a log of results. `rules` are identifiers and descriptions. `category` is the name of
/// the analysis. A code host keeps the results of one log for each category, and replaces them by
/// the next log of the category.
pub(crate) fn log(
    category: &str,
    rules: &[(&str, String)],
    results: impl IntoIterator<Item = SarifResult>,
) -> Value {
    let results: Vec<Value> = results
        .into_iter()
        .map(|result| result.to_json(rules))
        .collect();
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
            "automationDetails": {"id": format!("unionctl/{category}/")},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

impl SarifResult {
    fn to_json(&self, rules: &[(&str, String)]) -> Value {
        let position = self.position.unwrap_or(Position { line: 1, column: 1 });
        let level = match self.level {
            SarifLevel::Error => "error",
            SarifLevel::Warning => "warning",
            SarifLevel::Note => "note",
        };
        json!({
            "ruleId": self.rule_id,
            "ruleIndex": rules.iter().position(|(id, _)| *id == self.rule_id),
            "level": level,
            "message": {"text": self.message},
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": {"uri": file_uri(&self.file)},
                    "region": {"startLine": position.line, "startColumn": position.column},
                },
                "logicalLocations": [{"fullyQualifiedName": self.qualified_name}],
            }],
            "partialFingerprints": {"unionctl/v1": self.fingerprint},
        })
    }
}

/// Returns a path as a URI. A relative path remains relative, because code hosts resolve it in the
/// repository.
fn file_uri(file: &str) -> String {
    // On Windows, the names of folders may end with another character.
    let file = if cfg!(windows) {
        Cow::Owned(file.replace('\\', "/"))
    } else {
        Cow::Borrowed(file)
    };
    let mut uri = String::new();
    if file.starts_with('/') {
        uri += "file://";
    }
    let file = file.strip_prefix("./").unwrap_or(&file);
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
