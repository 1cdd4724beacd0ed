//! The verdict of an API server on the CRD and on the new object.

use serde::Serialize;
use serde_json::Value;
use union_runtime::Settings;

use super::crd::OfCrd;
use super::note::{About, Editor, Note};
use super::question::Question;
use super::read::{self, Read, Texts};
use super::stored::{self, Line, Stages};
use crate::commands::check::files::ask;
use crate::commands::check::report::{Report, why};
use crate::input::{Documents, Placed};
use crate::judge::answer::{Answer, Change, Finding};
use crate::judge::crds::Crds;
use crate::judge::manifest;
use crate::judge::objects::Object;
use crate::judge::schema::Source;
use crate::problem::Problem;

#[derive(Default, Serialize)]
pub(super) struct Judged {
    /// The reasons for which parts of the question have no verdict.
    problems: Vec<Note>,
    crd: Option<OfCrd>,
    object: Option<OfObject>,
}

#[derive(Serialize)]
struct OfObject {
    /// The request: `update of Backup "default/nightly"`.
    title: String,
    op: &'static str,
    accepted: bool,
    errors: Vec<Note>,
    ratcheted: Vec<Note>,
    warnings: Vec<Note>,
    /// The changes of normalizing.
    changes: Vec<Change>,
    notes: Vec<String>,
    /// The object as it was sent and as it would be stored, in one list of lines.
    lines: Vec<Line>,
}

pub(super) fn answer(texts: &mut Texts, question: &Question) -> Judged {
    let mut judged = Judged::default();
    let stored = judged.documents(Editor::Stored, &question.stored);
    let new = judged.documents(Editor::New, &question.new);
    let [crd, _] = texts.crds(question);
    let crd = match crd {
        Some(Ok(crd)) => crd,
        Some(Err(note)) => {
            judged.problems.push(note.clone());
            return judged;
        }
        None => return judged,
    };
    match crd.judged(|read| of_crd(read, &question.crd)) {
        Ok(of_crd) => judged.crd = Some(of_crd),
        Err(note) => judged.problems.push(note),
    }
    let Some(new) = new.filter(|_| judged.problems.is_empty()) else {
        return judged;
    };
    let stored = stored.map(|stored| read::object(&stored, &crd.crds).map(|(stored, _)| stored));
    let stored = match stored.transpose() {
        Ok(stored) => stored,
        Err(problem) => {
            judged.add(Editor::Stored, &problem);
            return judged;
        }
    };
    match of_object(question, &new, stored, &mut crd.crds) {
        Ok(object) => judged.object = Some(object),
        Err(problem) => judged.add(Editor::New, &problem),
    }
    judged
}

impl Judged {
    fn add(&mut self, editor: Editor, problem: &Problem) {
        self.problems.push(Note::of_problem(editor, problem));
    }

    /// Returns the documents of an editor; `None` if it has none, or if they have invalid syntax,
    /// which is added to the problems.
    fn documents(&mut self, editor: Editor, text: &str) -> Option<Documents> {
        match read::documents(editor, text) {
            Ok(documents) => (!documents.values.is_empty()).then_some(documents),
            Err(note) => {
                self.problems.push(note);
                None
            }
        }
    }
}

fn of_crd(read: &Read, text: &str) -> Result<OfCrd, Note> {
    let problem = |problem| Note::of_problem(Editor::Crd, &problem);
    let said = read.crds.judge(None).map_err(problem)?;
    let (errors, warnings) = match read.placed() {
        Some(placed) => {
            let about = About {
                editor: Editor::Crd,
                text,
                placed,
                judged: placed.object,
            };
            (
                about.findings(&said.errors, |_| None),
                about.warnings(&said.warnings, &[]),
            )
        }
        None => (
            Note::list(Editor::Crd, said.errors.iter().map(Finding::line)),
            Note::list(Editor::Crd, said.warnings.iter().map(|warning| &**warning)),
        ),
    };
    Ok(OfCrd {
        accepted: said.errors.is_empty(),
        errors,
        warnings,
        notes: [said.notes, read.documents.notes.clone()].concat(),
    })
}

/// Returns the verdict on the new object in place of the stored one.
fn of_object(
    question: &Question,
    documents: &Documents,
    stored: Option<Object>,
    crds: &mut Crds,
) -> Result<OfObject, Problem> {
    let (mut new, placed) = read::object(documents, crds)?;
    let is_namespaced = crds.is_namespaced(new.crd);
    let stored = stored.map(|mut stored| {
        manifest::complete_stored(&mut stored.value, is_namespaced);
        stored.value
    });
    let stored = stored.as_ref();
    if question.status && stored.is_none() {
        let problem = "a status update needs a stored object; add the stored object";
        return Err(Problem::new(new.file, problem));
    }
    manifest::complete(&mut new.value, stored, is_namespaced);
    let sent = new.value.clone();
    let settings = question.settings();
    let served = ask(&new, stored, question.status, &settings, crds)?;
    let (report, normalized, notes) = if question.normalize {
        let (answer, notes) = normalize(&served, &new, stored, crds)?;
        new.value = answer.object;
        let settings = settings.unions(Settings::default());
        let report = ask(&new, stored, question.status, &settings, crds)?;
        (Some(report), answer.changes, notes)
    } else {
        (None, Vec::new(), Vec::new())
    };
    let last = report.as_ref().unwrap_or(&served);
    let stages = Stages {
        sent: &sent,
        served: &served.judgement.object,
        last: &last.judgement.object,
        of_status: crds.has_status(new.crd, &sent).then_some(question.status),
    };
    let lines = stored::lines(&stages);
    Ok(said(
        last,
        placed,
        &question.new,
        normalized,
        [notes, documents.notes.clone()].concat(),
        lines,
    ))
}

fn said(
    report: &Report,
    placed: Placed<'_>,
    text: &str,
    changes: Vec<Change>,
    notes: Vec<String>,
    lines: Vec<Line>,
) -> OfObject {
    let judgement = &report.judgement;
    let about = About {
        editor: Editor::New,
        text,
        placed,
        judged: &judgement.object,
    };
    OfObject {
        title: report.title.clone(),
        op: report.op,
        accepted: judgement.is_accepted(),
        errors: about.findings(&judgement.errors, |_| None),
        ratcheted: about.findings(&judgement.ratcheted, |finding| Some(why(finding))),
        warnings: about.warnings(&judgement.warnings, &judgement.warned),
        changes,
        notes,
        lines,
    }
}

/// Returns the object as a webhook returns it, normalized by the unions that the CRD declares, or
/// by the unions of its rules if it declares none.
fn normalize(
    served: &Report,
    new: &Object,
    stored: Option<&Value>,
    crds: &Crds,
) -> Result<(Answer, Vec<String>), Problem> {
    let version = crds.version_for(new.crd, &new.value).map(str::to_owned);
    let source = Source::of_version(&crds.file, crds.document(new.crd), version);
    let (unions, mut notes) = source.unions()?;
    let foreign = if unions.is_empty() && notes.is_empty() {
        source.foreign()?
    } else {
        None
    };
    let unions = match &foreign {
        Some(foreign) => {
            notes.extend_from_slice(&foreign.notes);
            &foreign.unions
        }
        None => &unions,
    };
    let object = served.judgement.object.clone();
    let answer = Answer::of(unions, object, stored, Settings::default());
    if let Some(foreign) = &foreign {
        notes.extend(foreign.refused(&answer.changes));
    }
    Ok((answer, notes))
}
