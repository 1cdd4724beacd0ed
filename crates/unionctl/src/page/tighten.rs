//! Finds the effect of the second CRD, in place of the first CRD, on the stored object.

use serde::Serialize;

use super::editor_inputs::{self, EditorInputs, ParsedCrds};
use super::editor_message::{Editor, EditorMessage, EditorObject, EditorPosition};
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
    #[serde(rename = "places")]
    positions: Vec<Option<EditorPosition>>,
    /// The editor of the positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    editor: Option<Editor>,
}

pub(super) fn tighten_reply(inputs: &mut EditorInputs, request: &PageRequest) -> TightenReply {
    let mut reply = TightenReply::default();
    let [Some(old_crds), Some(new_crds)] = inputs.crds(request) else {
        return reply;
    };
    let (old_crds, new_crds) = match (old_crds, new_crds) {
        (Ok(old_crds), Ok(new_crds)) => (old_crds, new_crds),
        (old_crds, new_crds) => {
            let messages = [old_crds.err(), new_crds.err()].into_iter().flatten();
            reply.problems.extend(messages.cloned());
            return reply;
        }
    };
    let crd_errors = match new_crds.crds.validate(Some(&old_crds.crds)) {
        Ok(diagnostics) => CrdDiagnostics::merge(diagnostics).errors,
        Err(error) => {
            reply.add_problem(Editor::CrdNew, &error);
            return reply;
        }
    };
    reply.accepted = Some(crd_errors.is_empty());
    if let Some(new_crd) = new_crds.single_crd() {
        let editor_object = EditorObject {
            editor: Editor::CrdNew,
            source: &request.crd_new,
            object_in_file: new_crd,
            validated_object: new_crd.object,
        };
        reply.errors = editor_object.error_messages(&crd_errors, |_| None);
    }
    reply.add_report(request, old_crds, new_crds);
    reply
}

impl TightenReply {
    /// Adds the effect of the second CRD on the stored object.
    fn add_report(
        &mut self,
        request: &PageRequest,
        old_crds: &mut ParsedCrds,
        new_crds: &mut ParsedCrds,
    ) {
        // Without a stored object, the new object is treated as the stored object.
        let (editor, source) = if request.stored.trim().is_empty() {
            (Editor::New, &request.new)
        } else {
            (Editor::Stored, &request.stored)
        };
        let documents = match editor_inputs::parse_documents(editor, source) {
            Ok(documents) => documents,
            Err(message) => return self.problems.push(message),
        };
        if documents.values.is_empty() {
            return;
        }
        let (object, object_in_file) =
            match editor_inputs::select_object(editor, source, &documents, new_crds) {
                Ok(selected_object) => selected_object,
                Err(message) => return self.problems.push(message),
            };
        let report = match tighten::report_on_object(
            object,
            &mut old_crds.crds,
            &mut new_crds.crds,
            &request.settings(),
        ) {
            Ok(report) => report,
            Err(error) => return self.add_problem(editor, &error),
        };
        let editor_object = EditorObject {
            editor,
            source,
            object_in_file,
            validated_object: object_in_file.object,
        };
        let errors: Vec<FieldError> = report.field_errors().cloned().collect();
        let messages = editor_object.error_messages(&errors, |_| None);
        self.positions = messages
            .into_iter()
            .map(|message| message.position)
            .collect();
        self.accepted = Some(report.command_status() == CommandStatus::Success);
        self.editor = Some(editor);
        self.report = Some(report);
    }

    fn add_problem(&mut self, editor: Editor, error: &CommandError) {
        self.problems
            .push(EditorMessage::from_command_error(editor, error));
    }
}
