//! What happens to requests for a stored object by the new schema.

use std::collections::{HashMap, HashSet};

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};
use union_runtime::path::Step;

use super::finding::{Fate, Judged};
use super::touch::{Earlier, earlier};
use crate::answer::Finding;
use crate::judgement::{Judgement, Request};

/// The annotation of the unrelated update.
const ANNOTATION: &str = "unionctl/unrelated";

/// What judges an object.
pub(super) struct Judge<'a> {
    /// The new schema.
    pub(super) schema: &'a StructuralSchema,
    /// The old one, if there is one for the object.
    pub(super) was: Option<&'a StructuralSchema>,
    /// Whether status is a resource of its own.
    pub(super) has_status: bool,
    pub(super) settings: &'a ServerSettings,
}

/// What was found in an object.
pub(super) struct Found {
    pub(super) findings: Vec<Judged>,
    /// Whether the requests are refused, for whatever reason.
    pub(super) create: Fate,
    pub(super) unrelated_update: Fate,
    /// Warnings that are of no field.
    pub(super) notes: Vec<String>,
}

impl Judge<'_> {
    pub(super) fn judge(&self, stored: &Value) -> Found {
        let create = self.ask(Request::Create, stored.clone(), self.settings);
        let unrelated = self.unrelated_update(stored);
        // As it is after pruning and defaulting: fields of errors are fields of it.
        let as_it_is = self.ask(Request::Update(stored), stored.clone(), self.settings);
        let of_old = self
            .was
            .map(|was| Judgement::of(was, Request::Create, stored.clone(), self.settings));
        let (found, notes) = wrong(&[&create, &unrelated]);
        let mut touching = HashMap::new();
        let mut findings = Vec::new();
        for finding in found {
            let text = finding.line();
            let update = touching
                .entry(finding.path.clone())
                .or_insert_with(|| self.touch(&as_it_is.object, &finding));
            findings.push(Judged {
                create: fate_of(text, &create),
                unrelated_update: fate_of(text, &unrelated),
                update_of_field: fate_of(text, update),
                old_schema: of_old.as_ref().map(|of_old| fate_of(text, of_old)),
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

    /// An update that changes the field of a finding, and leaves it as wrong as it is.
    fn touch(&self, object: &Value, finding: &Finding) -> Judgement {
        let strictly = || {
            let settings = self.settings.clone().ratchet(false);
            self.ask(Request::Update(object), object.clone(), &settings)
        };
        let update = |old: &Value| {
            let is_of_status = finding.path.steps().next() == Some(Step::Field("status"));
            let request = if self.has_status && is_of_status {
                Request::Status(old)
            } else {
                Request::Update(old)
            };
            self.ask(request, object.clone(), self.settings)
        };
        match earlier(object, &finding.path) {
            Some(Earlier::Without(old)) => update(&old),
            Some(Earlier::With(old)) => {
                let judgement = update(&old);
                // The schema may not know the field that is missing, and prune it: then nothing has changed.
                if fate_of(finding.line(), &judgement) == Fate::Tolerated {
                    strictly()
                } else {
                    judgement
                }
            }
            None => strictly(),
        }
    }
}

/// What is wrong, each thing once, and what else is said.
fn wrong(judgements: &[&Judgement]) -> (Vec<Finding>, Vec<String>) {
    let mut seen = HashSet::new();
    let (mut wrong, mut notes) = (Vec::new(), Vec::new());
    for judgement in judgements {
        let tolerated = judgement.ratcheted.iter().chain(&judgement.warned);
        for finding in judgement.errors.iter().chain(tolerated) {
            // It is said of other errors, which are found themselves.
            if !is_of_others(finding) && seen.insert(finding.line().to_owned()) {
                wrong.push(finding.clone());
            }
        }
        for warning in &judgement.warnings {
            if seen.insert(warning.clone()) {
                notes.push(warning.clone());
            }
        }
    }
    (wrong, notes)
}

/// What a server says where other errors keep it from evaluating CEL rules.
const NOT_CHECKED: &str = "some validation rules were not checked because the object was invalid";

/// Whether it says nothing but that there are others.
fn is_of_others(finding: &Finding) -> bool {
    finding.line().contains(NOT_CHECKED)
}

fn fate(judgement: &Judgement) -> Fate {
    if judgement.is_accepted() {
        Fate::Accepted
    } else {
        Fate::Refused
    }
}

/// What happens to a request, as far as one thing is concerned.
fn fate_of(text: &str, judgement: &Judgement) -> Fate {
    let is_it = |finding: &Finding| finding.line() == text;
    let is_warned_of = judgement.warnings.iter().any(|warning| warning == text);
    if judgement.errors.iter().any(is_it) {
        Fate::Refused
    } else if is_warned_of || judgement.ratcheted.iter().any(is_it) {
        Fate::Tolerated
    } else if judgement.errors.iter().any(is_of_others) {
        Fate::Unchecked
    } else {
        Fate::Accepted
    }
}
