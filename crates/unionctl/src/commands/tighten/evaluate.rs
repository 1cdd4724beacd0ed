//! The results of requests for a stored object by the new schema.

use std::collections::{HashMap, HashSet};

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};
use union_runtime::path::PathStep;

use super::before_update::{EarlierObject, earlier_object};
use super::tightened_error::{RequestOutcome, TightenedError};
use crate::judge::check_reply::{CheckReply, ObjectRequest};
use crate::judge::unions_reply::FieldError;

/// The annotation of the unrelated update.
const UNRELATED_ANNOTATION: &str = "unionctl/unrelated";

/// The schemas and settings that judge an object.
pub(super) struct ObjectEvaluator<'a> {
    /// The new schema.
    pub(super) schema: &'a StructuralSchema,
    /// The old schema, if there is one for the object.
    pub(super) old_schema: Option<&'a StructuralSchema>,
    /// True if status is a subresource.
    pub(super) has_status: bool,
    pub(super) settings: &'a ServerSettings,
}

/// The findings in an object.
pub(super) struct TightenOutcome {
    pub(super) findings: Vec<TightenedError>,
    /// The result of a create, for any reason; `unrelated_update` is the result of an unrelated
    /// update.
    pub(super) create: RequestOutcome,
    pub(super) unrelated_update: RequestOutcome,
    /// Warnings that do not name a field.
    pub(super) notes: Vec<String>,
}

impl ObjectEvaluator<'_> {
    pub(super) fn evaluate(&self, stored: &Value) -> TightenOutcome {
        let create = self.validate(ObjectRequest::Create, stored.clone(), self.settings);
        let unrelated = self.unrelated_update(stored);
        // The object after pruning and defaulting: the paths of errors are paths in this object.
        let as_it_is = self.validate(ObjectRequest::Update(stored), stored.clone(), self.settings);
        let of_old = self.old_schema.map(|was| {
            CheckReply::validate(was, ObjectRequest::Create, stored.clone(), self.settings)
        });
        let (found, notes) = wrong(&[&create, &unrelated]);
        let mut touching = HashMap::new();
        let mut findings = Vec::new();
        for finding in found {
            let update = touching
                .entry(finding.path.clone())
                .or_insert_with(|| self.update_of_field(&as_it_is.object, &finding));
            findings.push(TightenedError {
                create: error_outcome(&finding, &create),
                unrelated_update: error_outcome(&finding, &unrelated),
                update_of_field: error_outcome(&finding, update),
                old_schema: of_old
                    .as_ref()
                    .map(|of_old| error_outcome(&finding, of_old)),
                error: finding,
            });
        }
        TightenOutcome {
            findings,
            create: request_outcome(&create),
            unrelated_update: request_outcome(&unrelated),
            notes,
        }
    }

    fn validate(
        &self,
        request: ObjectRequest<'_>,
        new: Value,
        settings: &ServerSettings,
    ) -> CheckReply {
        CheckReply::validate(self.schema, request, new, settings)
    }

    fn unrelated_update(&self, stored: &Value) -> CheckReply {
        let mut new = stored.clone();
        let metadata = new.get_mut("metadata").and_then(Value::as_object_mut);
        let annotations = metadata.map(|metadata| metadata.entry("annotations"));
        let annotations = annotations.map(|entry| entry.or_insert_with(|| json!({})));
        if let Some(annotations) = annotations.and_then(Value::as_object_mut) {
            annotations.insert(UNRELATED_ANNOTATION.to_owned(), json!("yes"));
        }
        self.validate(ObjectRequest::Update(stored), new, self.settings)
    }

    /// Judges an update that changes the field of a finding, and keeps its invalid value.
    fn update_of_field(&self, object: &Value, finding: &FieldError) -> CheckReply {
        let strictly = || {
            let settings = self.settings.clone().ratchet(false);
            self.validate(ObjectRequest::Update(object), object.clone(), &settings)
        };
        let update = |old: &Value, new: &Value| {
            let is_of_status = finding.path.steps().next() == Some(PathStep::Field("status"));
            let request = if self.has_status && is_of_status {
                ObjectRequest::UpdateStatus(old)
            } else {
                ObjectRequest::Update(old)
            };
            self.validate(request, new.clone(), self.settings)
        };
        match earlier_object(object, &finding.path) {
            Some(EarlierObject::FieldAbsent(old)) => update(&old, object),
            Some(EarlierObject::FieldPresent(old)) => {
                // A schema without the field prunes it from both objects: no update can change it.
                let read = update(&old, &old).object;
                match finding.path.find(&read) {
                    Some(_) => update(&old, object),
                    None => strictly(),
                }
            }
            None => strictly(),
        }
    }
}

/// Returns the errors, each once, and the other warnings.
fn wrong(judgements: &[&CheckReply]) -> (Vec<FieldError>, Vec<String>) {
    let (mut seen, mut seen_notes) = (HashSet::new(), HashSet::new());
    let (mut wrong, mut notes) = (Vec::new(), Vec::new());
    for judgement in judgements {
        let tolerated = judgement.ratcheted.iter().chain(&judgement.warned);
        for finding in judgement.errors.iter().chain(tolerated) {
            // This error is about other errors, which are found themselves.
            if !finding.is_rules_not_checked() && seen.insert(finding.key()) {
                wrong.push(finding.clone());
            }
        }
        let is_finding = |text: &str| judgement.warned.iter().any(|found| found.line() == text);
        for warning in &judgement.warnings {
            if !is_finding(warning) && seen_notes.insert(warning) {
                notes.push(warning.clone());
            }
        }
    }
    (wrong, notes)
}

fn request_outcome(judgement: &CheckReply) -> RequestOutcome {
    if judgement.is_accepted() {
        RequestOutcome::Accepted
    } else {
        RequestOutcome::Refused
    }
}

/// Returns the result of a request, as far as a finding is concerned.
fn error_outcome(finding: &FieldError, judgement: &CheckReply) -> RequestOutcome {
    let is_it = |other: &FieldError| other.key() == finding.key();
    let mut tolerated = judgement.ratcheted.iter().chain(&judgement.warned);
    let mut errors = judgement.errors.iter().chain(&judgement.repeated);
    if errors.any(is_it) {
        RequestOutcome::Refused
    } else if tolerated.any(is_it) {
        RequestOutcome::Tolerated
    } else if judgement
        .errors
        .iter()
        .any(FieldError::is_rules_not_checked)
    {
        RequestOutcome::Unchecked
    } else {
        RequestOutcome::Accepted
    }
}
