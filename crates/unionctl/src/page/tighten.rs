//! Finds the effect of the second CRD on the stored object.

use serde::Serialize;

use super::editor_inputs::{self, EditorInputs, ParsedCrds};
use super::editor_message::{Editor, EditorMessage, EditorPosition, Subject};
use super::request::PageRequest;
use crate::commands::tighten::{self, TightenReport};
use crate::error::CommandError;
use crate::judge::crds::CrdDiagnostics;
use crate::judge::reply::unions_reply::FieldError;
use crate::output::print::CommandStatus;

#[derive(Default, Serialize)]
pub(super) struct TightenReply {
    problems: Vec<EditorMessage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    /// The errors for which an API server rejects the second CRD as an update of the first CRD.
    errors: Vec<EditorMessage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<TightenReport>,
    /// The positions of the findings, in the order of the findings in the report.
    places: Vec<Option<EditorPosition>>,
    /// The editor of the positions in `places`.
    #[serde(skip_serializing_if = "Option::is_none")]
    editor: Option<Editor>,
}

pub(super) fn tighten_reply(inputs: &mut EditorInputs, request: &PageRequest) -> TightenReply {
    let mut reply = TightenReply::default();
    let [Some(crd), Some(crd_new)] = inputs.crds(request) else {
        return reply;
    };
    let (crd, crd_new) = match (crd, crd_new) {
        (Ok(crd), Ok(crd_new)) => (crd, crd_new),
        (crd, crd_new) => {
            let problems = [crd.err(), crd_new.err()].into_iter().flatten();
            reply.problems.extend(problems.cloned());
            return reply;
        }
    };
    let crd_errors = match crd_new.crds.validate(Some(&crd.crds)) {
        Ok(diagnostics) => CrdDiagnostics::merge(diagnostics).errors,
        Err(problem) => {
            reply.add_problem(Editor::CrdNew, &problem);
            return reply;
        }
    };
    reply.accepted = Some(crd_errors.is_empty());
    if let Some(located) = crd_new.single_crd() {
        let subject = Subject {
            editor: Editor::CrdNew,
            source: &request.crd_new,
            located,
            judged: located.object,
        };
        reply.errors = subject.error_messages(&crd_errors, |_| None);
    }
    reply.add_report(request, crd, crd_new);
    reply
}

impl TightenReply {
    /// Adds the effect of the second CRD on the stored object.
    fn add_report(
        &mut self,
        request: &PageRequest,
        crd: &mut ParsedCrds,
        crd_new: &mut ParsedCrds,
    ) {
        // Without a stored object, the new object is treated as the stored object.
        let (editor, text) = if request.stored.trim().is_empty() {
            (Editor::New, &request.new)
        } else {
            (Editor::Stored, &request.stored)
        };
        let documents = match editor_inputs::parse_documents(editor, text) {
            Ok(documents) => documents,
            Err(message) => return self.problems.push(message),
        };
        if documents.values.is_empty() {
            return;
        }
        let result = editor_inputs::select_object(&documents, &crd_new.crds).and_then(
            |(object, located)| {
                let settings = request.settings();
                let report =
                    tighten::report_on_object(object, &mut crd.crds, &mut crd_new.crds, &settings)?;
                Ok((report, located))
            },
        );
        let (report, located) = match result {
            Ok(result) => result,
            Err(problem) => return self.add_problem(editor, &problem),
        };
        let subject = Subject {
            editor,
            source: text,
            located,
            judged: located.object,
        };
        let findings: Vec<FieldError> = report.field_errors().cloned().collect();
        let messages = subject.error_messages(&findings, |_| None);
        self.places = messages.into_iter().map(|message| message.at).collect();
        self.accepted = Some(report.command_status() == CommandStatus::Success);
        self.editor = Some(editor);
        self.report = Some(report);
    }

    fn add_problem(&mut self, editor: Editor, problem: &CommandError) {
        self.problems
            .push(EditorMessage::from_command_error(editor, problem));
    }
}
