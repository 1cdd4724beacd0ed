//! An API server: takes requests, and stores what its version knows.

use serde_json::Value;
use union_compat::json;
use union_compat::skew::Request;
use union_json::Unions;
use union_runtime::{Admitted, Settings, Violations};

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
    ///
    /// # Errors
    ///
    /// The violations.
    fn admit(
        &self,
        new: &mut Value,
        old: Option<&Value>,
        settings: &Settings,
    ) -> Result<Admitted, Violations>;

    /// The same for what a server-side apply makes.
    ///
    /// # Errors
    ///
    /// The violations.
    fn admit_apply(
        &self,
        applied: &Value,
        live: &Value,
        merged: &mut Value,
        settings: &Settings,
    ) -> Result<Admitted, Violations>;
}

impl Rules for Unions {
    fn admit(
        &self,
        new: &mut Value,
        old: Option<&Value>,
        settings: &Settings,
    ) -> Result<Admitted, Violations> {
        self.admit(new, old, settings)
    }

    fn admit_apply(
        &self,
        applied: &Value,
        live: &Value,
        merged: &mut Value,
        settings: &Settings,
    ) -> Result<Admitted, Violations> {
        let changes = self.normalize_apply(applied, Some(live), merged, settings)?;
        let ratcheted = self.validate_update(merged, live, settings)?.ratcheted;
        let mut admitted = Admitted::default();
        (admitted.changes, admitted.ratcheted) = (changes, ratcheted);
        Ok(admitted)
    }
}

/// A request that passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The object as it is stored now.
    pub stored: Value,
    /// What the rules did about it.
    pub admitted: Admitted,
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
    /// The violations; what is stored stays then.
    pub fn answer(&self, stored: Option<&Value>, request: &Request) -> Result<Answer, Violations> {
        let old = stored.map(|stored| self.read(stored));
        let live = old.clone().unwrap_or_default();
        let merged = request.merged(&live);
        let applied = merged.applied.map(|applied| self.read(applied));
        let mut new = self.read(&merged.object);
        let admitted = match applied {
            None => self.rules.admit(&mut new, old.as_ref(), &self.settings)?,
            Some(applied) => self
                .rules
                .admit_apply(&applied, &live, &mut new, &self.settings)?,
        };
        let stored = new;
        Ok(Answer { stored, admitted })
    }
}
