//! Finds the requests for the CRD and the objects that two versions of Kubernetes answer
//! differently.

use serde::Serialize;

use super::editor_inputs::{self, EditorInputs};
use super::editor_message::{Editor, EditorMessage};
use super::request::PageRequest;
use crate::commands::upgrade::{self, UpgradeReport};
use crate::input::{Documents, object};
use crate::judge::crds::Crds;
use crate::judge::objects::InputObject;

#[derive(Default, Serialize)]
pub(super) struct UpgradeReply {
    problems: Vec<EditorMessage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<UpgradeReport>,
}

pub(super) fn upgrade_reply(inputs: &mut EditorInputs, request: &PageRequest) -> UpgradeReply {
    let mut reply = UpgradeReply::default();
    let (Some(from), Some(to)) = (request.upgrade_from, request.upgrade_to) else {
        return reply;
    };
    let [Some(crds), _] = inputs.crds(request) else {
        return reply;
    };
    if let Err(message) = crds {
        reply.problems.push(message.clone());
        return reply;
    }
    // The cached CRDs do not have sources, which the report needs for positions.
    let crds = reply.parse(Editor::Crd, &request.crd);
    let Some(crds) = crds.and_then(|documents| Crds::from_documents(&documents, None)) else {
        return reply;
    };
    let mut objects = Vec::new();
    for (editor, source) in [
        (Editor::Stored, &request.stored),
        (Editor::New, &request.new),
    ] {
        if let Some(documents) = reply.parse(editor, source) {
            objects.extend(objects_of(&documents, &crds));
        }
    }
    match upgrade::report_on_objects([from, to], &crds, objects) {
        Ok(report) => reply.report = Some(report),
        Err(error) => {
            let message = EditorMessage::from_command_error(Editor::Crd, &error);
            reply.problems.push(message);
        }
    }
    reply
}

impl UpgradeReply {
    /// Parses the documents of an editor with their sources. If the content is invalid, adds the
    /// error to the problems, and returns `None`.
    fn parse(&mut self, editor: Editor, source: &str) -> Option<Documents> {
        // Only `parse_documents` rejects duplicate keys, and only the other function keeps sources.
        let documents = editor_inputs::parse_documents(editor, source).and_then(|_| {
            Documents::parse_with_sources(editor.name(), source.as_bytes())
                .map_err(|error| EditorMessage::from_input_error(editor, error))
        });
        documents
            .map_err(|message| self.problems.push(message))
            .ok()
    }
}

/// Returns the objects that the CRDs describe.
fn objects_of(documents: &Documents, crds: &Crds) -> Vec<InputObject> {
    let objects = documents.objects_in_file();
    let typed_objects =
        objects.filter(|in_file| object::group_version_kind(in_file.object).is_some());
    typed_objects
        .filter_map(|object_in_file| {
            Some(InputObject {
                file: documents.file.clone(),
                value: object_in_file.object.clone(),
                crd: crds.find(object_in_file.object)?,
                source: documents.source_of(object_in_file),
            })
        })
        .collect()
}
