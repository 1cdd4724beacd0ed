//! Validates requests for a stored object by the new schema.

use std::collections::{HashMap, HashSet};

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};
use union_runtime::path::PathStep;

use super::before_update::{EarlierObject, earlier_object};
use super::tightened_error::{RequestOutcome, TightenedError};
use crate::judge::reply::check_reply::{CheckReply, ObjectRequest};
use crate::judge::reply::unions_reply::FieldError;

/// The annotation that the unrelated update adds.
const UNRELATED_ANNOTATION: &str = "unionctl/unrelated";

/// The schemas and settings for one object.
pub(super) struct ObjectEvaluator<'a> {
    /// The new schema.
    pub(super) schema: &'a StructuralSchema,
    /// The old schema, if there is one for the object.
    pub(super) old_schema: Option<&'a StructuralSchema>,
    /// True if `status` is a subresource.
    pub(super) has_status: bool,
    pub(super) settings: &'a ServerSettings,
}

/// The results for one object.
pub(super) struct TightenOutcome {
    pub(super) findings: Vec<TightenedError>,
    /// The result of a create with all of its errors. `unrelated_update` is the result of an
    /// unrelated update.
    pub(super) create: RequestOutcome,
    pub(super) unrelated_update: RequestOutcome,
    /// The warnings that are not errors: unknown fields, with similar names.
    pub(super) warnings: Vec<String>,
}

impl ObjectEvaluator<'_> {
    pub(super) fn evaluate(&self, stored: &Value) -> TightenOutcome {
        let create = self.validate(ObjectRequest::Create, stored.clone(), self.settings);
        let unrelated = self.unrelated_update(stored);
        // Paths of errors are paths in the object after pruning and defaulting, which this request
        // returns.
        let unchanged_update =
            self.validate(ObjectRequest::Update(stored), stored.clone(), self.settings);
        let old_create = self.old_schema.map(|old_schema| {
            CheckReply::validate(
                old_schema,
                ObjectRequest::Create,
                stored.clone(),
                self.settings,
            )
        });
        let found = distinct_errors(&[&create, &unrelated]);
        let warnings = distinct_warnings(&[&create, &unrelated]);
        let mut field_updates = HashMap::new();
        let mut findings = Vec::new();
        for error in found {
            let update = field_updates
                .entry(error.path.clone())
                .or_insert_with(|| self.update_of_field(&unchanged_update.object, &error));
            findings.push(TightenedError {
                create: error_outcome(&error, &create),
                unrelated_update: error_outcome(&error, &unrelated),
                update_of_field: error_outcome(&error, update),
                old_schema: old_create
                    .as_ref()
                    .map(|old_create| error_outcome(&error, old_create)),
                error,
            });
        }
        TightenOutcome {
            findings,
            create: request_outcome(&create),
            unrelated_update: request_outcome(&unrelated),
            warnings,
        }
    }

    fn validate(
        &self,
        request: ObjectRequest<'_>,
        new: Value,
        settings: &ServerSettings,
    ) -> CheckReply {
        CheckReply::validate(self.schema, request, new, settings)
    }

    fn unrelated_update(&self, stored: &Value) -> CheckReply {
        let mut new = stored.clone();
        let metadata = new.get_mut("metadata").and_then(Value::as_object_mut);
        let annotations = metadata.map(|metadata| metadata.entry("annotations"));
        let annotations = annotations.map(|entry| entry.or_insert_with(|| json!({})));
        if let Some(annotations) = annotations.and_then(Value::as_object_mut) {
            annotations.insert(UNRELATED_ANNOTATION.to_owned(), json!("yes"));
        }
        self.validate(ObjectRequest::Update(stored), new, self.settings)
    }

    /// Validates an update that changes the field of an error and leaves it invalid.
    fn update_of_field(&self, object: &Value, error: &FieldError) -> CheckReply {
        let without_ratcheting = || {
            let settings = self.settings.clone().ratchet(false);
            self.validate(ObjectRequest::Update(object), object.clone(), &settings)
        };
        let update = |old: &Value, new: &Value| {
            let is_of_status = error.path.steps().next() == Some(PathStep::Field("status"));
            let request = if self.has_status && is_of_status {
                ObjectRequest::UpdateStatus(old)
            } else {
                ObjectRequest::Update(old)
            };
            self.validate(request, new.clone(), self.settings)
        };
        match earlier_object(object, &error.path) {
            Some(EarlierObject::FieldAbsent(old)) => update(&old, object),
            Some(EarlierObject::FieldPresent(old)) => {
                // A schema without the field prunes it from both objects, so no update can change
                // the field.
                let pruned = update(&old, &old).object;
                match error.path.find(&pruned) {
                    Some(_) => update(&old, object),
                    None => without_ratcheting(),
                }
            }
            None => without_ratcheting(),
        }
    }
}

/// Returns the distinct errors, tolerated ones included.
fn distinct_errors(replies: &[&CheckReply]) -> Vec<FieldError> {
    let mut seen = HashSet::new();
    let mut errors = Vec::new();
    for reply in replies {
        let tolerated = reply.ratcheted.iter().chain(&reply.warned);
        for error in reply.errors.iter().chain(tolerated) {
            // This error only states that other errors stop the evaluation of rules.
            if !error.is_rules_not_checked() && seen.insert(error.key()) {
                errors.push(error.clone());
            }
        }
    }
    errors
}

/// Returns the distinct warnings that are not errors. A warning about an unknown field is followed
/// by the name of a similar field.
fn distinct_warnings(replies: &[&CheckReply]) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut warnings = Vec::new();
    for reply in replies {
        let errors: HashSet<&str> = reply.warned.iter().map(FieldError::line).collect();
        let fields = reply.unknown_fields.iter();
        let fields: HashMap<&str, String> = fields
            .map(|field| (field.message(), field.question()))
            .collect();
        for warning in &reply.warnings {
            if !errors.contains(&**warning) && seen.insert(warning) {
                let question = fields.get(&**warning).map_or("", |question| question);
                warnings.push(format!("{warning}{question}"));
            }
        }
    }
    warnings
}

fn request_outcome(reply: &CheckReply) -> RequestOutcome {
    if reply.is_accepted() {
        RequestOutcome::Accepted
    } else {
        RequestOutcome::Refused
    }
}

/// Returns the result of a request for one error.
fn error_outcome(error: &FieldError, reply: &CheckReply) -> RequestOutcome {
    let is_same_error = |other: &FieldError| other.key() == error.key();
    let mut tolerated = reply.ratcheted.iter().chain(&reply.warned);
    let mut errors = reply.errors.iter().chain(&reply.repeated);
    if errors.any(is_same_error) {
        RequestOutcome::Refused
    } else if tolerated.any(is_same_error) {
        RequestOutcome::Tolerated
    } else if reply.errors.iter().any(FieldError::is_rules_not_checked) {
        RequestOutcome::Unchecked
    } else {
        RequestOutcome::Accepted
    }
}
