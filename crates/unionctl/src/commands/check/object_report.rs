//! The report on one object.

use serde::Serialize;
use serde_json::Value;

use crate::input::{ObjectSource, object};
use crate::judge::objects::InputObject;
use crate::judge::reply::check_reply::{CheckReply, ObjectRequest};
use crate::judge::reply::sarif_results::ReplyParts;
use crate::judge::reply::unions_reply::FieldError;
use crate::judge::reply::unknown_field::duplicate_line;
use crate::output::print::{BAD, CHANGED, GOOD, PLAIN, TOLERATED, TextBuffer};
use crate::output::sarif::SarifResult;

/// The result of a request for one object, with the name of the object.
#[derive(Debug, Serialize)]
pub(crate) struct ObjectReport {
    pub(super) file: String,
    pub(super) kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    name: Option<String>,
    pub(crate) op: &'static str,
    #[serde(flatten)]
    pub(crate) reply: CheckReply,
    #[serde(skip)]
    pub(crate) title: String,
}

impl ObjectReport {
    pub(super) fn new(object: &InputObject, request: ObjectRequest<'_>, reply: CheckReply) -> Self {
        let operation = match request {
            ObjectRequest::Create => "creation",
            ObjectRequest::Update(_) => "update",
            ObjectRequest::UpdateStatus(_) => "update of the status",
        };
        Self {
            file: object.file.clone(),
            kind: object.kind().to_owned(),
            namespace: object.namespace().map(str::to_owned),
            name: object.name().map(str::to_owned),
            op: request.operation(),
            reply,
            title: format!("{operation} of {}", object.title()),
        }
    }

    /// Returns the report on the unions of an object of a built-in kind.
    pub(super) fn of_unions(file: String, reply: CheckReply) -> Self {
        let object = &reply.object;
        let text = |pointer| object.pointer(pointer).and_then(Value::as_str);
        let kind = text("/kind").unwrap_or_default().to_owned();
        let namespace = text("/metadata/namespace").map(str::to_owned);
        let name = text("/metadata/name").map(str::to_owned);
        Self {
            file,
            kind,
            namespace,
            name,
            op: "unions",
            title: format!("unions of {}", object::display_name(object)),
            reply,
        }
    }

    /// Returns true if there are errors, tolerated errors or warnings.
    pub(super) fn is_noteworthy(&self) -> bool {
        let reply = &self.reply;
        !reply.is_accepted() || !reply.ratcheted.is_empty() || !reply.warnings.is_empty()
    }

    /// Returns the errors and warnings in SARIF. `source` is the source of the object.
    pub(super) fn sarif_results(&self, source: Option<&ObjectSource>) -> Vec<SarifResult> {
        let reply = &self.reply;
        let parts = ReplyParts {
            file: &self.file,
            title: &self.title,
            value: &reply.object,
            source,
            errors: &reply.errors,
            tolerated: &reply.ratcheted,
            warnings: &reply.warnings,
            warned: &reply.warned,
            unknown_fields: &reply.unknown_fields,
            duplicate_keys: &reply.duplicate_keys,
        };
        parts.sarif_results()
    }

    /// Adds the sections of the report that are not empty. If all are empty, adds `no errors` if
    /// `shows_no_errors` is true.
    pub(super) fn add_to(&self, text: &mut TextBuffer, shows_no_errors: bool) {
        let reply = &self.reply;
        let mut add_section = |heading: &str, style, lines: Vec<String>| {
            text.add_section(heading, style, lines);
        };
        let errors = reply.errors.iter().flat_map(FieldError::lines);
        add_section("errors", BAD, errors.collect());
        add_section(
            "tolerated",
            TOLERATED,
            reply.ratcheted.iter().map(tolerated_error_line).collect(),
        );
        add_section("warnings", CHANGED, reply.warnings.clone());
        let duplicates = reply.duplicate_keys.iter();
        let duplicates = duplicates.map(|duplicate| duplicate_line(duplicate, &self.file));
        add_section("duplicate keys", PLAIN, duplicates.collect());
        let unknown_fields = reply.unknown_fields.iter();
        let unknown_fields = unknown_fields.map(|field| field.line(&self.file));
        add_section("unknown fields", PLAIN, unknown_fields.collect());
        if shows_no_errors && !self.is_noteworthy() {
            text.add_line("no errors", PLAIN);
        }
        if reply.is_accepted() {
            text.add_line("accepted", GOOD);
        } else {
            text.add_line("rejected", BAD);
        }
    }
}

/// Returns a tolerated error with the reason for the tolerance.
fn tolerated_error_line(error: &FieldError) -> String {
    format!("{} ({})", error.line(), tolerance_reason(error))
}

/// Returns the reason why a server tolerates an error.
pub(crate) fn tolerance_reason(error: &FieldError) -> &'static str {
    if error.r#type == "FieldValueDuplicate" {
        "the stored object already has duplicates"
    } else {
        "unchanged since the stored object"
    }
}
