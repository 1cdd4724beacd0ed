//! The unions of the CRD.

use serde_json::{Value, json};

use super::editor_inputs;
use super::editor_message::{Editor, EditorMessage};
use super::request::PageRequest;
use crate::commands::unions::listing;

pub(super) fn unions_reply(question: &PageRequest) -> Value {
    let listed = editor_inputs::parse_documents(Editor::Crd, &question.crd).and_then(|documents| {
        let listed = listing::listing_with_lines(documents, &question.crd);
        listed.map_err(|problem| EditorMessage::from_command_error(Editor::Crd, &problem))
    });
    listed.unwrap_or_else(|problem| json!({ "kinds": [], "problems": [problem] }))
}
