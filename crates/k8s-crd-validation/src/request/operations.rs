//! The operations of a request: create, update, and the update of a status.

use serde_json::Value;

use super::checks::RequestValidation;
use super::generation::{prepare_create, prepare_update, restore};
use super::stored_object::copy_field;

use crate::decode::ratchet::OldObject;
use crate::metadata::{METADATA, meta};
use crate::schema::StructuralSchema;
use crate::settings::ServerSettings;
use k8s_json_internals::deep;
use union_runtime::Report;
use union_runtime::path::FieldPath;

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
        let mut request = RequestValidation::new(self, settings);
        if let Err(violation) = request.decode_new(new) {
            return Report::from_iter([*violation]);
        }
        if self.status_subresource
            && let Some(object) = new.as_object_mut()
        {
            deep::remove(object, "status");
        }
        request.admit_unions(new, None);
        let shows = self.facts.depends_on_generation;
        let sent = if shows { prepare_create(new) } else { None };
        if request.check_identity(new) {
            if self.has_metadata(new) {
                let scope = self.scope(new);
                let errors = &mut request.report.errors;
                let names = meta::NameValidation::Subdomain;
                meta::validate_object_meta(new.get("metadata"), names, scope, &METADATA, errors);
            }
            request.check_schema(Self::ROOT, new, None, &FieldPath::root());
            request.check_scale(new, false);
        }
        meta::validate_embedded(self, new, &mut request.report.errors);
        request.check_new_lists(new);
        request.check_rules(new, None);
        request.add_metadata_warnings(new, None);
        if shows {
            restore(new, sent);
        }
        request.report.into()
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
        let mut request = RequestValidation::new(self, settings);
        if let Err(violation) = request.decode_new(new) {
            return Report::from_iter([*violation]);
        }
        let old = request.decode_stored(old);
        if self.status_subresource {
            copy_field("status", old.partially_decoded(), new);
        }
        request.admit_unions(new, Some(&old));
        let shows = self.facts.depends_on_generation;
        let sent = if shows {
            prepare_update(new, old.decoded())
        } else {
            None
        };
        if request.check_identity(new) {
            request.check_metadata(new, &old);
            let was: Option<&dyn OldObject> = Some(&old);
            let was = was.filter(|_| request.ratchets && self.correlates);
            request.check_schema(Self::ROOT, new, was, &FieldPath::root());
            request.check_scale(new, false);
        }
        request.check_embedded(new, &old);
        request.check_lists(new, &old);
        request.check_rules(new, Some(&old));
        request.add_metadata_warnings(new, Some(old.partially_decoded()));
        if shows {
            restore(new, sent);
        }
        request.report.into()
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
        if let Err(violation) = self.decode_new(new, &[], &mut ()) {
            return Report::from_iter([*violation]);
        }
        let old = self.undecoded(old);
        Self::take_status(new, old.decoded());
        let mut request = RequestValidation::for_status(self, settings);
        request.admit_status_unions(new, old.decoded());
        if request.check_identity(new) {
            request.check_metadata(new, &old);
            let status = self.node(Self::ROOT).property("status");
            if let (Some(status), Some(id)) = (new.get("status"), status) {
                // Seen: a missing old status counts as null.
                let was = old.decoded().get("status").unwrap_or(&Value::Null);
                let was: Option<&dyn OldObject> = Some(was);
                let was = was.filter(|_| request.ratchets && self.correlates);
                request.check_schema(id, status, was, &["status"].into());
            }
            request.check_scale(new, true);
        }
        request.check_lists(new, &old);
        request.check_rules(new, Some(&old));
        request.report.into()
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
    fn scope(&self, object: &Value) -> meta::Scope {
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
