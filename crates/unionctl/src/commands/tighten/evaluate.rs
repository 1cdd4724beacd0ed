//! Validates requests for a stored object by the new schema.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crd_compat::Keyword;
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};
use union_runtime::path::PathStep;

use super::before_update::{EarlierObject, earlier_object};
use super::stored_fields::StoredFields;
use super::tightened_error::{RequestOutcome, TightenedError, keyword};
use crate::judge::reply::check_reply::{CheckReply, ObjectRequest};
use crate::judge::reply::unions_reply::FieldError;

/// The annotation that the unrelated update adds.
const UNRELATED_ANNOTATION: &str = "unionctl/unrelated";

/// The schemas and settings for one object.
pub(super) struct ObjectEvaluator<'a> {
    /// The new schema.
    pub(super) schema: Arc<StructuralSchema>,
    /// The old schema, if there is one for the object.
    pub(super) old_schema: Option<OldSchema>,
    /// True if `status` is a subresource.
    pub(super) has_status: bool,
    pub(super) settings: &'a ServerSettings,
}

/// The old schema of an object.
pub(super) struct OldSchema {
    pub(super) schema: Arc<StructuralSchema>,
    /// The `apiVersion` of objects of this schema, if the object has another one.
    pub(super) api_version: Option<String>,
}

/// The results for one object.
pub(super) struct TightenOutcome {
    pub(super) findings: Vec<TightenedError>,
    /// The fields that the new schema drops or reads with another default.
    pub(super) stored_fields: StoredFields,
    /// The outcome of a create of the object.
    pub(super) create: RequestOutcome,
    /// The outcome of an update that only adds an annotation.
    pub(super) unrelated_update: RequestOutcome,
    /// The warnings that are not tolerated errors, such as warnings about unknown fields.
    pub(super) warnings: Vec<String>,
}

impl ObjectEvaluator<'_> {
    pub(super) fn evaluate(&self, stored_object: &Value) -> TightenOutcome {
        let create_reply =
            self.validate(ObjectRequest::Create, stored_object.clone(), self.settings);
        let unrelated_reply = self.validate_unrelated_update(stored_object);
        // Paths of errors refer to the object after pruning and defaulting, which the reply to this
        // request contains.
        let unchanged_reply = self.validate(
            ObjectRequest::Update(stored_object),
            stored_object.clone(),
            self.settings,
        );
        let old_schema = self.old_schema.as_ref();
        let old_schema_reply =
            old_schema.map(|old_schema| old_schema.validate_create(stored_object, self.settings));
        let stored_fields = old_schema.map(|old_schema| {
            let old_object = old_schema.read(stored_object, self.settings);
            StoredFields::compare(stored_object, &old_object, &unchanged_reply.object)
        });
        let errors = distinct_errors(&[&create_reply, &unrelated_reply]);
        let warnings = distinct_warnings(&[&create_reply, &unrelated_reply]);
        let mut field_replies = HashMap::new();
        let mut findings = Vec::new();
        for error in errors {
            let field_reply = field_replies
                .entry(error.path.clone())
                .or_insert_with(|| self.validate_update_of_field(&unchanged_reply.object, &error));
            findings.push(TightenedError {
                create: self.create_outcome(&error, &create_reply),
                unrelated_update: error_outcome(&error, &unrelated_reply),
                update_of_field: error_outcome(&error, field_reply),
                old_schema: old_schema_reply
                    .as_ref()
                    .map(|old_schema_reply| error_outcome(&error, old_schema_reply)),
                code: keyword(&error).code_of_refusal(),
                error,
            });
        }
        TightenOutcome {
            findings,
            stored_fields: stored_fields.unwrap_or_default(),
            create: request_outcome(&create_reply),
            unrelated_update: request_outcome(&unrelated_reply),
            warnings,
        }
    }

    fn validate(
        &self,
        request: ObjectRequest<'_>,
        new_object: Value,
        settings: &ServerSettings,
    ) -> CheckReply {
        CheckReply::validate(&self.schema, request, new_object, settings)
    }

    fn validate_unrelated_update(&self, stored_object: &Value) -> CheckReply {
        let mut new_object = stored_object.clone();
        let metadata = new_object
            .get_mut("metadata")
            .and_then(Value::as_object_mut);
        let annotations = metadata.map(|metadata| metadata.entry("annotations"));
        let annotations = annotations.map(|entry| entry.or_insert_with(|| json!({})));
        if let Some(annotations) = annotations.and_then(Value::as_object_mut) {
            annotations.insert(UNRELATED_ANNOTATION.to_owned(), json!("yes"));
        }
        self.validate(
            ObjectRequest::Update(stored_object),
            new_object,
            self.settings,
        )
    }

    /// Returns the outcome of one error in a create. A create drops the status, and so does not
    /// evaluate the rules of the status.
    fn create_outcome(&self, error: &FieldError, reply: &CheckReply) -> RequestOutcome {
        match error_outcome(error, reply) {
            RequestOutcome::Unchecked if self.has_status && is_of_status(error) => {
                RequestOutcome::Accepted
            }
            outcome => outcome,
        }
    }

    /// Validates an update that changes the field of an error and leaves it invalid.
    fn validate_update_of_field(&self, object: &Value, error: &FieldError) -> CheckReply {
        let validate_without_ratcheting = || {
            let settings = self.settings.clone().ratchet(false);
            self.validate(ObjectRequest::Update(object), object.clone(), &settings)
        };
        let validate_update = |old_object: &Value, new_object: &Value| {
            let request = if self.has_status && is_of_status(error) {
                ObjectRequest::UpdateStatus(old_object)
            } else {
                ObjectRequest::Update(old_object)
            };
            self.validate(request, new_object.clone(), self.settings)
        };
        match earlier_object(object, &error.path) {
            Some(EarlierObject::FieldAbsent(old_object)) => validate_update(&old_object, object),
            Some(EarlierObject::FieldPresent(old_object)) => {
                // A schema without the field prunes it from both objects, so no update can change
                // the field.
                let pruned_object = validate_update(&old_object, &old_object).object;
                match error.path.find(&pruned_object) {
                    Some(_) => validate_update(&old_object, object),
                    None => validate_without_ratcheting(),
                }
            }
            None => validate_without_ratcheting(),
        }
    }
}

impl OldSchema {
    fn validate_create(&self, stored_object: &Value, settings: &ServerSettings) -> CheckReply {
        let object = self.with_api_version(stored_object);
        CheckReply::validate(&self.schema, ObjectRequest::Create, object, settings)
    }

    /// Returns the object as a server with the old schema reads it.
    fn read(&self, stored_object: &Value, settings: &ServerSettings) -> Value {
        let stored = self.with_api_version(stored_object);
        let request = ObjectRequest::Update(&stored);
        let mut object =
            CheckReply::validate(&self.schema, request, stored.clone(), settings).object;
        if self.api_version.is_some() {
            object["apiVersion"] = stored_object["apiVersion"].clone();
        }
        object
    }

    fn with_api_version(&self, object: &Value) -> Value {
        let mut object = object.clone();
        if let Some(api_version) = &self.api_version {
            object["apiVersion"] = api_version.clone().into();
        }
        object
    }
}

/// Returns the distinct errors of all replies, including tolerated errors.
fn distinct_errors(replies: &[&CheckReply]) -> Vec<FieldError> {
    let mut seen_keys = HashSet::new();
    let mut errors = Vec::new();
    for reply in replies {
        let tolerated_errors = reply.ratcheted.iter().chain(&reply.warned);
        for error in reply.errors.iter().chain(tolerated_errors) {
            // This error only states that other errors stop the evaluation of rules.
            if !error.is_rules_not_checked() && seen_keys.insert(error.key()) {
                errors.push(error.clone());
            }
        }
    }
    errors
}

/// Returns the distinct warnings that are not tolerated errors. A warning about an unknown field
/// ends with the name of a similar field.
fn distinct_warnings(replies: &[&CheckReply]) -> Vec<String> {
    let mut seen_warnings = HashSet::new();
    let mut warnings = Vec::new();
    for reply in replies {
        let error_lines: HashSet<&str> = reply.warned.iter().map(FieldError::line).collect();
        let unknown_fields = reply.unknown_fields.iter();
        let questions: HashMap<&str, String> = unknown_fields
            .map(|field| (field.message(), field.question()))
            .collect();
        for warning in &reply.warnings {
            if !error_lines.contains(&**warning) && seen_warnings.insert(warning) {
                let question = questions.get(&**warning).map_or("", |question| question);
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
        RequestOutcome::Rejected
    }
}

fn is_of_status(error: &FieldError) -> bool {
    error.path.steps().next() == Some(PathStep::Field("status"))
}

/// Returns the outcome of one error in a request.
fn error_outcome(error: &FieldError, reply: &CheckReply) -> RequestOutcome {
    let is_same_error = |other_error: &FieldError| other_error.key() == error.key();
    let mut tolerated_errors = reply.ratcheted.iter().chain(&reply.warned);
    let mut errors = reply.errors.iter().chain(&reply.repeated);
    if errors.any(is_same_error) {
        RequestOutcome::Rejected
    } else if tolerated_errors.any(is_same_error) {
        RequestOutcome::Tolerated
    } else if keyword(error) == Keyword::Rule
        && reply.errors.iter().any(FieldError::is_rules_not_checked)
    {
        RequestOutcome::Unchecked
    } else {
        RequestOutcome::Accepted
    }
}
