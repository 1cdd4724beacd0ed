//! The review of a created or updated CRD.

use serde_json::Value;

use super::definition::{CrdDefinition, VersionFields};
use super::names::Presence;
use super::schemas::SchemaRequirements;
use super::{
    api_approval, conversion, metadata, names, printer_columns, schemas, selectable_fields,
    subresources, update, versions,
};

use k8s_cel::KubeVersion;

use crate::schema::crd_path::CrdPath;
use crate::schema::unknown_keywords::Decoder;
use union_runtime::{BadValue, Report, ReportParts, Violation, ViolationKind};

/// The path of the spec.
const SPEC: [&str; 1] = ["spec"];

/// A validator of created and updated CRDs of `apiextensions.k8s.io/v1`, which returns the answers
/// of an API server.
///
/// ```
/// use k8s_crd_validation::{KubeVersion, crd};
/// use serde_json::json;
///
/// let crd = |rules| json!({
///     "apiVersion": "apiextensions.k8s.io/v1",
///     "kind": "CustomResourceDefinition",
///     "metadata": {"name": "docs.example.com", "resourceVersion": "7"},
///     "spec": {
///         "group": "example.com", "names": {"kind": "Doc", "plural": "docs"}, "scope": "Cluster",
///         "versions": [{
///             "name": "v1", "served": true, "storage": true,
///             "schema": {"openAPIV3Schema": {"type": "object", "properties": {
///                 "a": {"type": "string", "maxLength": 40, "x-kubernetes-validations": rules},
///             }}},
///         }],
///     },
/// });
/// let old = crd(json!([{"rule": "isIP(self)"}]));
/// let new = crd(json!([{"rule": "isIP(self)"}, {"rule": "isCIDR(self)"}]));
/// let version: KubeVersion = "1.30".parse()?;
/// let report = crd::Review::new().version(version).update(&new, &old);
/// assert_eq!(report.errors().len(), 1);
/// assert!(report.errors()[0].to_string().contains("undeclared reference to 'isCIDR'"));
/// # Ok::<(), k8s_cel::ParseVersionError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use = "a review does nothing until it gets a CRD"]
pub struct Review {
    server: Decoder,
}

impl Review {
    /// Returns a review by the latest known version of an API server.
    pub const fn new() -> Self {
        Self {
            server: Decoder {
                version: KubeVersion::LATEST,
                ratchet: None,
            },
        }
    }

    /// Returns the review with another version of the API server. New rules may call the functions
    /// of [`KubeVersion::of_new_rules`]. Rules that the stored CRD already has may call the
    /// functions of the version. Keywords that the server does not know, or whose feature gate is
    /// off, are ignored.
    pub const fn version(mut self, version: KubeVersion) -> Self {
        self.server.version = version;
        self
    }

    /// Returns the review with the feature gate `CRDValidationRatcheting` on or off. A server drops
    /// `optionalOldSelf` from new rules if the gate is off. The default is the default of the
    /// version.
    pub const fn ratchet(mut self, gate: Option<bool>) -> Self {
        self.server.ratchet = gate;
        self
    }

    /// Validates the creation of a CRD. Returns the errors or, without errors, the warnings for the
    /// client. The status and the metadata that the server sets are ignored. A CRD that cannot be
    /// decoded has one error, of kind [`BadRequest`](ViolationKind::BadRequest).
    #[must_use]
    pub fn create(self, crd: &Value) -> Report {
        let decoded = self.server.new_crd(crd, None);
        match CrdDefinition::decode(&decoded) {
            Ok(crd) => validate(&crd, None, self.server.version),
            Err(problem) => Report::from_iter([problem]),
        }
    }

    /// Validates an update of `old`, the stored CRD with its status. The status contains the
    /// versions in which objects are stored, and decides whether names may still change. `new`
    /// needs a `resourceVersion`, which may differ from the `resourceVersion` of `old`.
    ///
    /// Some conditions apply to new CRDs only. An update is not checked for a condition that `old`
    /// does not meet: known types, structural schemas, defaults without unknown fields, keys of
    /// lists, the cost of each rule, review versions, the approval.
    #[must_use]
    pub fn update(self, new: &Value, old: &Value) -> Report {
        let old = self.server.stored_crd(old);
        let new = self.server.new_crd(new, Some(&old));
        match (CrdDefinition::decode(&new), CrdDefinition::decode(&old)) {
            (Ok(new), Ok(old)) => validate(&new, Some(&old), self.server.version),
            (Err(problem), _) | (_, Err(problem)) => Report::from_iter([problem]),
        }
    }
}

fn validate(
    crd: &CrdDefinition<'_>,
    old: Option<&CrdDefinition<'_>>,
    version: KubeVersion,
) -> Report {
    let mut report = ReportParts::default();
    let errors = &mut report.errors;
    let demanded = match old {
        None => {
            metadata::check_create(crd, errors);
            SchemaRequirements::for_create(version)
        }
        Some(old) => {
            metadata::check_update(crd, old, errors);
            SchemaRequirements::for_update(crd, old, version)
        }
    };
    check_spec(crd, &demanded, errors);
    conversion::check(crd, old, &CrdPath::root(&SPEC.into()), errors);
    if let Some(old) = old {
        update::check_accepted_names(old, errors);
    }
    let stored = update::stored_versions(crd, old);
    versions::check_stored(stored.as_deref(), crd, errors);
    let spec = SPEC.into();
    let at = CrdPath::root(&spec);
    if let Some(old) = old {
        update::check_immutable(crd, old, &at, errors);
    }
    api_approval::check(crd, old, errors);
    if crd.preserves_unknown && old.is_none_or(|old| !old.preserves_unknown) {
        let found = BadValue::Formatted("true".to_owned());
        let detail = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
        let at = at.field("preserveUnknownFields");
        errors.push(at.violation(ViolationKind::Invalid, found, detail));
    }
    if report.errors.is_empty() {
        report.warnings = schemas::format_warnings(crd, old);
    }
    report.into()
}

fn check_spec(
    crd: &CrdDefinition<'_>,
    demanded: &SchemaRequirements<'_, '_>,
    errors: &mut Vec<Violation>,
) {
    let spec = SPEC.into();
    let at = CrdPath::root(&spec);
    names::check_group_and_scope(crd, &at, errors);
    schemas::check_presence(crd, demanded, &at, errors);
    for (i, version) in crd.versions().iter().enumerate() {
        let at = at.index("versions", i);
        versions::check(version, &at, errors);
        schemas::check_version_schema(crd, i, demanded, errors);
        check_version_fields(&version.fields, &at, errors);
        let schema = version.fields.schema();
        let detail = "may only be set when `version.schema.openAPIV3Schema` is not included";
        selectable_fields::check(version.fields.selectable, schema, detail, &at, errors);
    }
    versions::check_all(crd, &at, errors);
    names::check_names(&crd.names, Presence::Required, &at.field("names"), errors);
    schemas::check_shared_schema(crd, demanded, errors);
    check_version_fields(&crd.shared, &at, errors);
    let detail = "may only be set when validations.schema is included";
    // Seen: for the shared schema, the object around the schema is enough for this check, and
    // describes no fields.
    let around = crd.shared.validation.map(|_| &Value::Null);
    let schema = crd.shared.schema().or(around);
    selectable_fields::check(crd.shared.selectable, schema, detail, &at, errors);
}

/// Checks the parts of a version other than the schema.
fn check_version_fields(parts: &VersionFields<'_>, at: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    subresources::check(parts.subresources, at, errors);
    printer_columns::check(parts.columns, at, errors);
}
