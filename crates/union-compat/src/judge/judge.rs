//! The validation of requests by both versions.

use k8s_crd_validation::{Report, ServerSettings};
use serde_json::Value;
use union_json::document::SchemaPath;
use union_runtime::{Settings, Violation};

use crate::judge::verdict::{Answer, Fate, Verdict};
use crate::version::place::Place;
use crate::version::version::Version;
use crate::world::frame::{Frame, Which};

/// A validator of requests to a place, in both versions.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub(crate) versions: [&'a Version; 2],
    pub(crate) path: &'a SchemaPath,
    pub(crate) frame: &'a Frame,
    /// The fields of the unions. A field that is not stored counts as lost.
    pub(crate) fields: &'a [String],
}

/// The result of a request.
pub(crate) struct Answered {
    pub(crate) verdict: Verdict,
    /// The stored object at the place, if the server accepts the request.
    pub(crate) stored: Option<Value>,
    pub(crate) lost: Vec<String>,
}

impl Answered {
    pub(crate) fn fate(&self) -> Fate {
        self.verdict.fate(&self.lost)
    }

    /// Returns true if the request is accepted and all fields are stored.
    pub(crate) fn is_kept(&self) -> bool {
        !self.verdict.is_refused() && self.lost.is_empty()
    }
}

impl<'a> Judge<'a> {
    fn place(&self, which: Which) -> Option<&'a Place> {
        which.of(self.versions).place(self.path)
    }

    /// Returns the result of creating an object at the place.
    pub(crate) fn create(&self, which: Which, object: &Value) -> Answered {
        let union = self.place(which).map_or(Answer::Accepted, |place| {
            let said = place.unions.validate(object);
            if said.is_accepted() {
                Answer::Accepted
            } else {
                Answer::Refused(texts(said.errors()))
            }
        });
        let mut whole = self.frame.with(object);
        let server = self.frame.server(which, self.versions);
        let outcome = server.create(&mut whole, &ServerSettings::default());
        self.answered(union, &outcome, object, &whole)
    }

    /// Returns the result of replacing one whole object by another. `wanted` is the object at the
    /// place whose fields should all be stored.
    fn update(&self, which: Which, old: &Value, new: &Value, wanted: &Value) -> Answered {
        let at = |whole: &Value| self.frame.of(whole).cloned().unwrap_or_default();
        let union = self.place(which).map_or(Answer::Accepted, |place| {
            let said = place
                .unions
                .admit(&mut at(new), Some(&at(old)), &Settings::default());
            if !said.is_accepted() {
                Answer::Refused(texts(said.errors()))
            } else if said.tolerated().is_empty() {
                Answer::Accepted
            } else {
                Answer::Tolerated(texts(said.tolerated()))
            }
        });
        let (mut whole, old) = (
            self.frame.stored(new.clone()),
            self.frame.stored(old.clone()),
        );
        let server = self.frame.server(which, self.versions);
        let outcome = server.update(&mut whole, &old, &ServerSettings::default());
        self.answered(union, &outcome, wanted, &whole)
    }

    /// Returns the result of an update that changes a stored object only outside of the place.
    pub(crate) fn edit_elsewhere(&self, which: Which, stored: &Value) -> Answered {
        let old = self.frame.with(stored);
        let mut new = old.clone();
        self.frame.edit_elsewhere(&mut new);
        self.update(which, &old, &new, stored)
    }

    /// Returns the result of replacing one object at the place by another.
    pub(crate) fn replace(&self, which: Which, old: &Value, new: &Value) -> Answered {
        self.update(which, &self.frame.with(old), &self.frame.with(new), new)
    }

    /// Returns the whole object as a client of a version writes it back after reading it.
    pub(crate) fn read(&self, client: Which, stored: &Value) -> Result<Value, String> {
        let whole = self.frame.with(stored);
        self.frame.read(client, self.versions, self.path, &whole)
    }

    /// Returns the fate of an update by a client of one version that reads a stored object, changes
    /// something outside of the place, and writes the object back to a server of another version.
    pub(crate) fn write_back(&self, client: Which, server: Which, stored: &Value) -> Fate {
        match self.read(client, stored) {
            Err(why) => Fate::Unreadable(why),
            Ok(mut seen) => {
                self.frame.edit_elsewhere(&mut seen);
                let old = self.frame.with(stored);
                self.update(server, &old, &seen, stored).fate()
            }
        }
    }

    fn answered(&self, union: Answer, outcome: &Report, wanted: &Value, whole: &Value) -> Answered {
        let own = |text: String| match text.strip_prefix(&self.frame.path) {
            Some(rest) => rest.to_owned(),
            None => text,
        };
        let errors =
            |errors: &[Violation]| errors.iter().map(|error| own(error.to_string())).collect();
        let server = if outcome.is_accepted() {
            let mut tolerated: Vec<String> = errors(outcome.tolerated());
            tolerated.extend(outcome.warnings().iter().cloned().map(own));
            if tolerated.is_empty() {
                Answer::Accepted
            } else {
                Answer::Tolerated(tolerated)
            }
        } else {
            Answer::Refused(errors(outcome.errors()))
        };
        let stored = Some(self.frame.of(whole).cloned().unwrap_or_default());
        let stored = stored.filter(|_| !server.is_refused());
        let lost = stored.as_ref().map_or(Vec::new(), |stored| {
            let is_lost =
                |field: &&String| wanted.get(field).is_some() && stored.get(field).is_none();
            self.fields.iter().filter(is_lost).cloned().collect()
        });
        Answered {
            verdict: Verdict { union, server },
            stored,
            lost,
        }
    }
}

fn texts<'v>(violations: impl IntoIterator<Item = &'v Violation>) -> Vec<String> {
    violations.into_iter().map(ToString::to_string).collect()
}
