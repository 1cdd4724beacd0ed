//! The checks of a request after decoding.

use serde_json::Value;

use super::generation::equal_but_for_metadata;
use super::read::{Stored, keep_but_status};
use crate::decode::correlate::Past;
use crate::metadata::{METADATA, meta};
use crate::schema::{NodeId, StructuralSchema};
use crate::settings::{Policy, ServerSettings};
use crate::validate::Validation;
use crate::validate::errors::dotted::within;
use crate::validate::errors::repeats::without_repeats;
use crate::validate::survey::{Survey, Surveyed};
use k8s_cel::format::Formats;
use k8s_json_internals::deep::Own;
use k8s_json_internals::equality::same;
use union_runtime::comparator::Comparison;
use union_runtime::path::{FieldPath, Step};
use union_runtime::{Found, Ratchet, ReportParts, Violation, ViolationKind};

/// The detail of the error that an API server reports in place of CEL rules: it does not evaluate
/// them while the object has other errors.
pub const RULES_NOT_CHECKED: &str = "some validation rules were not checked because the object was invalid; \
                                     correct the existing errors to complete validation";

/// A request after decoding, with the parts of the report so far.
pub(super) struct Request<'a> {
    schema: &'a StructuralSchema,
    settings: &'a ServerSettings,
    /// The formats that are checked, or `None` if they are the formats of the newest release.
    formats: Option<Formats>,
    /// The results of the survey that was made while the new object was decoded. `None` if the
    /// object has changed since then.
    surveyed: Option<Surveyed>,
    /// True if errors of unchanged values are tolerated.
    pub(super) ratchets: bool,
    pub(super) report: ReportParts,
}

impl<'a> Request<'a> {
    pub(super) fn new(schema: &'a StructuralSchema, settings: &'a ServerSettings) -> Self {
        Self {
            schema,
            settings,
            formats: settings.own_formats(),
            surveyed: None,
            ratchets: settings.ratchets(),
            report: ReportParts::default(),
        }
    }

    /// Returns a request to `/status`.
    pub(super) fn of_status(schema: &'a StructuralSchema, settings: &'a ServerSettings) -> Self {
        Self {
            ratchets: settings.ratchets_status(),
            ..Self::new(schema, settings)
        }
    }

    fn validation(&self) -> Validation<'_> {
        Validation {
            schema: self.schema,
            settings: self.settings,
            formats: self.formats.as_ref(),
            knows_all_formats: false,
        }
    }

    /// Decodes the new object as an API server decodes the body of a request.
    pub(super) fn read(&mut self, new: &mut Value) -> Result<(), Box<Violation>> {
        let mut survey = Survey::new(self.validation());
        let schema = self.schema;
        // The server sets the generation after the survey, so the survey is dropped if the
        // generation matters to validation.
        let is_kept =
            schema.read(new, schema.ignored(), &mut survey)? && !schema.facts.shows_generation;
        self.surveyed = is_kept.then(|| survey.found());
        Ok(())
    }

    /// Decodes the old object, whose status the new object gets.
    pub(super) fn read_stored<'v>(&mut self, old: &'v Value) -> Stored<'v>
    where
        'a: 'v,
    {
        let mut survey = Survey::new(self.validation());
        let schema = self.schema;
        let stored = schema.read_stored(old, &mut survey);
        let status = stored.is_unread().then(|| survey.found());
        self.surveyed = self
            .surveyed
            .zip(status)
            .map(|(new, status)| new.and(status));
        stored
    }

    /// Returns true if the object has the group, the version and the kind of the CRD. Otherwise
    /// adds errors, and the object is not checked further.
    pub(super) fn check_identity(&mut self, new: &Value) -> bool {
        let Some(identity) = &self.schema.identity else {
            return true;
        };
        // Only an object of the right kind is surveyed.
        if self.surveyed.is_some() {
            return true;
        }
        let before = self.report.errors.len();
        for (field, wanted) in [
            ("kind", &identity.kind),
            ("apiVersion", &identity.api_version),
        ] {
            let found = new.get(field).and_then(Value::as_str).unwrap_or_default();
            if found != wanted {
                let found = Found::Text(found.to_owned());
                let detail = format!("must be {wanted}");
                let kind = ViolationKind::Invalid;
                let violation = Violation::found(kind, [field].into(), found, detail);
                self.report.errors.push(violation);
            }
        }
        self.report.errors.len() == before
    }

    /// Checks the metadata of an update. With [`Policy::Kep4008`], errors are tolerated if the
    /// whole metadata is unchanged.
    pub(super) fn check_metadata(&mut self, new: &Value, old: &Stored<'_>) {
        if !self.schema.has_metadata(new) {
            return;
        }
        let mut found = Vec::new();
        let (whole, was) = (new, old);
        let (new, old) = (new.get("metadata"), old.outside().get("metadata"));
        meta::update(new, old, &METADATA, &mut found);
        // The fields that a server sets keep valid metadata valid, unless the generation overflows.
        let generation = old.and_then(|old| old.get("generation"));
        if found.is_empty() && generation.and_then(Value::as_i64) != Some(i64::MAX) {
            return;
        }
        found.clear();
        let is_changed = !equal_but_for_metadata(whole, was.whole());
        let mut prepared = new.map(Own::copy);
        if let Some(metadata) = &mut prepared {
            meta::prepare_update(metadata, old, is_changed);
        }
        meta::update(prepared.as_deref(), old, &METADATA, &mut found);
        let found = without_repeats(found, &mut Vec::new());
        let is_unchanged = self.settings.policy == Policy::Kep4008
            && self.ratchets
            && new.zip(old).is_some_and(|(new, old)| same(new, old));
        if is_unchanged {
            self.report.tolerated.extend(found);
        } else {
            self.report.errors.extend(found);
        }
    }

    /// Checks a value at the path `at`: the whole object or one of its fields.
    pub(super) fn check_schema(
        &mut self,
        id: NodeId,
        new: &Value,
        old: Option<&dyn Past>,
        at: &FieldPath,
    ) {
        let validation = self.validation();
        let is_valid = match self.surveyed {
            Some(surveyed) => surveyed.holds(&validation, id, new),
            None => validation.is_valid(id, new),
        };
        if is_valid {
            return;
        }
        let mut repeated = Vec::new();
        let (errors, ratcheted) = validation.errors(id, new, old).into_parts(&mut repeated);
        let errors = errors.into_iter().map(|error| within(error, at));
        let errors = without_repeats(errors.collect(), &mut self.report.repeated);
        self.report.errors.extend(errors);
        let repeated = repeated.into_iter().map(|error| within(error, at));
        self.report.repeated.extend(repeated);
        let ratcheted = ratcheted.into_iter().map(|error| within(error, at));
        self.report.tolerated.extend(ratcheted);
    }

    /// Adds the warnings about metadata. A server adds them to accepted requests only.
    pub(super) fn warn(&mut self, new: &Value, old: Option<&Value>) {
        if self.report.errors.is_empty() {
            let old = || old.and_then(|old| old.get("metadata"));
            let warnings = meta::warnings(new.get("metadata"), old);
            self.report.warnings.extend(warnings);
        }
    }

    pub(super) fn check_scale(&mut self, new: &Value, of_status: bool) {
        let errors = &mut self.report.errors;
        self.schema
            .scale
            .check(new, of_status, &mut |violation| errors.push(violation));
    }

    /// Reports duplicates in the lists of a new object.
    pub(super) fn check_new_lists(&mut self, new: &Value) {
        if self.may_repeat() {
            let errors = &mut self.report.errors;
            self.schema
                .check_lists(new, &mut |violation| errors.push(violation));
        }
    }

    /// Returns false if the survey has shown that no list contains duplicates.
    fn may_repeat(&self) -> bool {
        self.surveyed.is_none_or(|surveyed| surveyed.has_duplicates)
    }

    /// Reports duplicates in lists. An API server tolerates all duplicates if any list of the old
    /// object contains duplicates.
    pub(super) fn check_lists(&mut self, new: &Value, old: &Stored<'_>) {
        if !self.may_repeat() {
            return;
        }
        let mut found = Vec::new();
        self.schema
            .check_lists(new, &mut |violation| found.push(violation));
        if found.is_empty() {
            return;
        }
        match self.settings.policy {
            Policy::ApiServer if self.schema.has_duplicates(old.whole()) => {
                self.report.tolerated.extend(found);
            }
            Policy::ApiServer => self.report.errors.extend(found),
            Policy::Kep4008 => {
                // A duplicate is an error of the list.
                let list = |violation: &Violation| violation.path().parent().unwrap_or_default();
                self.split(found, new, old, list);
            }
        }
    }

    /// Checks the types and the metadata of embedded resources. An API server tolerates no error in
    /// them.
    pub(super) fn check_embedded(&mut self, new: &Value, old: &Stored<'_>) {
        let mut found = Vec::new();
        meta::validate_embedded(self.schema, new, &mut found);
        if self.settings.policy == Policy::ApiServer || found.is_empty() {
            self.report.errors.extend(found);
            return;
        }
        let schema = self.schema;
        let comparison = Comparison::new(schema.root(), new, old.whole());
        // The schema may omit fields that every resource has.
        let is_unchanged = |resource: &FieldPath, part: &str| {
            let resource = comparison.at(resource)?;
            let (new, old) = (resource.new_value().get(part)?, resource.old()?.get(part)?);
            Some(same(new, old))
        };
        let (unchanged, found): (Vec<Violation>, Vec<Violation>) =
            found.into_iter().partition(|found| {
                let part = part_of_resource(schema, found.path());
                let is_unchanged = part.and_then(|(resource, part)| is_unchanged(&resource, part));
                self.ratchets && is_unchanged == Some(true)
            });
        self.report.tolerated.extend(unchanged);
        self.split(found, new, old, |found| {
            match part_of_resource(schema, found.path()) {
                Some((resource, part)) => resource.field(part),
                None => found.path().clone(),
            }
        });
    }

    /// Tolerates errors as KEP-4008 prescribes. `decides` returns the path of the value that must
    /// be unchanged.
    fn split(
        &mut self,
        found: Vec<Violation>,
        new: &Value,
        old: &Stored<'_>,
        decides: impl Fn(&Violation) -> FieldPath,
    ) {
        let ratchet = if self.ratchets {
            Ratchet::Unchanged
        } else {
            Ratchet::Off
        };
        let comparison = Comparison::new(self.schema.root(), new, old.whole()).deep();
        let split = comparison.split(found, &[], ratchet, |found| (decides(found), ()));
        self.report.tolerated.extend(split.tolerated);
        self.report.errors.extend(split.new);
    }

    /// Normalizes and validates unions if the settings contain settings for unions.
    pub(super) fn admit_unions(&mut self, new: &mut Value, old: Option<&Stored<'_>>) {
        let Some(settings) = &self.settings.unions else {
            return;
        };
        self.warn_of_unions();
        let old = old.map(Stored::whole);
        let report = self.schema.unions.admit(new, old, settings);
        if !report.changes().is_empty() {
            self.surveyed = None;
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

    /// Warns about unions that cannot be validated.
    fn warn_of_unions(&mut self) {
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
        self.warn_of_unions();
        let is_of_status = |path: &FieldPath| path.steps().next() == Some(Step::Field("status"));
        let unions = &self.schema.unions;
        let mut changes = unions.normalize(new, Some(old), settings);
        let all = changes.len();
        changes.retain(is_of_status);
        if changes.len() < all {
            keep_but_status(new, old);
        }
        self.report.changes = changes;
        let report = unions.validate_update(new, old, settings);
        let of_status = |violation: &Violation| is_of_status(violation.path());
        let ReportParts {
            errors, tolerated, ..
        } = report.into();
        self.report
            .errors
            .extend(errors.into_iter().filter(of_status));
        let tolerated = tolerated.into_iter().filter(of_status);
        self.report.tolerated.extend(tolerated);
    }

    /// Evaluates the CEL rules. If an error of certain kinds was found before, reports
    /// [`RULES_NOT_CHECKED`] instead, as a server does.
    pub(super) fn check_rules(&mut self, new: &Value, old: Option<&Stored<'_>>) {
        let rules = self.schema.facts.rules;
        if rules == 0 {
            return;
        }
        // Seen: if CEL cannot see any value with rules, the server behaves as if the schema had no
        // rules.
        if let Some(programs) = &self.schema.programs
            && !programs.are_any()
        {
            return;
        }
        let blocks = |violation: &Violation| {
            matches!(
                violation.kind(),
                ViolationKind::Required
                    | ViolationKind::NotSupported
                    | ViolationKind::TooLong
                    | ViolationKind::TooMany
                    | ViolationKind::TypeInvalid
            )
        };
        if self.report.errors.iter().any(blocks) {
            let found = Found::Printed("null".to_owned());
            let kind = ViolationKind::Invalid;
            let violation =
                Violation::found(kind, FieldPath::root(), found, RULES_NOT_CHECKED.to_owned());
            self.report.errors.push(violation);
            return;
        }
        self.evaluate_rules(new, old.map(|old| -> &dyn Past { old }));
    }

    pub(super) fn evaluate_rules(&mut self, new: &Value, old: Option<&dyn Past>) {
        let Some(programs) = &self.schema.programs else {
            return;
        };
        let judge = crate::rules::walk::Judge {
            schema: self.schema,
            programs,
            start: StructuralSchema::ROOT,
            ratchets: self.ratchets,
            is_deep: self.settings.policy == Policy::Kep4008,
            shows_values: self.settings.version.shows_values(),
        };
        let found = judge.judge(new, old);
        self.report.errors.extend(found.errors);
        self.report.tolerated.extend(found.unevaluated);
        let warnings = found.ratcheted.iter().map(ToString::to_string);
        self.report.warnings.extend(warnings);
        self.report.warned.extend(found.ratcheted);
    }
}

/// Returns the innermost embedded resource on a path, and the field of the resource that decides
/// about the path: `metadata` decides as a whole.
fn part_of_resource<'p>(
    schema: &StructuralSchema,
    path: &'p FieldPath,
) -> Option<(FieldPath, &'p str)> {
    let mut id = Some(StructuralSchema::ROOT);
    let mut at = FieldPath::root();
    let mut innermost = None;
    for step in path.steps() {
        let node = schema.node(id?);
        if node.embedded {
            innermost = Some((at.clone(), step.name()?));
            if step == Step::Field("metadata") {
                return innermost;
            }
        }
        at = at.step(step);
        id = match step {
            Step::Field(name) | Step::Key(name) => node.child(name),
            Step::Index(_) => node.items,
        };
        if id.is_none() {
            return innermost;
        }
    }
    innermost
}
