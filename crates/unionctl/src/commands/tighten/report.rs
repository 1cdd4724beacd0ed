//! The report on all objects.

use serde::Serialize;

use super::finding::{Fate, Judged};
use super::judge::Found;
use crate::judge::answer::Finding;
use crate::judge::objects::{LeftOut, Object};
use crate::output::output::{BAD, CHANGED, GOOD, PLAIN, TOLERATED, Text, Verdict};
use crate::output::table::{self, count};

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// The errors for which an API server would reject the new CRD.
    schema_errors: Vec<Finding>,
    /// The objects with errors.
    objects: Vec<OfObject>,
    summary: Summary,
    #[serde(flatten)]
    pub(super) left_out: LeftOut,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct OfObject {
    file: String,
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    name: Option<String>,
    findings: Vec<Judged>,
    #[serde(skip)]
    title: String,
}

#[derive(Debug, Default, Serialize)]
struct Summary {
    objects: usize,
    refused_on_create: Count,
    refused_on_unrelated_update: Count,
    refused_on_update_of_field: Count,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Count {
    objects: usize,
    fields: usize,
}

impl Count {
    /// Counts an object. `is_refused` is true if the request is rejected for reasons that are not
    /// in `fields`.
    fn add(&mut self, is_refused: bool, fields: impl Iterator<Item = Fate>) {
        let fields = fields.filter(|fate| *fate == Fate::Refused).count();
        self.objects += usize::from(is_refused || fields > 0);
        self.fields += fields;
    }

    fn row(self, request: &str) -> [String; 3] {
        [
            request.to_owned(),
            self.objects.to_string(),
            self.fields.to_string(),
        ]
    }
}

impl Report {
    pub(super) fn new(schema_errors: Vec<Finding>) -> Self {
        Self {
            schema_errors,
            objects: Vec::new(),
            summary: Summary::default(),
            left_out: LeftOut::default(),
            notes: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, object: &Object, found: Found) {
        let Found {
            findings,
            create,
            unrelated_update,
            notes,
        } = found;
        let summary = &mut self.summary;
        summary.objects += 1;
        let fates = findings.iter().map(|found| found.create);
        summary
            .refused_on_create
            .add(create == Fate::Refused, fates);
        let fates = findings.iter().map(|found| found.unrelated_update);
        let is_refused = unrelated_update == Fate::Refused;
        summary.refused_on_unrelated_update.add(is_refused, fates);
        let fates = findings.iter().map(|found| found.update_of_field);
        summary.refused_on_update_of_field.add(false, fates);
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        if findings.is_empty() {
            return;
        }
        self.objects.push(OfObject {
            file: object.file.clone(),
            kind: object.kind().to_owned(),
            namespace: object.namespace().map(str::to_owned),
            name: object.name().map(str::to_owned),
            findings,
            title: object.title(),
        });
    }

    /// Returns the findings in all objects, one after the other.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding> {
        let found = self.objects.iter().flat_map(|object| &object.findings);
        found.map(|found| &found.finding)
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let refused = self.summary.refused_on_unrelated_update.objects;
        if self.schema_errors.is_empty() && refused == 0 {
            Verdict::Fine
        } else {
            Verdict::Refused
        }
    }

    pub(super) fn text(&self) -> Text {
        let mut text = Text::default();
        let errors = self.schema_errors.iter().map(Finding::line);
        text.section("errors in the new CRD", BAD, errors);
        if self.schema_errors.is_empty() {
            text.line("the new CRD is valid", PLAIN);
        }
        text.line("", PLAIN);
        for object in &self.objects {
            object.add_to(&mut text);
        }
        text.section("warnings", CHANGED, &self.notes);
        for line in self.summary.lines() {
            text.line(&line, PLAIN);
        }
        let objects = count(self.summary.objects, "object");
        let LeftOut { skipped, unread } = self.left_out;
        let judged = match skipped {
            0 => format!("checked: {objects}"),
            skipped => format!("checked: {objects}, skipped: {skipped} without a matching CRD"),
        };
        text.line(&judged, PLAIN);
        if unread > 0 {
            text.line(&format!("not read: {}", count(unread, "file")), BAD);
        }
        match self.verdict() {
            Verdict::Fine if unread > 0 => {}
            Verdict::Fine => text.line("accepted", GOOD),
            Verdict::Refused => text.line("rejected", BAD),
        }
        text
    }
}

impl OfObject {
    fn add_to(&self, text: &mut Text) {
        text.line(&format!("{}: {}", self.file, self.title), PLAIN);
        for found in &self.findings {
            let style = match found.unrelated_update {
                Fate::Refused => BAD,
                _ => TOLERATED,
            };
            text.line(&format!("  {}", found.finding.line()), style);
            text.line(&format!("    {}", found.fates()), PLAIN);
        }
        text.line("", PLAIN);
    }
}

impl Summary {
    fn lines(&self) -> Vec<String> {
        let heading = ["rejected on", "objects", "fields"].map(str::to_owned);
        table::lines(&[
            heading,
            self.refused_on_create.row("create"),
            self.refused_on_unrelated_update.row("unrelated update"),
            self.refused_on_update_of_field.row("update of the field"),
        ])
    }
}
