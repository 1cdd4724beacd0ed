//! Validates requests in both versions.

use k8s_crd_validation::{Report, Request, ServerSettings};
use serde_json::Value;
use union_json::document::SchemaPath;
use union_runtime::{Settings, Violation};

use crate::judge::decision::{Decision, Decisions, RequestOutcome};
use crate::judge::error_place::ErrorPlace;
use crate::version::union_object::UnionObject;
use crate::version::version::{ApiVersion, EMBEDDED_FIELD};
use crate::version::version_side::VersionSide;
use crate::world::enclosing_object::EnclosingObject;

/// A judge of requests that affect the object at a path, by the rules of both versions.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub(crate) versions: [&'a ApiVersion; 2],
    pub(crate) path: &'a SchemaPath,
    pub(crate) enclosing: &'a EnclosingObject,
    /// The fields of the unions. A field of a request that is not stored is lost.
    pub(crate) fields: &'a [String],
}

/// The result of a request: the decisions, and the object that is stored.
pub(crate) struct StoredResult {
    pub(crate) decisions: Decisions,
    /// The stored object at the path, if the server accepts the request.
    pub(crate) stored: Option<Value>,
    pub(crate) lost_fields: Vec<String>,
    /// The parts of the schema that report the errors of the server.
    pub(crate) error_places: Vec<ErrorPlace>,
}

impl StoredResult {
    pub(crate) fn outcome(&self) -> RequestOutcome {
        self.decisions.outcome(&self.lost_fields)
    }

    /// Returns true if the request is accepted and all fields are stored.
    pub(crate) fn is_stored_in_full(&self) -> bool {
        !self.decisions.is_rejected() && self.lost_fields.is_empty()
    }
}

impl<'a> Judge<'a> {
    fn union_object(&self, side: VersionSide) -> Option<&'a UnionObject> {
        side.select(self.versions).union_object(self.path)
    }

    /// Returns the result of creating an object at the path.
    pub(crate) fn create(&self, side: VersionSide, object: &Value) -> StoredResult {
        let union_decision = self
            .union_object(side)
            .map_or(Decision::Accepted, |union_object| {
                let report = union_object.validator.validate(object);
                if report.is_accepted() {
                    Decision::Accepted
                } else {
                    Decision::Rejected(messages(report.errors()))
                }
            });
        let mut enclosing = self.enclosing.with_object(object);
        let server = self.enclosing.server(side, self.versions);
        let settings = ServerSettings::default();
        let mut request = Request::new(server, &settings).with_origins();
        let report = request.create(&mut enclosing);
        StoredResult {
            error_places: self.error_places(side, &request, &report),
            ..self.stored_result(union_decision, &report, object, &enclosing)
        }
    }

    /// Returns the parts of the schema that report the errors of a request.
    fn error_places(
        &self,
        side: VersionSide,
        request: &Request<'_>,
        report: &Report,
    ) -> Vec<ErrorPlace> {
        let version = side.select(self.versions);
        let Some(schema) = self.enclosing.request_schema(version, self.path) else {
            return Vec::new();
        };
        let errors = report.errors().iter();
        errors
            .flat_map(|error| ErrorPlace::of_error(error, request.origins(error), schema))
            .collect()
    }

    /// Returns the result of replacing one enclosing object by another. `complete_object` is the
    /// object at the path if no field is lost.
    fn update(
        &self,
        side: VersionSide,
        old: &Value,
        new: &Value,
        complete_object: &Value,
    ) -> StoredResult {
        let object_at_path = |enclosing: &Value| {
            self.enclosing
                .object_in(enclosing)
                .cloned()
                .unwrap_or_default()
        };
        let union_decision = self
            .union_object(side)
            .map_or(Decision::Accepted, |union_object| {
                let report = union_object.validator.admit(
                    &mut object_at_path(new),
                    Some(&object_at_path(old)),
                    &Settings::default(),
                );
                if !report.is_accepted() {
                    Decision::Rejected(messages(report.errors()))
                } else if report.tolerated().is_empty() {
                    Decision::Accepted
                } else {
                    Decision::Tolerated(messages(report.tolerated()))
                }
            });
        let (mut enclosing, old) = (
            self.enclosing.with_resource_version(new.clone()),
            self.enclosing.with_resource_version(old.clone()),
        );
        let server = self.enclosing.server(side, self.versions);
        let server_report = server.update(&mut enclosing, &old, &ServerSettings::default());
        self.stored_result(union_decision, &server_report, complete_object, &enclosing)
    }

    /// Returns the result of an update that changes a stored object only outside of the path.
    pub(crate) fn edit_elsewhere(&self, side: VersionSide, stored: &Value) -> StoredResult {
        let old = self.enclosing.with_object(stored);
        let mut new = old.clone();
        self.enclosing.edit_elsewhere(&mut new);
        self.update(side, &old, &new, stored)
    }

    /// Returns the result of replacing one object at the path by another.
    pub(crate) fn replace(&self, side: VersionSide, old: &Value, new: &Value) -> StoredResult {
        self.update(
            side,
            &self.enclosing.with_object(old),
            &self.enclosing.with_object(new),
            new,
        )
    }

    /// Returns the enclosing object as a client of a version writes it back after reading it.
    pub(crate) fn read_as_client(
        &self,
        client: VersionSide,
        stored: &Value,
    ) -> Result<Value, String> {
        let enclosing = self.enclosing.with_object(stored);
        self.enclosing
            .read_as_client(client, self.versions, self.path, &enclosing)
    }

    /// Returns the outcome of an update by a client of one version that reads a stored object,
    /// changes a field outside of the path, and writes the object back to a server of another
    /// version.
    pub(crate) fn write_back(
        &self,
        client: VersionSide,
        server: VersionSide,
        stored: &Value,
    ) -> RequestOutcome {
        match self.read_as_client(client, stored) {
            Err(error) => RequestOutcome::Unreadable(error),
            Ok(mut object_to_write) => {
                self.enclosing.edit_elsewhere(&mut object_to_write);
                let old = self.enclosing.with_object(stored);
                self.update(server, &old, &object_to_write, stored)
                    .outcome()
            }
        }
    }

    /// Returns a message whose path begins in the user's object.
    fn message_for_user(&self, message: String) -> String {
        if let Some(inner_message) = message.strip_prefix(&self.enclosing.path_prefix) {
            return inner_message.to_owned();
        }
        match message.strip_prefix(EMBEDDED_FIELD) {
            Some(rest) if self.enclosing.is_without_parents() => {
                format!("{}{rest}", self.path.to_field_notation())
            }
            _ => message,
        }
    }

    fn stored_result(
        &self,
        union_decision: Decision,
        server_report: &Report,
        complete_object: &Value,
        enclosing: &Value,
    ) -> StoredResult {
        let without_prefix = |message: String| self.message_for_user(message);
        let messages_of = |errors: &[Violation]| {
            errors
                .iter()
                .map(|error| without_prefix(error.to_string()))
                .collect()
        };
        let server_decision = if server_report.is_accepted() {
            let mut tolerated_messages: Vec<String> = messages_of(server_report.tolerated());
            tolerated_messages.extend(server_report.warnings().iter().cloned().map(without_prefix));
            if tolerated_messages.is_empty() {
                Decision::Accepted
            } else {
                Decision::Tolerated(tolerated_messages)
            }
        } else {
            Decision::Rejected(messages_of(server_report.errors()))
        };
        let stored = Some(
            self.enclosing
                .object_in(enclosing)
                .cloned()
                .unwrap_or_default(),
        );
        let stored = stored.filter(|_| !server_decision.is_rejected());
        let lost_fields = stored.as_ref().map_or(Vec::new(), |stored| {
            let is_lost_field = |field: &&String| {
                complete_object.get(field).is_some() && stored.get(field).is_none()
            };
            self.fields.iter().filter(is_lost_field).cloned().collect()
        });
        StoredResult {
            decisions: Decisions {
                union: union_decision,
                server: server_decision,
            },
            stored,
            lost_fields,
            error_places: Vec::new(),
        }
    }
}

fn messages<'v>(violations: impl IntoIterator<Item = &'v Violation>) -> Vec<String> {
    violations.into_iter().map(ToString::to_string).collect()
}
