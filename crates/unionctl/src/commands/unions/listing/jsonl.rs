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
    /// The JSON pointer of the analyzed object in the schema.
    #[serde(default, rename = "at")]
    pointer: String,
}

/// The expected form of a line, for messages.
const EXPECTED_LINE: &str = r#"{"schema": ..., "at": "/properties/spec"}"#;

/// Replies to each line that is not blank.
pub(crate) fn run() -> Result<CommandStatus, CommandError> {
    request_loop::serve(reply_to)
}

fn reply_to(line: &JsonlLine<'_>) -> Result<Value, InputError> {
    let request_line: ListingRequestLine<'_> = line.parse_line(EXPECTED_LINE)?;
    let Some(raw_schema) = request_line.schema else {
        return Err(line.input_error(None, &format!("missing `schema`; expected {EXPECTED_LINE}")));
    };
    let schema = line.parse_object("schema", raw_schema)?;
    require_schema(&schema)
        .map_err(|message| line.input_error(Some(raw_schema), &format!("schema: {message}")))?;
    let object = crd_unions::analyze_located(&schema, &request_line.pointer)
        .map_err(|error| line.input_error(None, &format!("at: {error}")))?;
    let mut reply = json!(object.analysis);
    let findings = ListedFinding::from_analyzed_object(&schema, &object);
    let findings: Vec<Value> = findings.iter().map(ListedFinding::to_json).collect();
    if let Some(fields) = reply.as_object_mut() {
        fields.insert("findings".to_owned(), findings.into());
    }
    Ok(reply)
}
