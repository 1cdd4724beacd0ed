//! The verdict of an API server on the CRD and on the new object.

use serde::Serialize;
use serde_json::Value;
use union_runtime::Settings;

use super::crd::CrdVerdict;
use super::editor_inputs::{self, EditorInputs, ParsedCrds};
use super::editor_message::{Editor, EditorMessage, Subject};
use super::request::PageRequest;
use super::stored_diff::{self, DiffLine, RequestStages};
use crate::commands::check::files::check_request;
use crate::commands::check::object_report::{ObjectReport, tolerance_reason};
use crate::error::CommandError;
use crate::input::{Documents, LocatedObject};
use crate::judge::crds::Crds;
use crate::judge::manifest;
use crate::judge::objects::InputObject;
use crate::judge::schema::LoadedSchema;
use crate::judge::unions_reply::{Change, FieldError, UnionsReply};

#[derive(Default, Serialize)]
pub(super) struct JudgeReply {
    /// The reasons for which parts of the question have no verdict.
    problems: Vec<EditorMessage>,
    crd: Option<CrdVerdict>,
    object: Option<ObjectVerdict>,
}

#[derive(Serialize)]
struct ObjectVerdict {
    /// The request: `update of Backup "default/nightly"`.
    title: String,
    op: &'static str,
    accepted: bool,
    errors: Vec<EditorMessage>,
    ratcheted: Vec<EditorMessage>,
    warnings: Vec<EditorMessage>,
    /// The changes of normalizing.
    changes: Vec<Change>,
    notes: Vec<String>,
    /// The object as it was sent and as it would be stored, in one list of lines.
    lines: Vec<DiffLine>,
}

pub(super) fn judge_reply(texts: &mut EditorInputs, question: &PageRequest) -> JudgeReply {
    let mut judged = JudgeReply::default();
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
    match crd.crd_verdict(|read| of_crd(read, &question.crd)) {
        Ok(of_crd) => judged.crd = Some(of_crd),
        Err(note) => judged.problems.push(note),
    }
    let Some(new) = new.filter(|_| judged.problems.is_empty()) else {
        return judged;
    };
    let stored = stored
        .map(|stored| editor_inputs::select_object(&stored, &crd.crds).map(|(stored, _)| stored));
    let stored = match stored.transpose() {
        Ok(stored) => stored,
        Err(problem) => {
            judged.add_problem(Editor::Stored, &problem);
            return judged;
        }
    };
    match object_verdict(question, &new, stored, &mut crd.crds) {
        Ok(object) => judged.object = Some(object),
        Err(problem) => judged.add_problem(Editor::New, &problem),
    }
    judged
}

impl JudgeReply {
    fn add_problem(&mut self, editor: Editor, problem: &CommandError) {
        self.problems
            .push(EditorMessage::from_command_error(editor, problem));
    }

    /// Returns the documents of an editor; `None` if it has none, or if they have invalid syntax,
    /// which is added to the problems.
    fn documents(&mut self, editor: Editor, text: &str) -> Option<Documents> {
        match editor_inputs::parse_documents(editor, text) {
            Ok(documents) => (!documents.values.is_empty()).then_some(documents),
            Err(note) => {
                self.problems.push(note);
                None
            }
        }
    }
}

fn of_crd(read: &ParsedCrds, text: &str) -> Result<CrdVerdict, EditorMessage> {
    let problem = |problem| EditorMessage::from_command_error(Editor::Crd, &problem);
    let said = read.crds.validate(None).map_err(problem)?;
    let (errors, warnings) = match read.single_crd() {
        Some(placed) => {
            let about = Subject {
                editor: Editor::Crd,
                source: text,
                located: placed,
                judged: placed.object,
            };
            (
                about.error_messages(&said.errors, |_| None),
                about.warning_messages(&said.warnings, &[], &said.unknown_fields),
            )
        }
        None => (
            EditorMessage::without_positions(Editor::Crd, said.errors.iter().map(FieldError::line)),
            EditorMessage::without_positions(
                Editor::Crd,
                said.warnings.iter().map(|warning| &**warning),
            ),
        ),
    };
    Ok(CrdVerdict {
        accepted: said.errors.is_empty(),
        errors,
        warnings,
        notes: [said.notes, read.documents.notes.clone()].concat(),
    })
}

/// Returns the verdict on the new object in place of the stored one.
fn object_verdict(
    question: &PageRequest,
    documents: &Documents,
    stored: Option<InputObject>,
    crds: &mut Crds,
) -> Result<ObjectVerdict, CommandError> {
    let (mut new, placed) = editor_inputs::select_object(documents, crds)?;
    let is_namespaced = crds.is_namespaced(new.crd);
    let stored = stored.map(|mut stored| {
        manifest::complete_stored(&mut stored.value, is_namespaced);
        stored.value
    });
    let stored = stored.as_ref();
    if question.status && stored.is_none() {
        let problem = "a status update needs a stored object; add the stored object";
        return Err(CommandError::new(new.file, problem));
    }
    manifest::complete(&mut new.value, stored, is_namespaced);
    let sent = new.value.clone();
    let settings = question.settings();
    let served = check_request(&new, stored, question.status, &settings, crds)?;
    let (report, normalized, notes) = if question.normalize {
        let (answer, notes) = normalize(&served, &new, stored, crds)?;
        new.value = answer.object;
        let settings = settings.unions(Settings::default());
        let report = check_request(&new, stored, question.status, &settings, crds)?;
        (Some(report), answer.changes, notes)
    } else {
        (None, Vec::new(), Vec::new())
    };
    let last = report.as_ref().unwrap_or(&served);
    let stages = RequestStages {
        sent: &sent,
        served: &served.reply.object,
        last: &last.reply.object,
        of_status: crds
            .has_status_subresource(new.crd, &sent)
            .then_some(question.status),
    };
    let lines = stored_diff::diff_lines(&stages);
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
    report: &ObjectReport,
    placed: LocatedObject<'_>,
    text: &str,
    changes: Vec<Change>,
    notes: Vec<String>,
    lines: Vec<DiffLine>,
) -> ObjectVerdict {
    let judgement = &report.reply;
    let about = Subject {
        editor: Editor::New,
        source: text,
        located: placed,
        judged: &judgement.object,
    };
    ObjectVerdict {
        title: report.title.clone(),
        op: report.op,
        accepted: judgement.is_accepted(),
        errors: about.error_messages(&judgement.errors, |_| None),
        ratcheted: about.error_messages(&judgement.ratcheted, |finding| {
            Some(tolerance_reason(finding))
        }),
        warnings: about.warning_messages(
            &judgement.warnings,
            &judgement.warned,
            &judgement.unknown_fields,
        ),
        changes,
        notes,
        lines,
    }
}

/// Returns the object as a webhook returns it, normalized by the unions that the CRD declares, or
/// by the unions of its rules if it declares none.
fn normalize(
    served: &ObjectReport,
    new: &InputObject,
    stored: Option<&Value>,
    crds: &Crds,
) -> Result<(UnionsReply, Vec<String>), CommandError> {
    let version = crds.version_for(new.crd, &new.value).map(str::to_owned);
    let source = LoadedSchema::for_crd_version(&crds.file, crds.document(new.crd), version);
    let (unions, mut notes) = source.unions()?;
    let foreign = if unions.is_empty() && notes.is_empty() {
        source.inferred_unions()?
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
    let object = served.reply.object.clone();
    let answer = UnionsReply::admit(unions, object, stored, Settings::default());
    if let Some(foreign) = &foreign {
        notes.extend(foreign.rejection_notes(&answer.changes));
    }
    Ok((answer, notes))
}
