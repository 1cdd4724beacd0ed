//! `unionctl unions --list --jsonl`: lists the unions of the schema on each line.

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

/// Replies to each line that is not blank.
pub(crate) fn run() -> Result<CommandStatus, CommandError> {
    request_loop::serve(reply)
}

fn reply(line: &JsonlLine<'_>) -> Result<Value, InputError> {
    let request_line: ListingRequestLine<'_> = line.parse_line(FORM)?;
    let Some(part) = request_line.schema else {
        return Err(line.input_error(None, &format!("missing `schema`; expected {FORM}")));
    };
    let schema = line.parse_object("schema", part)?;
    require_schema(&schema)
        .map_err(|problem| line.input_error(Some(part), &format!("schema: {problem}")))?;
    let object = crd_unions::analyze_located(&schema, &request_line.at)
        .map_err(|error| line.input_error(None, &format!("at: {error}")))?;
    let mut reply = json!(object.analysis);
    let findings = ListedFinding::from_analyzed_object(&schema, &object);
    let findings: Vec<Value> = findings.iter().map(ListedFinding::to_json).collect();
    if let Some(reply) = reply.as_object_mut() {
        reply.insert("findings".to_owned(), findings.into());
    }
    Ok(reply)
}
