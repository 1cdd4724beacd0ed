//! `unionctl unions --list --jsonl`: answers a schema on each line.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::finding::ListedFinding;
use crate::error::{CommandError, InputError};
use crate::jsonl::line::JsonlLine;
use crate::jsonl::request_loop;
use crate::judge::schema::require_schema;
use crate::output::print::CommandStatus;

/// A line of the input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListingRequestLine<'l> {
    #[serde(borrow)]
    schema: Option<&'l RawValue>,
    #[serde(default)]
    at: String,
}

/// The expected form of a line, for messages.
const FORM: &str = r#"{"schema": ..., "at": "/properties/spec"}"#;

/// Answers every line that is not blank.
pub(crate) fn run() -> Result<CommandStatus, CommandError> {
    request_loop::serve(answer)
}

fn answer(line: &JsonlLine<'_>) -> Result<Value, InputError> {
    let case: ListingRequestLine<'_> = line.parse_line(FORM)?;
    let Some(text) = case.schema else {
        return Err(line.input_error(None, &format!("missing `schema`; expected {FORM}")));
    };
    let schema = line.parse_object("schema", text)?;
    require_schema(&schema)
        .map_err(|problem| line.input_error(Some(text), &format!("schema: {problem}")))?;
    let place = crd_unions::analyze_located(&schema, &case.at)
        .map_err(|error| line.input_error(None, &format!("at: {error}")))?;
    let mut answer = json!(place.analysis);
    let findings = ListedFinding::from_analyzed_object(&schema, &place);
    let findings: Vec<Value> = findings.iter().map(ListedFinding::to_json).collect();
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("findings".to_owned(), findings.into());
    }
    Ok(answer)
}
