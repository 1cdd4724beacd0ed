//! The effect of the second CRD on the stored object.

use serde::Serialize;

use super::note::{About, At, Editor, Note};
use super::question::Question;
use super::read::{self, Read, Texts};
use crate::commands::tighten::{self, Report};
use crate::judge::answer::Finding;
use crate::output::output::Verdict;
use crate::problem::Problem;

#[derive(Default, Serialize)]
pub(super) struct Tightened {
    problems: Vec<Note>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    /// The errors for which an API server rejects the second CRD in place of the first one.
    errors: Vec<Note>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Report>,
    /// The positions of the findings of the report, in the order of the findings.
    places: Vec<Option<At>>,
    /// The editor of the positions in `places`.
    #[serde(skip_serializing_if = "Option::is_none")]
    editor: Option<Editor>,
}

pub(super) fn answer(texts: &mut Texts, question: &Question) -> Tightened {
    let mut tightened = Tightened::default();
    let [Some(crd), Some(crd_new)] = texts.crds(question) else {
        return tightened;
    };
    let (crd, crd_new) = match (crd, crd_new) {
        (Ok(crd), Ok(crd_new)) => (crd, crd_new),
        (crd, crd_new) => {
            let problems = [crd.err(), crd_new.err()].into_iter().flatten();
            tightened.problems.extend(problems.cloned());
            return tightened;
        }
    };
    let said = match crd_new.crds.judge(Some(&crd.crds)) {
        Ok(said) => said.errors,
        Err(problem) => {
            tightened.add(Editor::CrdNew, &problem);
            return tightened;
        }
    };
    tightened.accepted = Some(said.is_empty());
    if let Some(placed) = crd_new.placed() {
        let about = About {
            editor: Editor::CrdNew,
            text: &question.crd_new,
            placed,
            judged: placed.object,
        };
        tightened.errors = about.findings(&said, |_| None);
    }
    tightened.add_report(question, crd, crd_new);
    tightened
}

impl Tightened {
    /// Adds the effect on the stored object.
    fn add_report(&mut self, question: &Question, crd: &mut Read, crd_new: &mut Read) {
        // An object that is not stored yet is judged as if it were.
        let (editor, text) = if question.stored.trim().is_empty() {
            (Editor::New, &question.new)
        } else {
            (Editor::Stored, &question.stored)
        };
        let documents = match read::documents(editor, text) {
            Ok(documents) => documents,
            Err(note) => return self.problems.push(note),
        };
        if documents.values.is_empty() {
            return;
        }
        let judged = read::object(&documents, &crd_new.crds).and_then(|(object, placed)| {
            let settings = question.settings();
            let report = tighten::of_one(object, &mut crd.crds, &mut crd_new.crds, &settings)?;
            Ok((report, placed))
        });
        let (report, placed) = match judged {
            Ok(judged) => judged,
            Err(problem) => return self.add(editor, &problem),
        };
        let about = About {
            editor,
            text,
            placed,
            judged: placed.object,
        };
        let findings: Vec<Finding> = report.findings().cloned().collect();
        let notes = about.findings(&findings, |_| None);
        self.places = notes.into_iter().map(|note| note.at).collect();
        self.accepted = Some(report.verdict() == Verdict::Fine);
        self.editor = Some(editor);
        self.report = Some(report);
    }

    fn add(&mut self, editor: Editor, problem: &Problem) {
        self.problems.push(Note::of_problem(editor, problem));
    }
}
