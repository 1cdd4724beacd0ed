//! The unions of the CRD.

use serde_json::{Value, json};

use super::note::{Editor, Note};
use super::question::Question;
use super::read;
use crate::commands::unions::listing;

pub(super) fn answer(question: &Question) -> Value {
    let listed = read::documents(Editor::Crd, &question.crd).and_then(|documents| {
        let listed = listing::of_text(documents, &question.crd);
        listed.map_err(|problem| Note::of_problem(Editor::Crd, &problem))
    });
    listed.unwrap_or_else(|problem| json!({ "kinds": [], "problems": [problem] }))
}
