//! The results of requests for a stored object by the new schema.

use std::collections::{HashMap, HashSet};

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};
use union_runtime::path::Step;

use super::finding::{Fate, Judged};
use super::touch::{Earlier, earlier};
use crate::judge::answer::Finding;
use crate::judge::judgement::{Judgement, Request};

/// The annotation of the unrelated update.
const ANNOTATION: &str = "unionctl/unrelated";

/// The schemas and settings that judge an object.
pub(super) struct Judge<'a> {
    /// The new schema.
    pub(super) schema: &'a StructuralSchema,
    /// The old schema, if there is one for the object.
    pub(super) was: Option<&'a StructuralSchema>,
    /// True if status is a subresource.
    pub(super) has_status: bool,
    pub(super) settings: &'a ServerSettings,
}

/// The findings in an object.
pub(super) struct Found {
    pub(super) findings: Vec<Judged>,
    /// The result of a create, for any reason; `unrelated_update` is the result of an unrelated
    /// update.
    pub(super) create: Fate,
    pub(super) unrelated_update: Fate,
    /// Warnings that do not name a field.
    pub(super) notes: Vec<String>,
}

impl Judge<'_> {
    pub(super) fn judge(&self, stored: &Value) -> Found {
        let create = self.ask(Request::Create, stored.clone(), self.settings);
        let unrelated = self.unrelated_update(stored);
        // The object after pruning and defaulting: the paths of errors are paths in this object.
        let as_it_is = self.ask(Request::Update(stored), stored.clone(), self.settings);
        let of_old = self
            .was
            .map(|was| Judgement::of(was, Request::Create, stored.clone(), self.settings));
        let (found, notes) = wrong(&[&create, &unrelated]);
        let mut touching = HashMap::new();
        let mut findings = Vec::new();
        for finding in found {
            let update = touching
                .entry(finding.path.clone())
                .or_insert_with(|| self.touch(&as_it_is.object, &finding));
            findings.push(Judged {
                create: fate_of(&finding, &create),
                unrelated_update: fate_of(&finding, &unrelated),
                update_of_field: fate_of(&finding, update),
                old_schema: of_old.as_ref().map(|of_old| fate_of(&finding, of_old)),
                finding,
            });
        }
        Found {
            findings,
            create: fate(&create),
            unrelated_update: fate(&unrelated),
            notes,
        }
    }

    fn ask(&self, request: Request<'_>, new: Value, settings: &ServerSettings) -> Judgement {
        Judgement::of(self.schema, request, new, settings)
    }

    fn unrelated_update(&self, stored: &Value) -> Judgement {
        let mut new = stored.clone();
        let metadata = new.get_mut("metadata").and_then(Value::as_object_mut);
        let annotations = metadata.map(|metadata| metadata.entry("annotations"));
        let annotations = annotations.map(|entry| entry.or_insert_with(|| json!({})));
        if let Some(annotations) = annotations.and_then(Value::as_object_mut) {
            annotations.insert(ANNOTATION.to_owned(), json!("yes"));
        }
        self.ask(Request::Update(stored), new, self.settings)
    }

    /// Judges an update that changes the field of a finding, and keeps its invalid value.
    fn touch(&self, object: &Value, finding: &Finding) -> Judgement {
        let strictly = || {
            let settings = self.settings.clone().ratchet(false);
            self.ask(Request::Update(object), object.clone(), &settings)
        };
        let update = |old: &Value, new: &Value| {
            let is_of_status = finding.path.steps().next() == Some(Step::Field("status"));
            let request = if self.has_status && is_of_status {
                Request::Status(old)
            } else {
                Request::Update(old)
            };
            self.ask(request, new.clone(), self.settings)
        };
        match earlier(object, &finding.path) {
            Some(Earlier::Without(old)) => update(&old, object),
            Some(Earlier::With(old)) => {
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
fn wrong(judgements: &[&Judgement]) -> (Vec<Finding>, Vec<String>) {
    let mut seen = HashSet::new();
    let (mut wrong, mut notes) = (Vec::new(), Vec::new());
    for judgement in judgements {
        let tolerated = judgement.ratcheted.iter().chain(&judgement.warned);
        for finding in judgement.errors.iter().chain(tolerated) {
            // This error is about other errors, which are found themselves.
            if !finding.is_of_unchecked_rules() && seen.insert(finding.key()) {
                wrong.push(finding.clone());
            }
        }
        let is_finding = |text: &str| judgement.warned.iter().any(|found| found.line() == text);
        for warning in &judgement.warnings {
            if !is_finding(warning) && !notes.contains(warning) {
                notes.push(warning.clone());
            }
        }
    }
    (wrong, notes)
}

fn fate(judgement: &Judgement) -> Fate {
    if judgement.is_accepted() {
        Fate::Accepted
    } else {
        Fate::Refused
    }
}

/// Returns the result of a request, as far as a finding is concerned.
fn fate_of(finding: &Finding, judgement: &Judgement) -> Fate {
    let is_it = |other: &Finding| other.key() == finding.key();
    let mut tolerated = judgement.ratcheted.iter().chain(&judgement.warned);
    let mut errors = judgement.errors.iter().chain(&judgement.repeated);
    if errors.any(is_it) {
        Fate::Refused
    } else if tolerated.any(is_it) {
        Fate::Tolerated
    } else if judgement.errors.iter().any(Finding::is_of_unchecked_rules) {
        Fate::Unchecked
    } else {
        Fate::Accepted
    }
}
