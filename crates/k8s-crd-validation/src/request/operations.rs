//! The operations of a request: create, update, and the update of a status.

use serde_json::Value;

use super::request::Request;

use crate::metadata::meta;
use crate::schema::StructuralSchema;
use crate::settings::ServerSettings;
use union_runtime::Report;

impl StructuralSchema {
    /// Validates the creation of an object, which is pruned and defaulted in place. If status is a
    /// subresource, the status is removed from `new`.
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_crd_validation::{ServerSettings, StructuralSchema};
    ///
    /// let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
    ///     "replicas": {"type": "integer", "default": 1},
    /// }}))?;
    /// let mut new = json!({"replica": 3});
    /// assert!(schema.create(&mut new, &ServerSettings::default()).is_accepted());
    /// assert_eq!(new, json!({"replicas": 1}));
    /// # Ok::<(), union_runtime::Report>(())
    /// ```
    #[must_use = "the report shows if the request is rejected"]
    pub fn create(&self, new: &mut Value, settings: &ServerSettings) -> Report {
        Request::new(self, settings).create(new)
    }

    /// Validates an update of `old`, a stored object. `new` is pruned and defaulted in place. If
    /// status is a subresource, the status of `old` replaces the status of `new`.
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_crd_validation::{ServerSettings, StructuralSchema};
    ///
    /// let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
    ///     "name": {"type": "string", "minLength": 3}, "paused": {"type": "boolean"},
    /// }}))?;
    /// let old = json!({"name": "x"});
    /// let report = schema.update(
    ///     &mut json!({"name": "x", "paused": true}),
    ///     &old,
    ///     &ServerSettings::default(),
    /// );
    /// assert!(report.is_accepted());
    /// assert_eq!(report.tolerated()[0].path(), "name");
    /// let strict = ServerSettings::default().ratchet(false);
    /// assert!(
    ///     !schema
    ///         .update(&mut json!({"name": "x", "paused": true}), &old, &strict)
    ///         .is_accepted()
    /// );
    /// # Ok::<(), union_runtime::Report>(())
    /// ```
    #[must_use = "the report shows if the request is rejected"]
    pub fn update(&self, new: &mut Value, old: &Value, settings: &ServerSettings) -> Report {
        Request::new(self, settings).update(new, old)
    }

    /// Validates an update of the status of `old`, a stored object, as a request to `/status`.
    /// `new` becomes a copy of `old` with the status and the managed fields of `new`.
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_crd_validation::{ServerSettings, StatusHandling, StructuralSchema};
    ///
    /// let schema = json!({"type": "object", "properties": {
    ///     "spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}},
    ///     "status": {"type": "object", "properties": {"ready": {"type": "integer"}}},
    /// }});
    /// let schema = StructuralSchema::compiler().status(StatusHandling::Subresource).schema(&schema)?;
    /// let old = json!({"spec": {"replicas": 1}});
    /// let mut new = json!({"spec": {"replicas": 2}, "status": {"ready": 1}});
    /// assert!(schema.update_status(&mut new, &old, &ServerSettings::default()).is_accepted());
    /// assert_eq!(new, json!({"spec": {"replicas": 1}, "status": {"ready": 1}}));
    /// # Ok::<(), union_runtime::Report>(())
    /// ```
    #[must_use = "the report shows if the request is rejected"]
    pub fn update_status(&self, new: &mut Value, old: &Value, settings: &ServerSettings) -> Report {
        Request::new(self, settings).update_status(new, old)
    }

    /// Returns the fields that a client cannot set. They do not need defaults.
    pub(super) const fn ignored(&self) -> &'static [&'static str] {
        if self.status_subresource {
            &["status"]
        } else {
            &[]
        }
    }

    /// Returns true if the metadata of the object is validated. Without a CRD, objects need not be
    /// resources.
    pub(super) fn has_metadata(&self, object: &Value) -> bool {
        self.identity.is_some() || object.get("metadata").is_some()
    }

    /// Returns the scope of the object. Without a CRD the scope is unknown, so the object may have
    /// a namespace or none.
    pub(super) fn scope(&self, object: &Value) -> meta::Scope {
        let is_namespaced = match &self.identity {
            Some(identity) => identity.is_namespaced,
            None => object["metadata"].get("namespace").is_some(),
        };
        if is_namespaced {
            meta::Scope::Namespaced
        } else {
            meta::Scope::Cluster
        }
    }
}
