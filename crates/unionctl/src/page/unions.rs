//! Lists the unions of the CRD.

use serde_json::{Value, json};

use super::editor_inputs;
use super::editor_message::{Editor, EditorMessage};
use super::request::PageRequest;
use crate::commands::unions::listing;

pub(super) fn unions_reply(request: &PageRequest) -> Value {
    if request.crd.trim().is_empty() {
        return json!({ "kinds": [], "problems": [] });
    }
    let documents = editor_inputs::parse_documents(Editor::Crd, &request.crd);
    let listing = documents.and_then(|documents| {
        listing::listing_with_lines(documents, &request.crd)
            .map_err(|error| EditorMessage::from_command_error(Editor::Crd, &error))
    });
    listing.unwrap_or_else(|message| json!({ "kinds": [], "problems": [message] }))
}
