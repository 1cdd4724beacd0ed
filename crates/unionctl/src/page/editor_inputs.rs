//! Parses the content of editors. CRDs are parsed and compiled again only if their source changes.

use std::cell::OnceCell;

use serde_json::Value;
use union_json::document::Crd;

use super::crd::CrdVerdict;
use super::editor_message::{Editor, EditorMessage, EditorObject};
use super::request::PageRequest;
use super::type_mismatch::TypeMismatch;
use crate::input::{Documents, ObjectInFile, crd};
use crate::judge::crds::{CrdId, Crds};
use crate::judge::objects::InputObject;
use crate::judge::server_settings::CompilingServer;

/// The CRDs of the last request.
#[derive(Default)]
pub(super) struct EditorInputs {
    /// The CRDs of the first CRD editor.
    crds: Option<CachedCrds>,
    /// The CRDs of the second CRD editor.
    new_crds: Option<CachedCrds>,
}

/// The CRDs of an editor, with the source and the server for which they were compiled.
struct CachedCrds {
    source: String,
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

    /// Returns the CRDs, with their indexes among the documents.
    pub(super) fn crds_in_file(&self) -> impl Iterator<Item = ObjectInFile<'_>> {
        let is_crd = |object_in_file: &ObjectInFile<'_>| crd::is_crd(object_in_file.object);
        self.documents.objects_in_file().filter(is_crd)
    }

    /// Returns the only CRD; `None` if there are several.
    pub(super) fn single_crd(&self) -> Option<ObjectInFile<'_>> {
        let mut crds = self.crds_in_file();
        let first_crd = crds.next();
        first_crd.filter(|_| crds.next().is_none())
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
            parse_if_changed(&mut self.crds, Editor::Crd, &request.crd, server),
            parse_if_changed(&mut self.new_crds, Editor::CrdNew, &request.crd_new, server),
        ]
    }

    /// Returns the CRDs of the first CRD editor; `None` if the editor is empty or its source is
    /// invalid.
    pub(super) fn valid_crds(&mut self, request: &PageRequest) -> Option<&mut ParsedCrds> {
        let [crds, _] = self.crds(request);
        crds?.ok()
    }
}

/// Parses the CRDs of an editor, or returns the cached CRDs if source and server are unchanged;
/// `None` for an empty editor.
fn parse_if_changed<'k>(
    cached: &'k mut Option<CachedCrds>,
    editor: Editor,
    source: &str,
    server: CompilingServer,
) -> Option<Result<&'k mut ParsedCrds, &'k EditorMessage>> {
    if source.trim().is_empty() {
        *cached = None;
        return None;
    }
    let is_same_source = |cached: &CachedCrds| cached.server == server && cached.source == source;
    let unchanged = cached.take().filter(is_same_source);
    let cached = cached.insert(unchanged.unwrap_or_else(|| CachedCrds {
        source: source.to_owned(),
        server,
        crds: parse_crds(editor, source, server),
    }));
    Some(cached.crds.as_mut().map_err(|message| &*message))
}

fn parse_crds(
    editor: Editor,
    source: &str,
    server: CompilingServer,
) -> Result<ParsedCrds, EditorMessage> {
    let documents = parse_documents(editor, source)?;
    let crds = Crds::from_documents(&documents, None).ok_or_else(|| {
        let message = "no CustomResourceDefinition found";
        EditorMessage::new(editor, message.to_owned())
    })?;
    Ok(ParsedCrds {
        documents,
        crds: crds.with_server(server),
        verdict: OnceCell::new(),
    })
}

pub(super) fn parse_documents(editor: Editor, source: &str) -> Result<Documents, EditorMessage> {
    Documents::parse(editor.name(), source.as_bytes())
        .map_err(|error| EditorMessage::from_input_error(editor, error))
}

/// Returns the object that the CRDs describe, and its indexes among the documents. `source` is the
/// content of the editor.
pub(super) fn select_object<'d>(
    editor: Editor,
    source: &str,
    documents: &'d Documents,
    parsed_crds: &ParsedCrds,
) -> Result<(InputObject, ObjectInFile<'d>), EditorMessage> {
    let crds = &parsed_crds.crds;
    let crd_views = parsed_crds.crds_in_file();
    let crd_views: Vec<Crd<'_>> = crd_views.map(|crd| Crd::new(crd.object)).collect();
    let object_in_file = select_in_file(editor, documents, |value| crds.find(value).is_some())?;
    let object = object_in_file.object;
    match (crds.find(object), TypeMismatch::find(object, &crd_views)) {
        (Some(crd), None) => Ok((input_object(documents, object, crd), object_in_file)),
        (_, mismatch) => {
            let mismatch = mismatch.unwrap_or_else(|| TypeMismatch {
                pointer: "/kind",
                message: "the CRD does not define the kind of the object".to_owned(),
            });
            let editor_object = EditorObject {
                editor,
                source,
                object_in_file,
                validated_object: object,
            };
            Err(editor_object.message_at(mismatch.pointer, mismatch.message))
        }
    }
}

/// Returns the only object of an editor; if there are several, the only object that matches.
pub(super) fn select_in_file(
    editor: Editor,
    documents: &Documents,
    matches: impl Fn(&Value) -> bool,
) -> Result<ObjectInFile<'_>, EditorMessage> {
    let object = documents
        .select_object("the object", matches)
        .map_err(|error| EditorMessage::from_command_error(editor, &error))?;
    let mut objects = documents.objects_in_file();
    let object_in_file = objects.find(|candidate| std::ptr::eq(candidate.object, object));
    object_in_file.ok_or_else(|| {
        let message = "the editor does not contain the object";
        EditorMessage::new(editor, message.to_owned())
    })
}

fn input_object(documents: &Documents, value: &Value, crd: CrdId) -> InputObject {
    InputObject {
        file: documents.file.clone(),
        value: value.clone(),
        crd,
        source: None,
    }
}
