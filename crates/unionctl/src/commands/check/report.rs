//! What is said of objects in files.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::tally::Tally;
use crate::judge::answer::Finding;
use crate::judge::judgement::{Judgement, Request};
use crate::judge::objects::{LeftOut, Object};
use crate::output::output::{BAD, CHANGED, GOOD, PLAIN, TOLERATED, Text, Verdict};
use crate::output::table::count;

/// What is said of one object.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    file: String,
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

/// What is said of all.
#[derive(Debug, Default)]
pub(super) struct Reports {
    reports: Vec<Report>,
    pub(super) left_out: LeftOut,
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

    /// Whether there is something to be said.
    fn is_noteworthy(&self) -> bool {
        let judgement = &self.judgement;
        !judgement.is_accepted()
            || !judgement.ratcheted.is_empty()
            || !judgement.warnings.is_empty()
    }

    /// All sections, or only those with something in them.
    fn add_to(&self, text: &mut Text, all: bool) {
        let judgement = &self.judgement;
        let mut section = |heading: &str, style, lines: Vec<String>| {
            if all || !lines.is_empty() {
                text.section(heading, style, lines);
            }
        };
        let wrong = judgement.errors.iter().map(|error| error.line().to_owned());
        section("wrong", BAD, wrong.collect());
        section(
            "tolerated",
            TOLERATED,
            judgement.ratcheted.iter().map(tolerated).collect(),
        );
        section("warnings", CHANGED, judgement.warnings.clone());
        if judgement.is_accepted() {
            text.line("accepted", GOOD);
        } else {
            text.line("refused", BAD);
        }
    }
}

/// What is tolerated, and why.
fn tolerated(finding: &Finding) -> String {
    format!("{} ({})", finding.line(), why(finding))
}

/// Why something is tolerated.
pub(crate) fn why(finding: &Finding) -> &'static str {
    if finding.r#type == "FieldValueDuplicate" {
        "the stored object has something twice already"
    } else {
        "unchanged since the stored object"
    }
}

impl Reports {
    pub(super) fn add(&mut self, report: Report) {
        self.reports.push(report);
    }

    pub(super) fn verdict(&self) -> Verdict {
        let is_accepted = |report: &Report| report.judgement.is_accepted();
        if self.reports.iter().all(is_accepted) {
            Verdict::Fine
        } else {
            Verdict::Refused
        }
    }

    /// All of an only object; of several what is noteworthy, and a summary.
    pub(super) fn text(&self) -> Text {
        let mut text = Text::default();
        if let ([only], true) = (self.reports.as_slice(), self.left_out == LeftOut::default()) {
            text.line(&only.title, PLAIN);
            only.add_to(&mut text, true);
            return text;
        }
        for report in self.reports.iter().filter(|report| report.is_noteworthy()) {
            text.line(&format!("{}: {}", report.file, report.title), PLAIN);
            report.add_to(&mut text, false);
            text.line("", PLAIN);
        }
        for line in Tally::of(&self.reports).lines() {
            text.line(&line, PLAIN);
        }
        let LeftOut { skipped, unread } = self.left_out;
        if skipped > 0 {
            let skipped = count(skipped, "object");
            text.line(&format!("skipped: {skipped} of other kinds"), PLAIN);
        }
        if unread > 0 {
            text.line(&format!("not read: {}", count(unread, "file")), BAD);
        }
        match self.verdict() {
            Verdict::Fine => text.line("accepted", GOOD),
            Verdict::Refused => text.line("refused", BAD),
        }
        text
    }
}

impl Serialize for Reports {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_accepted = |report: &&Report| report.judgement.is_accepted();
        let accepted = self.reports.iter().filter(is_accepted).count();
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("objects", &self.reports)?;
        map.serialize_entry("accepted", &accepted)?;
        map.serialize_entry("refused", &(self.reports.len() - accepted))?;
        map.serialize_entry("skipped", &self.left_out.skipped)?;
        map.serialize_entry("not_read", &self.left_out.unread)?;
        map.end()
    }
}
