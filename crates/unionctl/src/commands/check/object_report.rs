//! The report on one object.

use serde::Serialize;

use crate::judge::check_reply::{CheckReply, ObjectRequest};
use crate::judge::objects::InputObject;
use crate::judge::unions_reply::FieldError;
use crate::judge::unknown_field::duplicate_line;
use crate::output::print::{BAD, CHANGED, GOOD, PLAIN, TOLERATED, TextBuffer};

/// The report on one object.
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
    pub(super) fn new(
        object: &InputObject,
        request: ObjectRequest<'_>,
        judgement: CheckReply,
    ) -> Self {
        let of = match request {
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
            reply: judgement,
            title: format!("{of} of {}", object.title()),
        }
    }

    /// Returns true if there are errors, tolerated errors or warnings.
    pub(super) fn is_noteworthy(&self) -> bool {
        let judgement = &self.reply;
        !judgement.is_accepted()
            || !judgement.ratcheted.is_empty()
            || !judgement.warnings.is_empty()
    }

    /// Adds the sections of the report that have lines. If none has lines and `all` is true, adds
    /// `no errors`.
    pub(super) fn add_to(&self, text: &mut TextBuffer, all: bool) {
        let judgement = &self.reply;
        let mut section = |heading: &str, style, lines: Vec<String>| {
            text.add_section(heading, style, lines);
        };
        let errors = judgement.errors.iter().map(|error| error.line().to_owned());
        section("errors", BAD, errors.collect());
        section(
            "tolerated",
            TOLERATED,
            judgement.ratcheted.iter().map(tolerated).collect(),
        );
        section("warnings", CHANGED, judgement.warnings.clone());
        let duplicates = judgement.duplicates.iter();
        let duplicates = duplicates.map(|found| duplicate_line(found, &self.file));
        section("duplicate keys", PLAIN, duplicates.collect());
        let unknown = judgement.unknown_fields.iter();
        let unknown = unknown.map(|field| field.line(&self.file));
        section("unknown fields", PLAIN, unknown.collect());
        if all && !self.is_noteworthy() {
            text.add_line("no errors", PLAIN);
        }
        if judgement.is_accepted() {
            text.add_line("accepted", GOOD);
        } else {
            text.add_line("rejected", BAD);
        }
    }
}

/// Returns a tolerated error, and the reason for which it is tolerated.
fn tolerated(finding: &FieldError) -> String {
    format!("{} ({})", finding.line(), tolerance_reason(finding))
}

/// Returns the reason for which an error is tolerated.
pub(crate) fn tolerance_reason(finding: &FieldError) -> &'static str {
    if finding.r#type == "FieldValueDuplicate" {
        "the stored object already has duplicates"
    } else {
        "unchanged since the stored object"
    }
}
