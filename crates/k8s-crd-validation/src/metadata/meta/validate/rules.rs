//! Validation of the metadata of new objects. Most of the rules also apply to updates.

use super::errors::MetadataErrors;
use super::managed_fields;
use super::names;
use super::owner_references;
use crate::metadata::meta::fields::{
    METADATA, ObjectMeta, integer_or_zero, list_or_empty, string_entries, string_or_empty,
};
use crate::schema::print;
use k8s_cel::KubeVersion;
use union_runtime::path::Path;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The syntax rules for the name of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameValidation {
    /// A DNS subdomain, as for custom resources.
    Subdomain,
    /// A segment of a URL path, the minimal rule for resources of any kind.
    PathSegment,
    /// A segment of a URL path, or a missing name.
    NamelessPathSegment,
}

/// The scope of a resource: namespaced or cluster-scoped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Each object is in a namespace. A namespace is required.
    Namespaced,
    /// Objects are not in namespaces. A namespace is rejected.
    Cluster,
}

/// Validates the metadata of a new object, as a server of a version does. `at` is the path of the
/// metadata. The name may be missing if `generateName` is set.
pub(crate) fn validate_object_meta(
    metadata: Option<&serde_json::Value>,
    names: NameValidation,
    scope: Scope,
    version: KubeVersion,
    at: &Path<'_>,
    errors: &mut Vec<Violation>,
) {
    let mut errors = MetadataErrors {
        path: at,
        version,
        errors,
    };
    errors.check_new(&ObjectMeta::new(metadata), names, scope);
}

/// Validates the metadata of a resource that a client creates, like [`validate_object_meta`]. The
/// generation is not checked, because a server sets it before validation.
pub(crate) fn validate_created_object_meta(
    metadata: Option<&serde_json::Value>,
    scope: Scope,
    version: KubeVersion,
    errors: &mut Vec<Violation>,
) {
    let meta = ObjectMeta {
        generation: None,
        ..ObjectMeta::new(metadata)
    };
    let mut errors = MetadataErrors {
        path: &METADATA,
        version,
        errors,
    };
    errors.check_new(&meta, NameValidation::Subdomain, scope);
}

impl MetadataErrors<'_> {
    fn check_new(&mut self, meta: &ObjectMeta<'_>, names: NameValidation, scope: Scope) {
        self.check_names(meta, names);
        self.check_namespace(meta, scope);
        self.check_generation(meta);
        self.check_labels(meta);
        self.check_annotations(meta);
        owner_references::check(self, list_or_empty(meta.owner_references));
        self.check_finalizers(meta);
        managed_fields::check(self, list_or_empty(meta.managed_fields));
    }

    pub(super) fn check_names(&mut self, meta: &ObjectMeta<'_>, names: NameValidation) {
        let prefix = string_or_empty(meta.generate_name);
        if !prefix.is_empty() {
            let messages = match names {
                NameValidation::Subdomain => names::check_dns1123_subdomain_prefix(prefix),
                _ => names::check_path_segment_prefix(prefix),
            };
            self.report_all("generateName", prefix, messages);
        }
        match (string_or_empty(meta.name), names) {
            ("", NameValidation::NamelessPathSegment) => {}
            ("", _) if !prefix.is_empty() => {}
            ("", _) => self.report(
                ViolationKind::Required,
                "name",
                BadValue::Omitted,
                "name or generateName is required",
            ),
            (name, NameValidation::Subdomain) => {
                self.report_all("name", name, names::check_dns1123_subdomain(name));
            }
            (name, _) => self.report_all("name", name, names::check_path_segment(name)),
        }
    }

    fn check_namespace(&mut self, meta: &ObjectMeta<'_>, scope: Scope) {
        match (string_or_empty(meta.namespace), scope) {
            ("", Scope::Cluster) => {}
            ("", Scope::Namespaced) => {
                self.report(ViolationKind::Required, "namespace", BadValue::Omitted, "");
            }
            (_, Scope::Cluster) => self.report(
                ViolationKind::Forbidden,
                "namespace",
                BadValue::Omitted,
                "not allowed on this type",
            ),
            (name, Scope::Namespaced) => {
                self.report_all("namespace", name, names::check_dns1123_label(name));
            }
        }
    }

    pub(super) fn check_generation(&mut self, meta: &ObjectMeta<'_>) {
        let generation = integer_or_zero(meta.generation);
        if generation < 0 {
            let printed = BadValue::Formatted(generation.to_string());
            self.invalid("generation", printed, "must be greater than or equal to 0");
        }
    }

    pub(super) fn check_labels(&mut self, meta: &ObjectMeta<'_>) {
        for (key, value) in string_entries(meta.labels) {
            self.report_all("labels", key, names::check_qualified_name(key));
            self.report_all("labels", value, names::check_label_value(value));
        }
    }

    pub(super) fn check_annotations(&mut self, meta: &ObjectMeta<'_>) {
        // The limit of Kubernetes (`TotalAnnotationSizeLimitB`).
        const MAX_SIZE: usize = 256 << 10;
        let mut size = 0;
        for (key, value) in string_entries(meta.annotations) {
            self.report_all("annotations", key, names::check_annotation_key(key));
            size += key.len() + value.len();
        }
        if size > MAX_SIZE {
            self.too_long("annotations", MAX_SIZE);
        }
    }

    /// Checks the finalizers. `orphan` and `foregroundDeletion` exclude each other, because both
    /// control the deletion of dependent objects.
    pub(super) fn check_finalizers(&mut self, meta: &ObjectMeta<'_>) {
        const ORPHAN: &str = "orphan";
        const FOREGROUND: &str = "foregroundDeletion";
        let finalizers = list_or_empty(meta.finalizers);
        for finalizer in finalizers.iter().filter_map(serde_json::Value::as_str) {
            self.report_all(
                "finalizers",
                finalizer,
                names::check_qualified_name(finalizer),
            );
        }
        let has = |name: &str| finalizers.iter().any(|finalizer| finalizer == name);
        if has(ORPHAN) && has(FOREGROUND) {
            let detail = format!("finalizer {ORPHAN} and {FOREGROUND} cannot be both set");
            let printed = meta.finalizers.map_or(BadValue::Omitted, print::bad_value);
            self.invalid("finalizers", printed, &detail);
        }
    }
}
