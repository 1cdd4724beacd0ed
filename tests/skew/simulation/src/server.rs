//! An API server: merges requests, applies its rules, and stores the fields that its version knows.

use serde_json::Value;
use union_compat::json;
use union_compat::skew::Request;
use union_json::Unions;
use union_runtime::{Report, Settings};

use crate::api::{Union, Version};

/// An API server with a structural schema, which drops fields that the schema does not have.
pub struct Server {
    schema: Value,
    rules: Box<dyn Rules>,
    settings: Settings,
}

/// A type that normalizes and validates the unions of an object.
pub trait Rules {
    /// Normalizes and validates the object of a create or an update.
    ///
    /// # Errors
    ///
    /// Returns the violations of the object.
    fn admit(&self, new: &mut Value, old: Option<&Value>, settings: &Settings) -> Report;

    /// Normalizes and validates the object that results from a server-side apply.
    ///
    /// # Errors
    ///
    /// Returns the violations of the object.
    fn admit_apply(
        &self,
        applied: &Value,
        live: &Value,
        merged: &mut Value,
        settings: &Settings,
    ) -> Report;
}

impl Rules for Unions {
    fn admit(&self, new: &mut Value, old: Option<&Value>, settings: &Settings) -> Report {
        self.admit(new, old, settings)
    }

    fn admit_apply(
        &self,
        applied: &Value,
        live: &Value,
        merged: &mut Value,
        settings: &Settings,
    ) -> Report {
        let mut report = self.normalize_apply(merged, applied, Some(live), settings);
        if report.is_accepted() {
            report.extend(self.validate_update(merged, live, settings));
        }
        report
    }
}

/// The result of an accepted request.
#[derive(Clone, Debug, PartialEq)]
pub struct AcceptedRequest {
    /// The object that is stored after the request.
    pub stored: Value,
    /// The changes and the tolerated violations that the rules report.
    pub report: Report,
}

impl Server {
    /// Returns a server of a version that uses the engine.
    #[must_use]
    pub fn new(version: Version, union: Union, settings: Settings) -> Self {
        Self::with_rules(version, union, settings, Box::new(version.unions(union)))
    }

    /// Returns a server of a version that uses the given rules.
    #[must_use]
    pub fn with_rules(
        version: Version,
        union: Union,
        settings: Settings,
        rules: Box<dyn Rules>,
    ) -> Self {
        Self {
            schema: version.schema(union),
            rules,
            settings,
        }
    }

    /// Returns the object without the fields that the server does not know.
    ///
    /// The server prunes objects from clients and from the storage.
    #[must_use]
    pub fn prune(&self, object: &Value) -> Value {
        json::prune(object, &self.schema)
    }

    /// Applies a request to the stored object, which is `None` on a create, and returns the result.
    ///
    /// # Errors
    ///
    /// Returns the violations of a rejected request. The stored object does not change.
    pub fn handle(
        &self,
        stored: Option<&Value>,
        request: &Request,
    ) -> Result<AcceptedRequest, Report> {
        let old = stored.map(|stored| self.prune(stored));
        let live = old.clone().unwrap_or_default();
        let merged = request.apply_to(&live);
        let applied = merged.applied.map(|applied| self.prune(applied));
        let mut new = self.prune(&merged.object);
        let report = match applied {
            None => self.rules.admit(&mut new, old.as_ref(), &self.settings),
            Some(applied) => self
                .rules
                .admit_apply(&applied, &live, &mut new, &self.settings),
        };
        let report = report.into_result()?;
        Ok(AcceptedRequest {
            stored: new,
            report,
        })
    }
}
