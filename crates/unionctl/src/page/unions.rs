//! Lists the unions of the CRD.

use serde_json::{Value, json};

use super::editor_inputs;
use super::editor_message::{Editor, EditorMessage};
use super::request::PageRequest;
use crate::commands::unions::listing;

pub(super) fn unions_reply(request: &PageRequest) -> Value {
    let listed = editor_inputs::parse_documents(Editor::Crd, &request.crd).and_then(|documents| {
        let listed = listing::listing_with_lines(documents, &request.crd);
        listed.map_err(|message| EditorMessage::from_command_error(Editor::Crd, &message))
    });
    listed.unwrap_or_else(|message| json!({ "kinds": [], "problems": [message] }))
}
