//! An API server: takes requests, and stores what its version knows.

use serde_json::Value;
use union_compat::json;
use union_compat::skew::Request;
use union_json::Unions;
use union_runtime::{Report, Settings};

use crate::api::{Union, Version};

/// An API server with a structural schema. It keeps no field that the schema does not have.
pub struct Server {
    schema: Value,
    rules: Box<dyn Rules>,
    settings: Settings,
}

/// What decides about the unions of an object.
pub trait Rules {
    /// Creates and updates: normalizes the object, and validates it.
    fn admit(&self, new: &mut Value, old: Option<&Value>, settings: &Settings) -> Report;

    /// The same for what a server-side apply makes.
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

/// A request that passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The object as it is stored now.
    pub stored: Value,
    /// What the rules did about it.
    pub report: Report,
}

impl Server {
    /// A server of a version, with the engine.
    #[must_use]
    pub fn new(version: Version, union: Union, settings: Settings) -> Self {
        Self::with(version, union, settings, Box::new(version.unions(union)))
    }

    /// A server of a version, with rules of yours.
    #[must_use]
    pub fn with(version: Version, union: Union, settings: Settings, rules: Box<dyn Rules>) -> Self {
        Self {
            schema: version.schema(union),
            rules,
            settings,
        }
    }

    /// What the server makes of an object that comes from a client or from the storage.
    #[must_use]
    pub fn read(&self, object: &Value) -> Value {
        json::prune(object, &self.schema)
    }

    /// Does what is asked for about the object that is stored, if there is one.
    ///
    /// # Errors
    ///
    /// The report; what is stored stays then.
    pub fn answer(&self, stored: Option<&Value>, request: &Request) -> Result<Answer, Report> {
        let old = stored.map(|stored| self.read(stored));
        let live = old.clone().unwrap_or_default();
        let merged = request.merged(&live);
        let applied = merged.applied.map(|applied| self.read(applied));
        let mut new = self.read(&merged.object);
        let report = match applied {
            None => self.rules.admit(&mut new, old.as_ref(), &self.settings),
            Some(applied) => self
                .rules
                .admit_apply(&applied, &live, &mut new, &self.settings),
        };
        let report = report.into_result()?;
        let stored = new;
        Ok(Answer { stored, report })
    }
}
