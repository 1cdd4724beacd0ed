//! Reads the contents of editors. A CRD is read and compiled once while its source stays the same.

use std::cell::OnceCell;

use k8s_crd_validation::Version;
use serde_json::Value;

use super::crd::OfCrd;
use super::note::{Editor, Note};
use super::question::Question;
use crate::input::{Documents, Placed, crd};
use crate::judge::crds::Crds;
use crate::judge::objects::{self, Object};
use crate::problem::Problem;

/// The CRDs of the last question.
#[derive(Default)]
pub(super) struct Texts {
    crd: Option<Kept>,
    crd_new: Option<Kept>,
}

struct Kept {
    text: String,
    server: Version,
    read: Result<Read, Note>,
}

/// The documents of an editor, and their CRDs.
pub(super) struct Read {
    pub(super) documents: Documents,
    pub(super) crds: Crds,
    judged: OnceCell<Result<OfCrd, Note>>,
}

impl Read {
    /// Returns the verdict on the CRD, which is computed once.
    pub(super) fn judged(
        &self,
        judge: impl FnOnce(&Self) -> Result<OfCrd, Note>,
    ) -> Result<OfCrd, Note> {
        self.judged.get_or_init(|| judge(self)).clone()
    }

    /// Returns the CRDs with their places.
    pub(super) fn all_placed(&self) -> impl Iterator<Item = Placed<'_>> {
        let is_crd = |placed: &Placed<'_>| crd::is_crd(placed.object);
        self.documents.placed().filter(is_crd)
    }

    /// Returns the CRD; `None` if there are several.
    pub(super) fn placed(&self) -> Option<Placed<'_>> {
        let mut placed = self.all_placed();
        let only = placed.next();
        only.filter(|_| placed.next().is_none())
    }
}

impl Texts {
    /// Returns the first and the second CRD; `None` for an editor that is empty.
    pub(super) fn crds(&mut self, question: &Question) -> [Option<Result<&mut Read, &Note>>; 2] {
        let server = question.version();
        [
            kept(&mut self.crd, Editor::Crd, &question.crd, server),
            kept(&mut self.crd_new, Editor::CrdNew, &question.crd_new, server),
        ]
    }

    /// Returns the first CRD; `None` if it is missing or invalid.
    pub(super) fn crd(&mut self, question: &Question) -> Option<&mut Read> {
        let [crd, _] = self.crds(question);
        crd?.ok()
    }
}

fn kept<'k>(
    kept: &'k mut Option<Kept>,
    editor: Editor,
    text: &str,
    server: Version,
) -> Option<Result<&'k mut Read, &'k Note>> {
    if text.trim().is_empty() {
        *kept = None;
        return None;
    }
    let is_it = |kept: &Kept| kept.server == server && kept.text == text;
    let same = kept.take().filter(is_it);
    let kept = kept.insert(same.unwrap_or_else(|| Kept {
        text: text.to_owned(),
        server,
        read: read(editor, text, server),
    }));
    Some(kept.read.as_mut().map_err(|note| &*note))
}

fn read(editor: Editor, text: &str, server: Version) -> Result<Read, Note> {
    let documents = documents(editor, text)?;
    let crds = Crds::of(&documents, None).ok_or_else(|| {
        let text = "no CustomResourceDefinition found";
        Note::new(editor, text.to_owned())
    })?;
    Ok(Read {
        documents,
        crds: crds.for_server(server),
        judged: OnceCell::new(),
    })
}

pub(super) fn documents(editor: Editor, text: &str) -> Result<Documents, Note> {
    Documents::of(editor.name(), text.as_bytes()).map_err(|flaw| Note::of_flaw(editor, flaw))
}

/// Returns the object that the CRDs are for, and its place among the documents.
pub(super) fn object<'d>(
    documents: &'d Documents,
    crds: &Crds,
) -> Result<(Object, Placed<'d>), Problem> {
    let chosen = documents.one("the object", |value| crds.find(value).is_some())?;
    objects::check(chosen, documents, crds)?;
    let mut placed = documents.placed();
    let placed = placed.find(|placed| std::ptr::eq(placed.object, chosen));
    match (crds.find(chosen), placed) {
        (Some(crd), Some(placed)) => Ok((of(documents, chosen, crd), placed)),
        _ => Err(Problem::new(
            documents.file.as_str(),
            "the CRD does not define the kind of this object",
        )),
    }
}

fn of(documents: &Documents, value: &Value, crd: crate::judge::crds::CrdId) -> Object {
    Object {
        file: documents.file.clone(),
        value: value.clone(),
        crd,
    }
}
