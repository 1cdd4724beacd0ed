//! The validation of requests by both versions.

use k8s_crd_validation::{Report, ServerSettings};
use serde_json::Value;
use union_json::document::SchemaPath;
use union_runtime::{Settings, Violation};

use crate::judge::decision::{Decision, Decisions, RequestOutcome};
use crate::version::union_object::UnionObject;
use crate::version::version::ApiVersion;
use crate::world::enclosing_object::{EnclosingObject, VersionSide};

/// A validator of requests to a place, in both versions.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub(crate) versions: [&'a ApiVersion; 2],
    pub(crate) path: &'a SchemaPath,
    pub(crate) enclosing: &'a EnclosingObject,
    /// The fields of the unions. A field that is not stored counts as lost.
    pub(crate) fields: &'a [String],
}

/// The result of a request.
pub(crate) struct StoredResult {
    pub(crate) decisions: Decisions,
    /// The stored object at the place, if the server accepts the request.
    pub(crate) stored: Option<Value>,
    pub(crate) lost: Vec<String>,
}

impl StoredResult {
    pub(crate) fn outcome(&self) -> RequestOutcome {
        self.decisions.outcome(&self.lost)
    }

    /// Returns true if the request is accepted and all fields are stored.
    pub(crate) fn is_stored_in_full(&self) -> bool {
        !self.decisions.is_refused() && self.lost.is_empty()
    }
}

impl<'a> Judge<'a> {
    fn place(&self, which: VersionSide) -> Option<&'a UnionObject> {
        which.select(self.versions).union_object(self.path)
    }

    /// Returns the result of creating an object at the place.
    pub(crate) fn create(&self, which: VersionSide, object: &Value) -> StoredResult {
        let union = self.place(which).map_or(Decision::Accepted, |place| {
            let said = place.validator.validate(object);
            if said.is_accepted() {
                Decision::Accepted
            } else {
                Decision::Refused(messages(said.errors()))
            }
        });
        let mut whole = self.enclosing.with_object(object);
        let server = self.enclosing.server(which, self.versions);
        let outcome = server.create(&mut whole, &ServerSettings::default());
        self.stored_result(union, &outcome, object, &whole)
    }

    /// Returns the result of replacing one whole object by another. `wanted` is the object at the
    /// place whose fields should all be stored.
    fn update(&self, which: VersionSide, old: &Value, new: &Value, wanted: &Value) -> StoredResult {
        let at = |whole: &Value| self.enclosing.object_in(whole).cloned().unwrap_or_default();
        let union = self.place(which).map_or(Decision::Accepted, |place| {
            let said = place
                .validator
                .admit(&mut at(new), Some(&at(old)), &Settings::default());
            if !said.is_accepted() {
                Decision::Refused(messages(said.errors()))
            } else if said.tolerated().is_empty() {
                Decision::Accepted
            } else {
                Decision::Tolerated(messages(said.tolerated()))
            }
        });
        let (mut whole, old) = (
            self.enclosing.with_resource_version(new.clone()),
            self.enclosing.with_resource_version(old.clone()),
        );
        let server = self.enclosing.server(which, self.versions);
        let outcome = server.update(&mut whole, &old, &ServerSettings::default());
        self.stored_result(union, &outcome, wanted, &whole)
    }

    /// Returns the result of an update that changes a stored object only outside of the place.
    pub(crate) fn edit_elsewhere(&self, which: VersionSide, stored: &Value) -> StoredResult {
        let old = self.enclosing.with_object(stored);
        let mut new = old.clone();
        self.enclosing.edit_elsewhere(&mut new);
        self.update(which, &old, &new, stored)
    }

    /// Returns the result of replacing one object at the place by another.
    pub(crate) fn replace(&self, which: VersionSide, old: &Value, new: &Value) -> StoredResult {
        self.update(
            which,
            &self.enclosing.with_object(old),
            &self.enclosing.with_object(new),
            new,
        )
    }

    /// Returns the whole object as a client of a version writes it back after reading it.
    pub(crate) fn read_as_client(
        &self,
        client: VersionSide,
        stored: &Value,
    ) -> Result<Value, String> {
        let whole = self.enclosing.with_object(stored);
        self.enclosing
            .read_as_client(client, self.versions, self.path, &whole)
    }

    /// Returns the fate of an update by a client of one version that reads a stored object, changes
    /// something outside of the place, and writes the object back to a server of another version.
    pub(crate) fn write_back(
        &self,
        client: VersionSide,
        server: VersionSide,
        stored: &Value,
    ) -> RequestOutcome {
        match self.read_as_client(client, stored) {
            Err(why) => RequestOutcome::Unreadable(why),
            Ok(mut seen) => {
                self.enclosing.edit_elsewhere(&mut seen);
                let old = self.enclosing.with_object(stored);
                self.update(server, &old, &seen, stored).outcome()
            }
        }
    }

    fn stored_result(
        &self,
        union: Decision,
        outcome: &Report,
        wanted: &Value,
        whole: &Value,
    ) -> StoredResult {
        let own = |text: String| match text.strip_prefix(&self.enclosing.path_prefix) {
            Some(rest) => rest.to_owned(),
            None => text,
        };
        let errors =
            |errors: &[Violation]| errors.iter().map(|error| own(error.to_string())).collect();
        let server = if outcome.is_accepted() {
            let mut tolerated: Vec<String> = errors(outcome.tolerated());
            tolerated.extend(outcome.warnings().iter().cloned().map(own));
            if tolerated.is_empty() {
                Decision::Accepted
            } else {
                Decision::Tolerated(tolerated)
            }
        } else {
            Decision::Refused(errors(outcome.errors()))
        };
        let stored = Some(self.enclosing.object_in(whole).cloned().unwrap_or_default());
        let stored = stored.filter(|_| !server.is_refused());
        let lost = stored.as_ref().map_or(Vec::new(), |stored| {
            let is_lost =
                |field: &&String| wanted.get(field).is_some() && stored.get(field).is_none();
            self.fields.iter().filter(is_lost).cloned().collect()
        });
        StoredResult {
            decisions: Decisions { union, server },
            stored,
            lost,
        }
    }
}

fn messages<'v>(violations: impl IntoIterator<Item = &'v Violation>) -> Vec<String> {
    violations.into_iter().map(ToString::to_string).collect()
}
