//! The report on one object.

use serde::Serialize;

use crate::judge::answer::Finding;
use crate::judge::judgement::{Judgement, Request};
use crate::judge::objects::Object;
use crate::output::output::{BAD, CHANGED, GOOD, PLAIN, TOLERATED, Text};

/// The report on one object.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(super) file: String,
    pub(super) kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    name: Option<String>,
    pub(crate) op: &'static str,
    #[serde(flatten)]
    pub(crate) judgement: Judgement,
    #[serde(skip)]
    pub(crate) title: String,
}

impl Report {
    pub(super) fn new(object: &Object, request: Request<'_>, judgement: Judgement) -> Self {
        let of = match request {
            Request::Create => "creation",
            Request::Update(_) => "update",
            Request::Status(_) => "update of the status",
        };
        Self {
            file: object.file.clone(),
            kind: object.kind().to_owned(),
            namespace: object.namespace().map(str::to_owned),
            name: object.name().map(str::to_owned),
            op: request.name(),
            judgement,
            title: format!("{of} of {}", object.title()),
        }
    }

    /// Returns true if there are errors, tolerated errors or warnings.
    pub(super) fn is_noteworthy(&self) -> bool {
        let judgement = &self.judgement;
        !judgement.is_accepted()
            || !judgement.ratcheted.is_empty()
            || !judgement.warnings.is_empty()
    }

    /// Adds the sections of the report that have lines. If none has lines and `all` is true, adds
    /// `no errors`.
    pub(super) fn add_to(&self, text: &mut Text, all: bool) {
        let judgement = &self.judgement;
        let mut section = |heading: &str, style, lines: Vec<String>| {
            text.section(heading, style, lines);
        };
        let errors = judgement.errors.iter().map(|error| error.line().to_owned());
        section("errors", BAD, errors.collect());
        section(
            "tolerated",
            TOLERATED,
            judgement.ratcheted.iter().map(tolerated).collect(),
        );
        section("warnings", CHANGED, judgement.warnings.clone());
        if all && !self.is_noteworthy() {
            text.line("no errors", PLAIN);
        }
        if judgement.is_accepted() {
            text.line("accepted", GOOD);
        } else {
            text.line("rejected", BAD);
        }
    }
}

/// Returns a tolerated error, and the reason for which it is tolerated.
fn tolerated(finding: &Finding) -> String {
    format!("{} ({})", finding.line(), why(finding))
}

/// Returns the reason for which an error is tolerated.
pub(crate) fn why(finding: &Finding) -> &'static str {
    if finding.r#type == "FieldValueDuplicate" {
        "the stored object already has duplicates"
    } else {
        "unchanged since the stored object"
    }
}
