//! The validator of created and updated CRDs.

use std::borrow::Cow;

use serde_json::Value;

use super::definition::{CrdDefinition, VersionFields};
use super::names::Presence;
use super::schemas::SchemaRequirements;
use super::{
    api_approval, conversion, metadata, names, printer_columns, schemas, selectable_fields,
    subresources, update, versions,
};

use k8s_cel::{Feature, KubeVersion};

use super::go_types::CRD;
use crate::decode::strict::{self, BodyType, DuplicateKey};
use crate::metadata::meta::{self, go_types::GoType};
use crate::schema::crd_path::CrdPath;
use crate::schema::raw::dropped_keywords::Decoder;
use crate::schema::unknown::unknown_fields::{UnknownField, UnknownFields};
use crate::settings::FieldValidation;
use union_runtime::path::Path;
use union_runtime::{BadValue, Report, ReportParts, Violation, ViolationKind};

/// The path of the spec, as steps.
const SPEC: [&str; 1] = ["spec"];

/// A validator of created and updated CRDs of `apiextensions.k8s.io/v1`, which reports the errors
/// and the warnings of an API server.
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
pub struct Review<'k> {
    decoder: Decoder,
    field_validation: FieldValidation,
    duplicate_keys: &'k [DuplicateKey],
}

impl<'k> Review<'k> {
    /// Returns a review with the rules of the latest known API server version.
    pub const fn new() -> Self {
        Self {
            decoder: Decoder {
                version: KubeVersion::LATEST,
                ratchet: None,
            },
            field_validation: FieldValidation::Warn,
            duplicate_keys: &[],
        }
    }

    /// Returns the review with another version of the API server. The version has these effects:
    ///
    /// - New CEL rules may call the functions of [`KubeVersion::of_new_rules`]. Rules that the
    ///   stored CRD already has may call all functions of the version.
    /// - Keywords that were added after the version are unknown fields.
    /// - Keywords whose feature gate is off in the version are ignored.
    pub const fn version(mut self, version: KubeVersion) -> Self {
        self.decoder.version = version;
        self
    }

    /// Returns the review with the feature gate `CRDValidationRatcheting` on or off. If the gate is
    /// off, a server of 1.30 to 1.32 drops `optionalOldSelf` from new rules; in other versions the
    /// setting has no effect. `None`, the default, is the default of the gate in the version.
    pub const fn ratchet(mut self, gate: Option<bool>) -> Self {
        self.decoder.ratchet = gate;
        self
    }

    /// Returns the review with another treatment of unknown fields in the CRD. Default:
    /// [`FieldValidation::Warn`].
    ///
    /// ```
    /// use k8s_crd_validation::{FieldValidation, crd};
    /// use serde_json::json;
    ///
    /// let names = json!({"shortName": "d"});
    /// let crd = json!({"kind": "CustomResourceDefinition", "spec": {"names": names}});
    /// let report = crd::Review::new().field_validation(FieldValidation::Strict).create(&crd);
    /// assert_eq!(
    ///     report.errors()[0].detail(),
    ///     "CustomResourceDefinition in version \"v1\" cannot be handled as a \
    ///      CustomResourceDefinition: strict decoding error: unknown field \"spec.names.shortName\"",
    /// );
    /// ```
    pub const fn field_validation(mut self, validation: FieldValidation) -> Self {
        self.field_validation = validation;
        self
    }

    /// Returns the review with the duplicate keys of the CRD's source, in the order of the source.
    /// Duplicate keys are reported like unknown fields.
    pub const fn duplicate_keys(mut self, keys: &'k [DuplicateKey]) -> Self {
        self.duplicate_keys = keys;
        self
    }

    /// Validates the creation of a CRD. Returns the errors and the warnings that a server sends to
    /// the client. The status is ignored, and so are the metadata fields that a server sets. A CRD
    /// that cannot be decoded has one error, of kind [`BadRequest`](ViolationKind::BadRequest).
    #[must_use]
    pub fn create(self, crd: &Value) -> Report {
        let decoded = match self.decode_new(crd, None) {
            Ok(decoded) => decoded,
            Err(error) => return Report::from_iter([error]),
        };
        match CrdDefinition::decode(&decoded) {
            Ok(definition) => self.validate(crd, &definition, None),
            Err(error) => Report::from_iter([error]),
        }
    }

    /// Returns a new CRD without the fields that the server does not know, or that a feature gate
    /// disables. The server decodes a disabled field before it drops the field, so a wrong type of
    /// the field is an error.
    fn decode_new<'v>(
        self,
        crd: &'v Value,
        old: Option<&Value>,
    ) -> Result<Cow<'v, Value>, Violation> {
        let new_crd = self.decoder.new_crd(crd, old);
        if let Cow::Owned(_) = new_crd {
            CrdDefinition::decode(&self.decoder.stored_crd(crd))?;
        }
        Ok(new_crd)
    }

    /// Validates an update of the stored CRD `old` to `new`. `old` should have its status, because
    /// the stored versions and the condition `Established` restrict the update. `new` needs a
    /// `resourceVersion`, which may differ from the `resourceVersion` of `old`.
    ///
    /// An update may keep some errors. If `old` violates one of these rules, the update is not
    /// checked for the rule: known types, structural schemas, defaults without unknown fields, the
    /// keys of lists, the cost of each rule (from 1.29 on), the number of selectable fields (from
    /// 1.35 on), the review versions, the CA bundle, and the approval.
    #[must_use]
    pub fn update(self, new: &Value, old: &Value) -> Report {
        let old = self.decoder.stored_crd(old);
        let decoded = match self.decode_new(new, Some(&old)) {
            Ok(decoded) => decoded,
            Err(error) => return Report::from_iter([error]),
        };
        match (CrdDefinition::decode(&decoded), CrdDefinition::decode(&old)) {
            (Ok(definition), Ok(old)) => self.validate(new, &definition, Some(&old)),
            (Err(error), _) | (_, Err(error)) => Report::from_iter([error]),
        }
    }

    /// Returns the fields of a CRD that the API server does not know, such as misspelled keywords
    /// of schemas, in the order of the server's warnings. As on a server, the list has at most 100
    /// fields, and omits keywords inside `items`, `additionalProperties`, `additionalItems` and
    /// `dependencies`. The list is empty if the CRD cannot be decoded, and with
    /// [`FieldValidation::Ignore`].
    ///
    /// ```
    /// use k8s_crd_validation::crd;
    /// use serde_json::json;
    ///
    /// let crd = json!({"spec": {"versions": [{
    ///     "name": "v1", "schema": {"openAPIV3Schema": {"type": "string", "maxLenght": 5}},
    /// }]}});
    /// let fields = crd::Review::new().unknown_fields(&crd);
    /// let [field] = &fields[..] else { panic!("one field is unknown") };
    /// assert_eq!(field.path(), "spec.versions[0].schema.openAPIV3Schema.maxLenght");
    /// assert_eq!(field.near_name(), Some("maxLength"));
    /// ```
    #[must_use]
    pub fn unknown_fields(self, crd: &Value) -> Vec<UnknownField<'static>> {
        if self.field_validation == FieldValidation::Ignore
            || CrdDefinition::decode(&self.decoder.stored_crd(crd)).is_err()
        {
            return Vec::new();
        }
        find_unknown(crd, self.decoder).map_or_else(Vec::new, |unknown| unknown.fields)
    }

    /// Validates a decoded CRD. `source` is the CRD from the client.
    fn validate(
        self,
        source: &Value,
        crd: &CrdDefinition<'_>,
        old: Option<&CrdDefinition<'_>>,
    ) -> Report {
        let mut report = ReportParts::default();
        match self.report_unknown(source, &mut report) {
            Ok(()) => validate(crd, old, self.decoder.version, report),
            Err(violation) => Report::from_iter([*violation]),
        }
    }

    /// Reports unknown fields and duplicate keys as errors or warnings, as configured.
    fn report_unknown(self, crd: &Value, report: &mut ReportParts) -> Result<(), Box<Violation>> {
        if self.field_validation == FieldValidation::Ignore {
            return Ok(());
        }
        let Some(unknown) = find_unknown(crd, self.decoder) else {
            // The lint of the schema reports the keyword that cannot be decoded.
            return Ok(());
        };
        let kind = "CustomResourceDefinition";
        let body = BodyType {
            kind,
            version: "v1",
            resource_kind: kind,
        };
        let keys = self.duplicate_keys;
        strict::report(&unknown, keys, self.field_validation, || body, report)
    }
}

/// Returns the unknown fields of a CRD, or `None` if a server cannot decode one of its schemas. The
/// caller must have checked the types of all other fields.
fn find_unknown(crd: &Value, decoder: Decoder) -> Option<UnknownFields<'static>> {
    let mut unknown = UnknownFields::of_crd(decoder.newer_fields());
    let root_path = Path::ROOT;
    let is_decoded = meta::find_unknown(crd, GoType::Struct(&CRD), &root_path, &mut unknown);
    unknown.finish_struct(0, &root_path);
    unknown.escape();
    is_decoded.then_some(unknown)
}

/// Validates a decoded CRD, in the order of an API server.
fn validate(
    crd: &CrdDefinition<'_>,
    old: Option<&CrdDefinition<'_>>,
    version: KubeVersion,
    mut report: ReportParts,
) -> Report {
    let errors = &mut report.errors;
    let requirements = match old {
        None => {
            metadata::check_create(crd, version, errors);
            SchemaRequirements::for_create(version)
        }
        Some(old) => {
            metadata::check_update(crd, old, version, errors);
            SchemaRequirements::for_update(crd, old, version)
        }
    };
    check_spec(crd, &requirements, errors);
    conversion::check(crd, old, version, &CrdPath::root(&SPEC.into()), errors);
    if let Some(old) = old {
        update::check_accepted_names(old, errors);
    }
    let stored = update::stored_versions(crd, old);
    versions::check_stored(stored.as_deref(), crd, errors);
    let spec = SPEC.into();
    let spec_path = CrdPath::root(&spec);
    if let Some(old) = old {
        update::check_immutable(crd, old, &spec_path, errors);
    }
    api_approval::check(crd, old, errors);
    if crd.preserves_unknown && old.is_none_or(|old| !old.preserves_unknown) {
        let bad_value = BadValue::Formatted("true".to_owned());
        let detail = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
        let field_path = spec_path.field("preserveUnknownFields");
        errors.push(field_path.violation(ViolationKind::Invalid, bad_value, detail));
    }
    if report.errors.is_empty() {
        report
            .warnings
            .extend(schemas::format_warnings(crd, old, version));
        if version.has(Feature::SetItemsWarning) {
            report
                .warnings
                .extend(schemas::set_items_warnings(crd, old));
        }
    }
    report.into()
}

/// Checks the spec, except the conversion.
fn check_spec(
    crd: &CrdDefinition<'_>,
    requirements: &SchemaRequirements<'_, '_>,
    errors: &mut Vec<Violation>,
) {
    let spec = SPEC.into();
    let spec_path = CrdPath::root(&spec);
    names::check_group_and_scope(crd, &spec_path, errors);
    schemas::check_presence(crd, requirements, &spec_path, errors);
    for (i, version) in crd.versions().iter().enumerate() {
        let version_path = spec_path.index("versions", i);
        versions::check(version, &version_path, errors);
        schemas::check_version_schema(crd, i, requirements, errors);
        check_version_fields(&version.fields, &version_path, errors);
        let schema = version.fields.schema();
        let detail = "may only be set when `version.schema.openAPIV3Schema` is not included";
        selectable_fields::check(
            version.fields.selectable,
            schema,
            detail,
            requirements.limits_selectable(version.fields.selectable, Some(version.name)),
            &version_path,
            errors,
        );
    }
    versions::check_all(crd, &spec_path, errors);
    names::check_names(
        &crd.names,
        Presence::Required,
        &spec_path.field("names"),
        errors,
    );
    schemas::check_shared_schema(crd, requirements, errors);
    check_version_fields(&crd.shared, &spec_path, errors);
    let detail = "may only be set when validations.schema is included";
    // For the shared schema, servers accept a `schema` without `openAPIV3Schema` here, and treat it
    // as a schema without fields.
    let empty_schema = crd.shared.validation.map(|_| &Value::Null);
    let schema = crd.shared.schema().or(empty_schema);
    selectable_fields::check(
        crd.shared.selectable,
        schema,
        detail,
        requirements.limits_selectable(crd.shared.selectable, None),
        &spec_path,
        errors,
    );
}

/// Checks the subresources and the printer columns of a version. `path` is the path of the version.
fn check_version_fields(
    fields: &VersionFields<'_>,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    subresources::check(fields.subresources, path, errors);
    printer_columns::check(fields.columns, path, errors);
}
