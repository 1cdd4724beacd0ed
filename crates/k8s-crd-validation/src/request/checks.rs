//! The checks of a request after decoding.

use std::collections::HashSet;

use serde_json::Value;

use super::advice::{AdviceList, CheckedValue};
use super::generation::is_equal_except_metadata;
use super::stored_object::{LazyStoredObject, restore_all_but_status};
use crate::decode::ratchet::OldObject;
use crate::metadata::meta;
use crate::schema::unknown::unknown_fields::UnknownFields;
use crate::schema::{NodeId, StructuralSchema};
use crate::settings::{RatchetingPolicy, ServerSettings};
use crate::validate::Validation;
use crate::validate::errors::dedup_errors::{dedup_errors, dedup_metadata_errors};
use crate::validate::errors::dotted_path::with_path_prefix;
use crate::validate::errors::origin::{ErrorOrigin, ErrorOrigins};
use crate::validate::validity_probe::{ValidityFacts, ValidityProbe};
use k8s_cel::Feature;
use k8s_cel::format::Formats;
use k8s_json_internals::deep::DeepValue;
use k8s_json_internals::equality::deep_equal;
use union_runtime::comparator::Comparison;
use union_runtime::path::{FieldPath, PathStep};
use union_runtime::{BadValue, Ratchet, ReportParts, Violation, ViolationKind};

/// The detail of the error that an API server reports instead of the results of CEL rules: the
/// server does not evaluate rules on an object that has certain other errors.
pub const RULES_NOT_CHECKED: &str = "some validation rules were not checked because the object was invalid; \
                                     correct the existing errors to complete validation";

/// Returns true if an error only states that other errors stop the evaluation of CEL rules. A rule
/// whose message is [`RULES_NOT_CHECKED`] does not count: its error has another value.
#[must_use]
pub fn is_rules_not_checked(error: &Violation) -> bool {
    error.kind() == ViolationKind::Invalid
        && error.path().is_root()
        && error.value() == Some("null")
        && error.detail() == RULES_NOT_CHECKED
}

/// A request after decoding, with the parts of the report so far.
pub(super) struct RequestValidation<'a> {
    schema: &'a StructuralSchema,
    settings: &'a ServerSettings,
    /// The formats that are checked, or `None` if they are the formats of the newest release.
    formats: Option<Formats>,
    /// The results of the [`ValidityProbe`] that visited the new object during decoding. `None` if
    /// the object has changed since then.
    validity_facts: Option<ValidityFacts>,
    /// True if errors of unchanged values are tolerated.
    pub(super) ratchets: bool,
    is_status: bool,
    /// The advice on the errors, if it is requested.
    pub(super) advice: Option<AdviceList>,
    /// The keywords that report the errors, if they are requested.
    pub(super) origins: Option<ErrorOrigins>,
    pub(super) report: ReportParts,
}

impl<'a> RequestValidation<'a> {
    pub(super) fn new(schema: &'a StructuralSchema, settings: &'a ServerSettings) -> Self {
        Self {
            schema,
            settings,
            formats: settings.checked_formats(),
            validity_facts: None,
            ratchets: settings.ratchets(),
            is_status: false,
            advice: None,
            origins: None,
            report: ReportParts::default(),
        }
    }

    /// Returns a request to `/status`.
    pub(super) fn for_status(schema: &'a StructuralSchema, settings: &'a ServerSettings) -> Self {
        Self {
            ratchets: settings.ratchets_status(),
            is_status: true,
            ..Self::new(schema, settings)
        }
    }

    fn validation(&self) -> Validation<'_> {
        Validation {
            schema: self.schema,
            settings: self.settings,
            formats: self.formats.as_ref(),
            validates_default: false,
        }
    }

    /// Decodes the new object as an API server decodes the body of a request, and adds its unknown
    /// fields to `unknown`.
    pub(super) fn decode_new(
        &mut self,
        new: &mut Value,
        unknown: &mut UnknownFields<'a>,
    ) -> Result<(), Box<Violation>> {
        let mut probe = ValidityProbe::new(self.validation());
        let schema = self.schema;
        // The server sets the generation after decoding, so the results are dropped if the
        // generation affects validation.
        let keeps_facts = schema.decode_new(new, schema.ignored(), &mut probe, unknown)?
            && !schema.facts.depends_on_generation;
        self.validity_facts = keeps_facts.then(|| probe.facts());
        Ok(())
    }

    /// Decodes the old object. If status is a subresource, the new object gets the old status, so
    /// the validity of the old status is combined with the validity of the new object.
    pub(super) fn decode_stored<'v>(&mut self, old: &'v Value) -> LazyStoredObject<'v>
    where
        'a: 'v,
    {
        let mut probe = ValidityProbe::new(self.validation());
        let schema = self.schema;
        let stored = schema.decode_stored(old, &mut probe);
        let status_facts = stored.is_undecoded().then(|| probe.facts());
        self.validity_facts = self
            .validity_facts
            .zip(status_facts)
            .map(|(new_facts, status_facts)| new_facts.combine(status_facts));
        stored
    }

    /// Returns true if the object has the group, the version and the kind of the CRD. Otherwise
    /// adds errors, and the object is not checked further.
    pub(super) fn check_identity(&mut self, new: &Value) -> bool {
        let Some(identity) = &self.schema.identity else {
            return true;
        };
        // Decoding visits only objects of the expected kind.
        if self.validity_facts.is_some() {
            return true;
        }
        let error_count_before = self.report.errors.len();
        for (field, expected) in [
            ("kind", &identity.kind),
            ("apiVersion", &identity.api_version),
        ] {
            let actual = new.get(field).and_then(Value::as_str).unwrap_or_default();
            if actual != expected {
                let bad_value = BadValue::Quoted(actual.to_owned());
                let detail = format!("must be {expected}");
                let kind = ViolationKind::Invalid;
                let violation = Violation::from_parts(kind, [field].into(), bad_value, detail);
                self.report.errors.push(violation);
            }
        }
        self.report.errors.len() == error_count_before
    }

    /// Returns true if the server finds the schema for the checks after the checks of the schema
    /// itself. A server without [`Feature::RequestSchema`] looks up the schema by the version in
    /// the object.
    pub(super) fn has_schema_of(&self, new: &Value) -> bool {
        if self.settings.version.has(Feature::RequestSchema) {
            return true;
        }
        let Some(identity) = &self.schema.identity else {
            return true;
        };
        let api_version = new.get("apiVersion").and_then(Value::as_str);
        api_version.is_some_and(|new| version_part(new) == version_part(&identity.api_version))
    }

    /// Adds the errors of metadata, each once if a server of the version reports them so.
    pub(super) fn add_metadata_errors(&mut self, errors: Vec<Violation>) {
        let errors = dedup_metadata_errors(errors, self.settings.version);
        self.report.errors.extend(errors);
    }

    /// Checks the metadata of an update. With [`RatchetingPolicy::Kep4008`], errors are tolerated
    /// if the whole metadata is unchanged.
    pub(super) fn check_metadata(&mut self, new: &Value, old: &LazyStoredObject<'_>) {
        if !self.schema.has_metadata(new) {
            return;
        }
        let mut errors = Vec::new();
        let new_metadata = new.get("metadata");
        let old_metadata = old.partially_decoded().get("metadata");
        let version = self.settings.version;
        meta::validate_updated_object_meta(new_metadata, old_metadata, version, &mut errors);
        // Fast path: metadata that is valid as sent stays valid when the server sets some fields,
        // unless the generation overflows or is already negative.
        let generation = old_metadata.and_then(|metadata| metadata.get("generation"));
        let generation = generation.and_then(Value::as_i64).unwrap_or_default();
        if errors.is_empty() && (0..i64::MAX).contains(&generation) {
            return;
        }
        errors.clear();
        let is_changed = !is_equal_except_metadata(new, old.decoded());
        let mut prepared_metadata = new_metadata.map(DeepValue::copy);
        if let Some(metadata) = &mut prepared_metadata {
            meta::prepare_update(metadata, old_metadata, is_changed);
        }
        meta::validate_updated_object_meta(
            prepared_metadata.as_deref(),
            old_metadata,
            version,
            &mut errors,
        );
        let errors = dedup_errors(errors, &mut Vec::new());
        let is_unchanged = self.settings.policy == RatchetingPolicy::Kep4008
            && self.ratchets
            && new_metadata
                .zip(old_metadata)
                .is_some_and(|(new, old)| deep_equal(new, old));
        if is_unchanged {
            self.report.tolerated.extend(errors);
        } else {
            if let Some(advice) = &mut self.advice {
                advice.add_metadata_advice(&errors, new, Some(old.decoded()));
            }
            self.report.errors.extend(errors);
        }
    }

    /// Checks the value at `path`: the whole object or one of its fields. Errors of values that
    /// equal a value in `old` are tolerated if the server tolerates them.
    pub(super) fn check_schema(
        &mut self,
        id: NodeId,
        new: &Value,
        old: Option<&dyn OldObject>,
        path: &FieldPath,
    ) {
        let validation = self.validation();
        let is_valid = match self.validity_facts {
            Some(facts) => facts.is_object_valid(&validation, id, new),
            None => validation.is_valid(id, new),
        };
        if is_valid {
            return;
        }
        let compared_old = old.filter(|_| self.ratchets && self.schema.correlates);
        let collected = match self.advice {
            None => validation.errors(id, new, compared_old),
            Some(_) => validation.located_errors(id, new, compared_old),
        };
        if let Some(mut advice) = self.advice.take() {
            let (ratchets, is_status) = (self.ratchets, self.is_status);
            let old = old.filter(|_| self.schema.correlates);
            let checked = CheckedValue {
                id,
                new,
                old,
                path,
                is_status,
            };
            advice.add_schema_advice(&self.validation(), &checked, &collected, ratchets);
            self.advice = Some(advice);
        }
        if let Some(origins) = &mut self.origins {
            for (error, origin) in collected.origins() {
                origins.add(&with_path_prefix(error.clone(), path), origin);
            }
        }
        let mut repeated = Vec::new();
        let (errors, tolerated) = collected.into_parts(&mut repeated);
        let errors = errors
            .into_iter()
            .map(|error| with_path_prefix(error, path));
        let errors = dedup_errors(errors.collect(), &mut self.report.repeated);
        self.report.errors.extend(errors);
        let repeated = repeated
            .into_iter()
            .map(|error| with_path_prefix(error, path));
        self.report.repeated.extend(repeated);
        let tolerated = tolerated
            .into_iter()
            .map(|error| with_path_prefix(error, path));
        self.report.tolerated.extend(tolerated);
    }

    /// Adds the warnings about metadata. A server adds them to accepted requests only.
    pub(super) fn add_metadata_warnings(&mut self, new: &Value, old: Option<&Value>) {
        if self.report.errors.is_empty() && self.settings.version.has(Feature::FinalizerWarnings) {
            let old_metadata = || old.and_then(|old| old.get("metadata"));
            let warnings = meta::finalizer_warnings(new.get("metadata"), old_metadata);
            self.report.warnings.extend(warnings);
        }
    }

    pub(super) fn check_scale(&mut self, new: &Value, is_status_request: bool) {
        let errors = &mut self.report.errors;
        self.schema
            .scale
            .check(new, is_status_request, &mut |violation| {
                errors.push(violation);
            });
    }

    /// Reports duplicates in the lists of a new object.
    pub(super) fn check_new_lists(&mut self, new: &Value) {
        if self.may_have_duplicates() {
            let duplicates = self.duplicates(new);
            self.report.errors.extend(duplicates);
        }
    }

    /// Returns false if the decoding has shown that no list contains duplicates.
    fn may_have_duplicates(&self) -> bool {
        self.validity_facts.is_none_or(|facts| facts.has_duplicates)
    }

    /// Returns the errors of all lists with a type.
    fn duplicates(&mut self, new: &Value) -> Vec<Violation> {
        let mut duplicates = Vec::new();
        let mut origins = self.origins.as_mut();
        self.schema.check_lists(new, &mut |violation| {
            if let Some(origins) = &mut origins {
                let origin = ErrorOrigin::at_child("x-kubernetes-list-type");
                origins.add(&violation, origin);
            }
            duplicates.push(violation);
        });
        duplicates
    }

    /// Reports duplicates in lists. An API server tolerates all duplicates if any list of the old
    /// object contains duplicates.
    pub(super) fn check_lists(&mut self, new: &Value, old: &LazyStoredObject<'_>) {
        if !self.may_have_duplicates() {
            return;
        }
        let duplicates = self.duplicates(new);
        if duplicates.is_empty() {
            return;
        }
        match self.settings.policy {
            RatchetingPolicy::ApiServer if self.schema.has_duplicates(old.decoded()) => {
                self.report.tolerated.extend(duplicates);
            }
            RatchetingPolicy::ApiServer => self.report.errors.extend(duplicates),
            RatchetingPolicy::Kep4008 => {
                // A duplicate is an error of the list.
                let list_path =
                    |violation: &Violation| violation.path().parent().unwrap_or_default();
                self.ratchet(duplicates, new, old, list_path);
            }
        }
    }

    /// Records that `x-kubernetes-embedded-resource` reports errors.
    pub(super) fn record_embedded_errors(&mut self, errors: &[Violation]) {
        if let Some(origins) = &mut self.origins {
            let origin = ErrorOrigin::of_keyword("x-kubernetes-embedded-resource");
            for error in errors {
                origins.add(error, origin);
            }
        }
    }

    /// Checks the types and the metadata of embedded resources. An API server tolerates no error in
    /// them.
    pub(super) fn check_embedded(&mut self, new: &Value, old: &LazyStoredObject<'_>) {
        let mut errors = Vec::new();
        let version = self.settings.version;
        meta::validate_embedded(self.schema, new, version, &mut errors);
        let mut errors = dedup_metadata_errors(errors, version);
        self.remove_reported(&mut errors);
        self.record_embedded_errors(&errors);
        if self.settings.policy == RatchetingPolicy::ApiServer || errors.is_empty() {
            if let Some(advice) = &mut self.advice {
                advice.add_metadata_advice(&errors, new, Some(old.decoded()));
            }
            self.report.errors.extend(errors);
            return;
        }
        let schema = self.schema;
        let comparison = Comparison::new(schema.root(), new, old.decoded());
        // The schema may omit fields that every resource has.
        let is_unchanged = |resource: &FieldPath, field: &str| {
            let resource = comparison.find(resource)?;
            let (new, old) = (
                resource.new_value().get(field)?,
                resource.old()?.get(field)?,
            );
            Some(deep_equal(new, old))
        };
        let (unchanged, errors): (Vec<Violation>, Vec<Violation>) =
            errors.into_iter().partition(|error| {
                let field = deciding_field(schema, error.path());
                let is_unchanged =
                    field.and_then(|(resource, field)| is_unchanged(&resource, field));
                self.ratchets && is_unchanged == Some(true)
            });
        self.report.tolerated.extend(unchanged);
        self.ratchet(errors, new, old, |error| {
            match deciding_field(schema, error.path()) {
                Some((resource, field)) => resource.field(field),
                None => error.path().clone(),
            }
        });
    }

    /// Removes the errors of metadata that are already in the report. There are such errors if the
    /// schema makes the whole object an embedded resource, so that its metadata is checked twice.
    fn remove_reported(&self, errors: &mut Vec<Violation>) {
        let root = self.schema.node(StructuralSchema::ROOT);
        if !root.embedded || errors.is_empty() {
            return;
        }
        let reported: HashSet<String> =
            self.report.errors.iter().map(ToString::to_string).collect();
        errors.retain(|error| !reported.contains(&error.to_string()));
    }

    /// Tolerates errors as KEP-4008 prescribes. `deciding_path` returns the path of the value that
    /// must be unchanged.
    fn ratchet(
        &mut self,
        errors: Vec<Violation>,
        new: &Value,
        old: &LazyStoredObject<'_>,
        deciding_path: impl Fn(&Violation) -> FieldPath,
    ) {
        let ratchet = if self.ratchets {
            Ratchet::Unchanged
        } else {
            Ratchet::Off
        };
        let comparison =
            Comparison::new(self.schema.root(), new, old.decoded()).with_deep_equality();
        let split = comparison.split(errors, &[], ratchet, |error| (deciding_path(error), ()));
        self.report.tolerated.extend(split.tolerated);
        self.report.errors.extend(split.new);
    }

    /// Normalizes and validates unions if [`ServerSettings::unions`] is set.
    pub(super) fn admit_unions(&mut self, new: &mut Value, old: Option<&LazyStoredObject<'_>>) {
        let Some(settings) = &self.settings.unions else {
            return;
        };
        self.add_union_warnings();
        let old = old.map(LazyStoredObject::decoded);
        let report = self.schema.unions.admit(new, old, settings);
        if !report.changes().is_empty() {
            self.validity_facts = None;
        }
        let ReportParts {
            errors,
            tolerated,
            changes,
            ..
        } = report.into();
        self.report.changes = changes;
        self.report.errors.extend(errors);
        self.report.tolerated.extend(tolerated);
    }

    /// Adds warnings about unions that cannot be validated.
    fn add_union_warnings(&mut self) {
        let problems = self.schema.union_problems().iter();
        let warnings = problems.map(|problem| format!("unions are not validated: {problem}"));
        self.report.warnings.extend(warnings);
    }

    /// Normalizes and validates the unions of an update of the status. Unions outside of the status
    /// neither change nor reject the request.
    pub(super) fn admit_status_unions(&mut self, new: &mut Value, old: &Value) {
        let Some(settings) = &self.settings.unions else {
            return;
        };
        self.add_union_warnings();
        let is_in_status =
            |path: &FieldPath| path.steps().next() == Some(PathStep::Field("status"));
        let unions = &self.schema.unions;
        let mut changes = unions.normalize(new, Some(old), settings);
        let change_count = changes.len();
        changes.retain(is_in_status);
        if changes.len() < change_count {
            restore_all_but_status(new, old);
        }
        self.report.changes = changes;
        let report = unions.validate_update(new, old, settings);
        let is_status_error = |violation: &Violation| is_in_status(violation.path());
        let ReportParts {
            errors, tolerated, ..
        } = report.into();
        self.report
            .errors
            .extend(errors.into_iter().filter(is_status_error));
        let tolerated = tolerated.into_iter().filter(is_status_error);
        self.report.tolerated.extend(tolerated);
    }

    /// Evaluates the CEL rules. If an error of certain kinds was found before, reports
    /// [`RULES_NOT_CHECKED`] instead, as a server does.
    pub(super) fn check_rules(&mut self, new: &Value, old: Option<&LazyStoredObject<'_>>) {
        let rule_count = self.schema.facts.rule_count;
        if rule_count == 0 {
            return;
        }
        // If CEL cannot see any value with rules, an API server behaves as if the schema had no
        // rules.
        if let Some(compiled_rules) = &self.schema.compiled_rules
            && !compiled_rules.has_evaluable_rules()
        {
            return;
        }
        let version = self.settings.version;
        let prevents_rules = |violation: &Violation| match violation.kind() {
            ViolationKind::NotSupported => version.has(Feature::EnumBeforeRules),
            ViolationKind::Required
            | ViolationKind::TooLong
            | ViolationKind::TooMany
            | ViolationKind::TypeInvalid => true,
            _ => false,
        };
        if self.report.errors.iter().any(prevents_rules) {
            let bad_value = BadValue::Formatted("null".to_owned());
            let kind = ViolationKind::Invalid;
            let violation = Violation::from_parts(
                kind,
                FieldPath::root(),
                bad_value,
                RULES_NOT_CHECKED.to_owned(),
            );
            self.report.errors.push(violation);
            return;
        }
        self.evaluate_rules(new, old.map(|old| -> &dyn OldObject { old }));
    }

    pub(super) fn evaluate_rules(&mut self, new: &Value, old: Option<&dyn OldObject>) {
        let Some(compiled_rules) = &self.schema.compiled_rules else {
            return;
        };
        let mut evaluator = crate::rules::walk::RuleEvaluator {
            schema: self.schema,
            compiled_rules,
            start: StructuralSchema::ROOT,
            ratchets: self.ratchets,
            is_deep: self.settings.policy == RatchetingPolicy::Kep4008,
            version: self.settings.version,
            explains: self.advice.is_some() || self.origins.is_some(),
        };
        let mut outcome = evaluator.evaluate(new, old);
        if let Some(origins) = &mut self.origins {
            for (error, origin) in &outcome.origins {
                origins.add(error, *origin);
            }
        }
        if let (Some(advice), Some(old)) = (&mut self.advice, old)
            && !outcome.errors.is_empty()
        {
            if self.ratchets {
                let old_outcome = evaluator.evaluate(old.decoded(), None);
                let kept = core::mem::take(&mut outcome.kept);
                advice.add_rule_advice(kept, &old_outcome.errors);
            } else {
                evaluator.ratchets = true;
                let ratcheted = evaluator.evaluate(new, Some(old)).ratcheted;
                advice.add_rules_off_advice(ratcheted, self.settings, self.is_status);
            }
        }
        self.report.errors.extend(outcome.errors);
        self.report.tolerated.extend(outcome.unevaluated);
        let warnings = outcome.ratcheted.iter().map(ToString::to_string);
        self.report.warnings.extend(warnings);
        self.report.warned.extend(outcome.ratcheted);
    }
}

/// Returns the path of the innermost embedded resource around an error, and the field of this
/// resource that must be unchanged so that the error is tolerated: `apiVersion`, `kind`, the whole
/// `metadata`, or the field that contains the error.
fn deciding_field<'p>(
    schema: &StructuralSchema,
    path: &'p FieldPath,
) -> Option<(FieldPath, &'p str)> {
    let mut id = Some(StructuralSchema::ROOT);
    let mut path_so_far = FieldPath::root();
    let mut innermost = None;
    for step in path.steps() {
        let node = schema.node(id?);
        if node.embedded {
            innermost = Some((path_so_far.clone(), step.name()?));
            if step == PathStep::Field("metadata") {
                return innermost;
            }
        }
        path_so_far = path_so_far.step(step);
        id = match step {
            PathStep::Field(name) | PathStep::Key(name) => node.child(name),
            PathStep::Index(_) => node.items,
        };
        if id.is_none() {
            return innermost;
        }
    }
    innermost
}

/// Returns the version in an `apiVersion`.
fn version_part(api_version: &str) -> &str {
    let version = api_version.split_once('/');
    version.map_or(api_version, |(_, version)| version)
}
