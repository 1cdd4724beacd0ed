//! `unionctl unions --list --jsonl`: answers a schema on each line.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::remark::Remark;
use crate::jsonl::line::Line;
use crate::jsonl::lines;
use crate::judge::schema::refuse_other_documents;
use crate::output::output::Verdict;
use crate::problem::{Flaw, Problem};

/// A line of the input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case<'l> {
    #[serde(borrow)]
    schema: Option<&'l RawValue>,
    #[serde(default)]
    at: String,
}

/// The expected form of a line, for messages.
const FORM: &str = r#"{"schema": ..., "at": "/properties/spec"}"#;

/// Answers every line that is not blank.
pub(crate) fn run() -> Result<Verdict, Problem> {
    lines::serve(answer)
}

fn answer(line: &Line<'_>) -> Result<Value, Flaw> {
    let case: Case<'_> = line.parse(FORM)?;
    let Some(text) = case.schema else {
        return Err(line.flaw(None, &format!("missing `schema`; expected {FORM}")));
    };
    let schema = line.object("schema", text)?;
    refuse_other_documents(&schema)
        .map_err(|problem| line.flaw(Some(text), &format!("schema: {problem}")))?;
    let place = crd_unions::read_place(&schema, &case.at)
        .map_err(|error| line.flaw(None, &format!("at: {error}")))?;
    let mut answer = json!(place.reading);
    let findings = Remark::of_place(&schema, &place);
    let findings: Vec<Value> = findings.iter().map(Remark::to_json).collect();
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("findings".to_owned(), findings.into());
    }
    Ok(answer)
}
