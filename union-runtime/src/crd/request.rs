//! The flow of a request, in the order of an API server (spec `ratcheting.md` 1).

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Value, json};

use super::compare::Comparison;
use super::correlate::Equality;
use super::format::Formats;
use super::meta;
use super::schema::{NodeId, StructuralSchema};
use super::settings::{Policy, Settings};
use super::validate::Validation;
use crate::normalize::Changes;
use crate::path::Path;
use crate::same::same;
use crate::violation::{Found, Violation, ViolationKind, Violations};

/// What becomes of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "it says whether the request is refused"]
pub struct Outcome {
    /// What the request is refused for; none if it is accepted.
    pub errors: Vec<Violation>,
    /// What is wrong, and tolerated because its value is unchanged. API servers do not tell.
    pub ratcheted: Vec<Violation>,
    /// What normalization of unions changed.
    pub changes: Changes,
    /// What an API server sends along as warnings: CEL rules that failed on unchanged values, and rules that were not
    /// evaluated here.
    pub warnings: Vec<String>,
}

impl Outcome {
    /// A request that cannot be read.
    fn bad_request(violation: Violation) -> Self {
        Self {
            errors: vec![violation],
            ..Self::default()
        }
    }

    /// Whether the request is accepted.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.errors.is_empty()
    }

    /// The errors as [`Violations`], which know the `Status` that an API server answers with.
    ///
    /// # Errors
    ///
    /// The errors, if there are any.
    pub fn into_result(self) -> Result<Self, Violations> {
        if self.errors.is_empty() {
            return Ok(self);
        }
        Err(Violations::new(self.errors, self.ratcheted))
    }
}

/// The parts of a request after decoding.
struct Request<'a> {
    schema: &'a StructuralSchema,
    settings: &'a Settings,
    /// The formats that are checked, where they are not those of the newest release.
    formats: Option<Formats>,
    equality: Equality,
    outcome: Outcome,
}

impl StructuralSchema {
    /// Judges the creation of an object, which is pruned and defaulted.
    pub fn create(&self, new: &mut Value, settings: &Settings) -> Outcome {
        if let Err(violation) = self.read(new, self.ignored()) {
            return Outcome::bad_request(*violation);
        }
        if self.status_subresource
            && let Some(object) = new.as_object_mut()
        {
            object.remove("status");
        }
        let mut request = Request::new(self, settings);
        request.admit_unions(new, None);
        let shows = self.shows_generation();
        let sent = if shows { prepare_create(new) } else { None };
        if request.check_identity(new) {
            if self.has_metadata(new) {
                let scope = self.scope(new);
                let errors = &mut request.outcome.errors;
                let names = meta::NameRule::Subdomain;
                meta::common(new.get("metadata"), names, scope, &METADATA, errors);
            }
            request.check_schema(Self::ROOT, new, None, "");
            request.check_scale(new, false);
        }
        meta::validate_embedded(self, new, &mut request.outcome.errors);
        self.check_lists(new, &mut |violation| request.outcome.errors.push(violation));
        request.check_rules(new, None);
        request.warn(new, None);
        if shows {
            restore(new, sent);
        }
        request.outcome
    }

    /// Judges an update of `old`, a stored object; `new` is pruned and defaulted.
    pub fn update(&self, new: &mut Value, old: &Value, settings: &Settings) -> Outcome {
        if let Err(violation) = self.read(new, self.ignored()) {
            return Outcome::bad_request(*violation);
        }
        let old = self.read_stored(old);
        if self.status_subresource {
            copy_field("status", &old, new);
        }
        let mut request = Request::new(self, settings);
        request.admit_unions(new, Some(&old));
        let shows = self.shows_generation();
        let sent = if shows {
            prepare_update(new, &old)
        } else {
            None
        };
        if request.check_identity(new) {
            request.check_metadata(new, &old);
            let was = settings.ratchet.then_some(&*old);
            request.check_schema(Self::ROOT, new, was, "");
            request.check_scale(new, false);
        }
        meta::validate_embedded(self, new, &mut request.outcome.errors);
        request.check_lists(new, &old);
        request.check_rules(new, Some(&old));
        request.warn(new, Some(&old));
        if shows {
            restore(new, sent);
        }
        request.outcome
    }

    /// Judges an update of the status of `old`, a stored object: `new` becomes `old` with the status of `new`.
    pub fn update_status(&self, new: &mut Value, old: &Value, settings: &Settings) -> Outcome {
        if let Err(violation) = self.read(new, "") {
            return Outcome::bad_request(*violation);
        }
        let old = self.read_stored(old);
        Self::take_status(new, &old);
        let mut request = Request::new(self, settings);
        request.admit_status_unions(new, &old);
        if request.check_identity(new) {
            request.check_metadata(new, &old);
            let status = self.node(Self::ROOT).property("status");
            if let (Some(status), Some(id)) = (new.get("status"), status) {
                // Seen: a status that was not there counts as null.
                let was = old.get("status").unwrap_or(&Value::Null);
                let was = Some(was).filter(|_| settings.ratchet);
                request.check_schema(id, status, was, "status");
            }
            request.check_scale(new, true);
        }
        request.check_lists(new, &old);
        request.check_rules(new, Some(&old));
        request.outcome
    }

    /// The field that a client cannot set, so that it needs no default.
    const fn ignored(&self) -> &'static str {
        if self.status_subresource {
            "status"
        } else {
            ""
        }
    }

    /// Whether the generation, which a server sets, can be seen in what is said of an object: the root is printed, or
    /// compared by a rule.
    fn shows_generation(&self) -> bool {
        self.facts.shows_root || !self.node(Self::ROOT).rules.is_empty()
    }

    /// Reads an object as it comes from a client; the field `but` is not filled in.
    fn read(&self, object: &mut Value, but: &str) -> Result<(), Box<Violation>> {
        if let Some(metadata) = object.get_mut("metadata") {
            meta::coerce(metadata).map_err(|problem| {
                let kind = ViolationKind::BadRequest;
                let path = "metadata".to_owned();
                Box::new(Violation::found(kind, path, Found::Nothing, problem))
            })?;
        }
        if !self.is_of_kind(object) {
            // A server has no schema for another kind.
            return Ok(());
        }
        let below = self.node(Self::ROOT).below;
        if !below.has_embedded && self.is_decoded(object, but) {
            return Ok(());
        }
        self.decode(object);
        if below.has_embedded {
            meta::coerce_embedded(self, object)?;
        }
        if below.has_defaults {
            self.fill_in(Self::ROOT, object, but);
        }
        Ok(())
    }

    /// Whether an object is of the CRD's group, version and kind; of a schema alone any object is.
    fn is_of_kind(&self, object: &Value) -> bool {
        self.identity.as_ref().is_none_or(|identity| {
            let is =
                |field: &str, wanted: &str| object.get(field).is_some_and(|found| found == wanted);
            is("kind", &identity.kind) && is("apiVersion", &identity.api_version)
        })
    }

    /// The stored object as the current schema sees it.
    fn read_stored<'v>(&self, old: &'v Value) -> Cow<'v, Value> {
        let below = self.node(Self::ROOT).below;
        if !below.has_embedded
            && self.is_decoded(old, "")
            && old.get("metadata").is_none_or(meta::is_coerced)
        {
            return Cow::Borrowed(old);
        }
        let mut old = old.clone();
        if let Some(metadata) = old.get_mut("metadata") {
            meta::coerce_stored(metadata);
        }
        self.decode(&mut old);
        if below.has_embedded {
            meta::coerce_embedded_stored(self, &mut old);
        }
        if below.has_defaults {
            self.fill_in(Self::ROOT, &mut old, "");
        }
        Cow::Owned(old)
    }

    /// Makes `new` the old object with another status.
    fn take_status(new: &mut Value, old: &Value) {
        let mut object = old.clone();
        copy_field("status", new, &mut object);
        let fields = new.pointer("/metadata/managedFields").cloned();
        if let (Some(fields), Some(metadata)) = (fields, object.get_mut("metadata"))
            && let Some(metadata) = metadata.as_object_mut()
        {
            metadata.insert("managedFields".to_owned(), fields);
        }
        *new = object;
    }

    /// Whether metadata is looked at: a schema alone may be asked about objects that are no resources.
    fn has_metadata(&self, object: &Value) -> bool {
        self.identity.is_some() || object.get("metadata").is_some()
    }

    /// Whether objects live in namespaces; of a schema alone it is not known, and both are fine.
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

const METADATA: Path<'static> = Path::ROOT.field("metadata");

/// Sets the generation, which a server does before it looks, and returns what was sent. An answer is without it: it says
/// what becomes of the object that was sent.
fn prepare_create(new: &mut Value) -> Option<Value> {
    let metadata = new.get_mut("metadata")?.as_object_mut()?;
    metadata.insert("generation".to_owned(), 1.into())
}

/// As [`prepare_create`], and keeps what a client cannot change.
fn prepare_update(new: &mut Value, old: &Value) -> Option<Value> {
    let is_changed = !equal_but_for_metadata(new, old);
    let metadata = new.get_mut("metadata")?;
    let sent = metadata.get("generation").cloned();
    meta::prepare_update(metadata, old.get("metadata"), is_changed);
    sent
}

/// Puts back the generation that was sent, where it was set.
fn restore(new: &mut Value, sent: Option<Value>) {
    if let Some(metadata) = new.get_mut("metadata").and_then(Value::as_object_mut) {
        match sent {
            Some(sent) => drop(metadata.insert("generation".to_owned(), sent)),
            None => drop(metadata.remove("generation")),
        }
    }
}

/// Whether two objects have the same fields, metadata left aside.
fn equal_but_for_metadata(new: &Value, old: &Value) -> bool {
    let fields = |object: &Value| -> usize {
        let fields = object.as_object().into_iter().flatten();
        fields.filter(|(key, _)| *key != "metadata").count()
    };
    let entries = new.as_object().into_iter().flatten();
    let mut entries = entries.filter(|(key, _)| *key != "metadata");
    fields(new) == fields(old)
        && entries.all(|(key, value)| old.get(key).is_some_and(|old| same(value, old)))
}

/// Leaves the first of errors that read the same.
fn without_repeats(mut errors: Vec<Violation>) -> Vec<Violation> {
    if errors.len() > 1 {
        let mut seen = HashSet::new();
        errors.retain(|error| seen.insert(error.to_string()));
    }
    errors
}

/// Makes a field of an object what it is in another.
fn copy_field(name: &str, from: &Value, to: &mut Value) {
    let Some(to) = to.as_object_mut() else { return };
    match from.get(name) {
        Some(value) if to.get(name).is_some_and(|there| same(there, value)) => {}
        Some(value) => {
            to.insert(name.to_owned(), value.clone());
        }
        None => {
            to.remove(name);
        }
    }
}

/// Makes all of an object what it was, but for what an update of the status may change.
fn keep_but_status(new: &mut Value, old: &Value) {
    let may_change = |field: &str| matches!(field, "status" | "metadata");
    if let Some(fields) = new.as_object_mut() {
        fields.retain(|field, _| may_change(field) || old.get(field).is_some());
    }
    let fields = old.as_object().into_iter().flatten();
    for (field, _) in fields.filter(|(field, _)| !may_change(field)) {
        copy_field(field, old, new);
    }
}

impl<'a> Request<'a> {
    fn new(schema: &'a StructuralSchema, settings: &'a Settings) -> Self {
        Self {
            schema,
            settings,
            formats: settings.own_formats(),
            equality: Equality::new(settings.policy == Policy::Kep4008),
            outcome: Outcome::default(),
        }
    }

    /// An object is of the CRD's group, version and kind; if it is not, it is not looked at any further.
    fn check_identity(&mut self, new: &Value) -> bool {
        let Some(identity) = &self.schema.identity else {
            return true;
        };
        let before = self.outcome.errors.len();
        for (field, wanted) in [
            ("kind", &identity.kind),
            ("apiVersion", &identity.api_version),
        ] {
            let found = new.get(field).and_then(Value::as_str).unwrap_or_default();
            if found != wanted {
                let found = Found::Text(found.to_owned());
                let detail = format!("must be {wanted}");
                let kind = ViolationKind::Invalid;
                let violation = Violation::found(kind, field.to_owned(), found, detail);
                self.outcome.errors.push(violation);
            }
        }
        self.outcome.errors.len() == before
    }

    /// Checks the metadata of an update. By the text of KEP-4008 what is wrong with it is tolerated with the whole of it.
    fn check_metadata(&mut self, new: &Value, old: &Value) {
        if !self.schema.has_metadata(new) {
            return;
        }
        let mut found = Vec::new();
        let (whole, was) = (new, old);
        let (new, old) = (new.get("metadata"), old.get("metadata"));
        meta::update(new, old, &METADATA, &mut found);
        // Good metadata stays so, whatever a server sets in it; only a generation may have no next one.
        let generation = old.and_then(|old| old.get("generation"));
        if found.is_empty() && generation.and_then(Value::as_i64) != Some(i64::MAX) {
            return;
        }
        found.clear();
        let is_changed = !equal_but_for_metadata(whole, was);
        let mut prepared = new.cloned();
        if let Some(metadata) = &mut prepared {
            meta::prepare_update(metadata, old, is_changed);
        }
        meta::update(prepared.as_ref(), old, &METADATA, &mut found);
        let found = without_repeats(found);
        let is_unchanged = self.settings.policy == Policy::Kep4008
            && self.settings.ratchet
            && new.zip(old).is_some_and(|(new, old)| same(new, old));
        if is_unchanged {
            self.outcome.ratcheted.extend(found);
        } else {
            self.outcome.errors.extend(found);
        }
    }

    /// Checks a value that stands in a field of the object, or is the object.
    fn check_schema(&mut self, id: NodeId, new: &Value, old: Option<&Value>, field: &str) {
        let validation = Validation {
            schema: self.schema,
            settings: self.settings,
            equality: &self.equality,
            formats: self.formats.as_ref(),
            knows_all_formats: false,
        };
        if validation.is_valid(id, new) {
            return;
        }
        let (errors, ratcheted) = validation.errors(id, new, old).into_parts();
        let errors = errors.into_iter().map(|error| error.within(field));
        self.outcome
            .errors
            .extend(without_repeats(errors.collect()));
        let ratcheted = ratcheted.into_iter().map(|error| error.within(field));
        self.outcome.ratcheted.extend(ratcheted);
    }

    /// Warns of metadata, which a server does of accepted requests alone.
    fn warn(&mut self, new: &Value, old: Option<&Value>) {
        if self.outcome.errors.is_empty() {
            let old = old.and_then(|old| old.get("metadata"));
            let warnings = meta::warnings(new.get("metadata"), old);
            self.outcome.warnings.extend(warnings);
        }
    }

    fn check_scale(&mut self, new: &Value, of_status: bool) {
        let errors = &mut self.outcome.errors;
        self.schema
            .scale
            .check(new, of_status, &mut |violation| errors.push(violation));
    }

    /// Where the old object has something twice in any list, the new one may have too.
    fn check_lists(&mut self, new: &Value, old: &Value) {
        let mut found = Vec::new();
        self.schema
            .check_lists(new, &mut |violation| found.push(violation));
        if found.is_empty() {
            return;
        }
        match self.settings.policy {
            Policy::ApiServer if self.schema.has_duplicates(old) => {
                self.outcome.ratcheted.extend(found);
            }
            Policy::ApiServer => self.outcome.errors.extend(found),
            Policy::Kep4008 => {
                let comparison = Comparison::new(self.schema, new, old, self.settings.policy);
                let (unchanged, changed) = found.into_iter().partition(|violation: &Violation| {
                    let list = violation.path().rsplit_once('[').map(|(list, _)| list);
                    let list = list.and_then(|list| comparison.at(list));
                    self.settings.ratchet && list.is_some_and(|list| list.is_unchanged())
                });
                self.outcome.ratcheted.extend::<Vec<Violation>>(unchanged);
                self.outcome.errors.extend::<Vec<Violation>>(changed);
            }
        }
    }

    /// Normalizes and validates unions, where the settings ask for it.
    fn admit_unions(&mut self, new: &mut Value, old: Option<&Value>) {
        let Some(settings) = &self.settings.unions else {
            return;
        };
        match self.schema.unions.admit(new, old, settings) {
            Ok(admitted) => {
                self.outcome.changes = admitted.changes;
                self.outcome.ratcheted.extend(admitted.ratcheted);
            }
            Err(found) => {
                self.outcome.errors.extend(found.iter().cloned());
                self.outcome.ratcheted.extend_from_slice(found.ratcheted());
            }
        }
    }

    /// The same for an update of the status, which nothing else of the object is changed or refused by.
    fn admit_status_unions(&mut self, new: &mut Value, old: &Value) {
        let Some(settings) = &self.settings.unions else {
            return;
        };
        let is_of_status = |path: &str| {
            let rest = path.strip_prefix("status");
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let unions = &self.schema.unions;
        let mut changes = unions.normalize(new, Some(old), settings);
        let all = changes.len();
        changes.retain(is_of_status);
        if changes.len() < all {
            keep_but_status(new, old);
        }
        self.outcome.changes = changes;
        let (found, ratcheted) = match unions.validate_update(new, old, settings) {
            Ok(judged) => (Vec::new(), judged.ratcheted),
            Err(found) => (found.iter().cloned().collect(), found.ratcheted().to_vec()),
        };
        let of_status = |violation: &Violation| is_of_status(violation.path());
        let errors = found.into_iter().filter(of_status);
        self.outcome.errors.extend(errors);
        let ratcheted = ratcheted.into_iter().filter(of_status);
        self.outcome.ratcheted.extend(ratcheted);
    }

    /// Evaluates the CEL rules, unless an error keeps a server from it.
    fn check_rules(&mut self, new: &Value, old: Option<&Value>) {
        let rules = self.schema.facts.rules;
        if rules == 0 {
            return;
        }
        // Seen: where all rules are about what rules do not see, it is as if there were none.
        #[cfg(feature = "cel")]
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
        if self.outcome.errors.iter().any(blocks) {
            let detail = "some validation rules were not checked because the object was invalid; \
                          correct the existing errors to complete validation";
            let found = Found::Printed("null".to_owned());
            let kind = ViolationKind::Invalid;
            let violation = Violation::found(kind, String::new(), found, detail.to_owned());
            self.outcome.errors.push(violation);
            return;
        }
        self.evaluate_rules(rules, new, old);
    }

    /// Says that rules were not evaluated.
    #[cfg(not(feature = "cel"))]
    fn evaluate_rules(&mut self, rules: usize, _: &Value, _: Option<&Value>) {
        self.outcome.warnings.push(format!(
            "the schema has {rules} CEL rules, which were not evaluated; build `union-runtime` with feature `cel`"
        ));
    }

    #[cfg(feature = "cel")]
    fn evaluate_rules(&mut self, _: usize, new: &Value, old: Option<&Value>) {
        let Some(programs) = &self.schema.programs else {
            return;
        };
        let judge = super::cel::Judge {
            schema: self.schema,
            programs,
            equality: &self.equality,
            start: StructuralSchema::ROOT,
            ratchets: self.settings.ratchet,
            shows_values: self.settings.version.shows_values(),
        };
        let found = judge.judge(new, old);
        self.outcome.errors.extend(found.errors);
        let warnings = found.ratcheted.iter().map(ToString::to_string);
        self.outcome.warnings.extend(warnings);
        self.outcome.warnings.extend(found.not_evaluated);
    }
}

impl Outcome {
    /// The `Status` that an API server answers with; `None` if the request is accepted.
    #[must_use]
    pub fn status(&self, group: &str, kind: &str, name: &str) -> Option<Value> {
        if self.errors.is_empty() {
            return None;
        }
        if let [error] = self.errors.as_slice()
            && error.kind() == ViolationKind::BadRequest
        {
            return Some(json!({
                "kind": "Status",
                "apiVersion": "v1",
                "metadata": {},
                "status": "Failure",
                "message": error.to_string(),
                "reason": "BadRequest",
                "code": 400,
            }));
        }
        let violations = Violations::new(self.errors.clone(), Vec::new());
        Some(violations.status(group, kind, name))
    }

    /// The outcome as JSON: `{"errors":[{"type","field","text"}],"ratcheted":[...],"warnings":[...]}`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let list = |violations: &[Violation]| -> Value {
            violations.iter().map(Violation::to_json).collect()
        };
        json!({
            "errors": list(&self.errors),
            "ratcheted": list(&self.ratcheted),
            "warnings": self.warnings,
        })
    }
}
