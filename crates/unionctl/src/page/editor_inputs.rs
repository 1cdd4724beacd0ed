//! Parses the content of editors. A CRD is parsed and compiled again only if its source changes.

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

/// The CRDs of the last request.
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
    /// Returns the result of validating the CRDs, which is computed once.
    pub(super) fn crd_verdict(
        &self,
        validate: impl FnOnce(&Self) -> Result<CrdVerdict, EditorMessage>,
    ) -> Result<CrdVerdict, EditorMessage> {
        self.verdict.get_or_init(|| validate(self)).clone()
    }

    /// Returns the CRDs with their positions among the documents.
    pub(super) fn located_crds(&self) -> impl Iterator<Item = LocatedObject<'_>> {
        let is_crd = |located: &LocatedObject<'_>| crd::is_crd(located.object);
        self.documents.located_objects().filter(is_crd)
    }

    /// Returns the only CRD; `None` if there are several.
    pub(super) fn single_crd(&self) -> Option<LocatedObject<'_>> {
        let mut located = self.located_crds();
        let only = located.next();
        only.filter(|_| located.next().is_none())
    }
}

impl EditorInputs {
    /// Returns the CRDs of both CRD editors; `None` for an empty editor.
    pub(super) fn crds(
        &mut self,
        request: &PageRequest,
    ) -> [Option<Result<&mut ParsedCrds, &EditorMessage>>; 2] {
        let server = CompilingServer::from_settings(&request.settings());
        [
            parse_if_changed(&mut self.crd, Editor::Crd, &request.crd, server),
            parse_if_changed(&mut self.crd_new, Editor::CrdNew, &request.crd_new, server),
        ]
    }

    /// Returns the CRDs of the first editor; `None` if there are none or the source is invalid.
    pub(super) fn crd(&mut self, request: &PageRequest) -> Option<&mut ParsedCrds> {
        let [crd, _] = self.crds(request);
        crd?.ok()
    }
}

fn parse_if_changed<'k>(
    cached: &'k mut Option<CachedInput>,
    editor: Editor,
    text: &str,
    server: CompilingServer,
) -> Option<Result<&'k mut ParsedCrds, &'k EditorMessage>> {
    if text.trim().is_empty() {
        *cached = None;
        return None;
    }
    let is_same_source = |cached: &CachedInput| cached.server == server && cached.text == text;
    let same = cached.take().filter(is_same_source);
    let cached = cached.insert(same.unwrap_or_else(|| CachedInput {
        text: text.to_owned(),
        server,
        crds: parse_crds(editor, text, server),
    }));
    Some(cached.crds.as_mut().map_err(|message| &*message))
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
        .map_err(|error| EditorMessage::from_input_error(editor, error))
}

/// Returns the object that the CRDs describe, and its position among the documents.
pub(super) fn select_object<'d>(
    documents: &'d Documents,
    crds: &Crds,
) -> Result<(InputObject, LocatedObject<'d>), CommandError> {
    let selected = documents.select_object("the object", |value| crds.find(value).is_some())?;
    objects::require_crd(selected, documents, crds)?;
    let mut located = documents.located_objects();
    let located = located.find(|located| std::ptr::eq(located.object, selected));
    match (crds.find(selected), located) {
        (Some(crd), Some(located)) => Ok((input_object(documents, selected, crd), located)),
        _ => Err(CommandError::new(
            documents.file.as_str(),
            "the CRD does not define the kind of this object",
        )),
    }
}

fn input_object(
    documents: &Documents,
    value: &Value,
    crd: crate::judge::crds::CrdId,
) -> InputObject {
    InputObject {
        file: documents.file.clone(),
        value: value.clone(),
        crd,
        source: None,
    }
}
