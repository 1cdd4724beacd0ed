//! The effect of the second CRD on the stored object.

use serde::Serialize;

use super::editor_inputs::{self, EditorInputs, ParsedCrds};
use super::editor_message::{Editor, EditorMessage, EditorPosition, Subject};
use super::request::PageRequest;
use crate::commands::tighten::{self, TightenReport};
use crate::error::CommandError;
use crate::judge::unions_reply::FieldError;
use crate::output::print::CommandStatus;

#[derive(Default, Serialize)]
pub(super) struct TightenReply {
    problems: Vec<EditorMessage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    /// The errors for which an API server rejects the second CRD in place of the first one.
    errors: Vec<EditorMessage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<TightenReport>,
    /// The positions of the findings of the report, in the order of the findings.
    places: Vec<Option<EditorPosition>>,
    /// The editor of the positions in `places`.
    #[serde(skip_serializing_if = "Option::is_none")]
    editor: Option<Editor>,
}

pub(super) fn tighten_reply(texts: &mut EditorInputs, question: &PageRequest) -> TightenReply {
    let mut tightened = TightenReply::default();
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
    let said = match crd_new.crds.validate(Some(&crd.crds)) {
        Ok(said) => said.errors,
        Err(problem) => {
            tightened.add_problem(Editor::CrdNew, &problem);
            return tightened;
        }
    };
    tightened.accepted = Some(said.is_empty());
    if let Some(placed) = crd_new.single_crd() {
        let about = Subject {
            editor: Editor::CrdNew,
            source: &question.crd_new,
            located: placed,
            judged: placed.object,
        };
        tightened.errors = about.error_messages(&said, |_| None);
    }
    tightened.add_report(question, crd, crd_new);
    tightened
}

impl TightenReply {
    /// Adds the effect on the stored object.
    fn add_report(
        &mut self,
        question: &PageRequest,
        crd: &mut ParsedCrds,
        crd_new: &mut ParsedCrds,
    ) {
        // An object that is not stored yet is judged as if it were.
        let (editor, text) = if question.stored.trim().is_empty() {
            (Editor::New, &question.new)
        } else {
            (Editor::Stored, &question.stored)
        };
        let documents = match editor_inputs::parse_documents(editor, text) {
            Ok(documents) => documents,
            Err(note) => return self.problems.push(note),
        };
        if documents.values.is_empty() {
            return;
        }
        let judged =
            editor_inputs::select_object(&documents, &crd_new.crds).and_then(|(object, placed)| {
                let settings = question.settings();
                let report =
                    tighten::report_on_object(object, &mut crd.crds, &mut crd_new.crds, &settings)?;
                Ok((report, placed))
            });
        let (report, placed) = match judged {
            Ok(judged) => judged,
            Err(problem) => return self.add_problem(editor, &problem),
        };
        let about = Subject {
            editor,
            source: text,
            located: placed,
            judged: placed.object,
        };
        let findings: Vec<FieldError> = report.field_errors().cloned().collect();
        let notes = about.error_messages(&findings, |_| None);
        self.places = notes.into_iter().map(|note| note.at).collect();
        self.accepted = Some(report.command_status() == CommandStatus::Success);
        self.editor = Some(editor);
        self.report = Some(report);
    }

    fn add_problem(&mut self, editor: Editor, problem: &CommandError) {
        self.problems
            .push(EditorMessage::from_command_error(editor, problem));
    }
}
