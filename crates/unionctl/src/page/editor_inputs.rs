//! Reads the contents of editors. A CRD is read and compiled once while its source stays the same.

use std::cell::OnceCell;

use serde_json::Value;

use super::crd::CrdVerdict;
use super::editor_message::{Editor, EditorMessage};
use super::request::PageRequest;
use crate::error::CommandError;
use crate::input::{Documents, LocatedObject, crd};
use crate::judge::crds::Crds;
use crate::judge::objects::{self, InputObject};
use crate::judge::server_settings::CompilingServer;

/// The CRDs of the last question.
#[derive(Default)]
pub(super) struct EditorInputs {
    crd: Option<CachedInput>,
    crd_new: Option<CachedInput>,
}

struct CachedInput {
    text: String,
    server: CompilingServer,
    crds: Result<ParsedCrds, EditorMessage>,
}

/// The documents of an editor, and their CRDs.
pub(super) struct ParsedCrds {
    pub(super) documents: Documents,
    pub(super) crds: Crds,
    verdict: OnceCell<Result<CrdVerdict, EditorMessage>>,
}

impl ParsedCrds {
    /// Returns the verdict on the CRD, which is computed once.
    pub(super) fn crd_verdict(
        &self,
        judge: impl FnOnce(&Self) -> Result<CrdVerdict, EditorMessage>,
    ) -> Result<CrdVerdict, EditorMessage> {
        self.verdict.get_or_init(|| judge(self)).clone()
    }

    /// Returns the CRDs with their places.
    pub(super) fn located_crds(&self) -> impl Iterator<Item = LocatedObject<'_>> {
        let is_crd = |placed: &LocatedObject<'_>| crd::is_crd(placed.object);
        self.documents.located_objects().filter(is_crd)
    }

    /// Returns the CRD; `None` if there are several.
    pub(super) fn single_crd(&self) -> Option<LocatedObject<'_>> {
        let mut placed = self.located_crds();
        let only = placed.next();
        only.filter(|_| placed.next().is_none())
    }
}

impl EditorInputs {
    /// Returns the first and the second CRD; `None` for an editor that is empty.
    pub(super) fn crds(
        &mut self,
        question: &PageRequest,
    ) -> [Option<Result<&mut ParsedCrds, &EditorMessage>>; 2] {
        let server = CompilingServer::from_settings(&question.settings());
        [
            kept(&mut self.crd, Editor::Crd, &question.crd, server),
            kept(&mut self.crd_new, Editor::CrdNew, &question.crd_new, server),
        ]
    }

    /// Returns the first CRD; `None` if it is missing or invalid.
    pub(super) fn crd(&mut self, question: &PageRequest) -> Option<&mut ParsedCrds> {
        let [crd, _] = self.crds(question);
        crd?.ok()
    }
}

fn kept<'k>(
    kept: &'k mut Option<CachedInput>,
    editor: Editor,
    text: &str,
    server: CompilingServer,
) -> Option<Result<&'k mut ParsedCrds, &'k EditorMessage>> {
    if text.trim().is_empty() {
        *kept = None;
        return None;
    }
    let is_it = |kept: &CachedInput| kept.server == server && kept.text == text;
    let same = kept.take().filter(is_it);
    let kept = kept.insert(same.unwrap_or_else(|| CachedInput {
        text: text.to_owned(),
        server,
        crds: parse_crds(editor, text, server),
    }));
    Some(kept.crds.as_mut().map_err(|note| &*note))
}

fn parse_crds(
    editor: Editor,
    text: &str,
    server: CompilingServer,
) -> Result<ParsedCrds, EditorMessage> {
    let documents = parse_documents(editor, text)?;
    let crds = Crds::from_documents(&documents, None).ok_or_else(|| {
        let text = "no CustomResourceDefinition found";
        EditorMessage::new(editor, text.to_owned())
    })?;
    Ok(ParsedCrds {
        documents,
        crds: crds.with_server(server),
        verdict: OnceCell::new(),
    })
}

pub(super) fn parse_documents(editor: Editor, text: &str) -> Result<Documents, EditorMessage> {
    Documents::parse(editor.name(), text.as_bytes())
        .map_err(|flaw| EditorMessage::from_input_error(editor, flaw))
}

/// Returns the object that the CRDs are for, and its place among the documents.
pub(super) fn select_object<'d>(
    documents: &'d Documents,
    crds: &Crds,
) -> Result<(InputObject, LocatedObject<'d>), CommandError> {
    let chosen = documents.select_object("the object", |value| crds.find(value).is_some())?;
    objects::require_crd(chosen, documents, crds)?;
    let mut placed = documents.located_objects();
    let placed = placed.find(|placed| std::ptr::eq(placed.object, chosen));
    match (crds.find(chosen), placed) {
        (Some(crd), Some(placed)) => Ok((of(documents, chosen, crd), placed)),
        _ => Err(CommandError::new(
            documents.file.as_str(),
            "the CRD does not define the kind of this object",
        )),
    }
}

fn of(documents: &Documents, value: &Value, crd: crate::judge::crds::CrdId) -> InputObject {
    InputObject {
        file: documents.file.clone(),
        value: value.clone(),
        crd,
        source: None,
    }
}
