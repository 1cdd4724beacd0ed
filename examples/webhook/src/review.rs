//! Answers reviews: all decisions of the webhook, without HTTP and without state.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use k8s_crd_validation::FieldValidation;
use kube::core::Status;
use kube::core::admission::{AdmissionResponse, META_API_VERSION_V1, META_KIND, Operation};
use serde::Serialize;
use serde_json::{Value, json};
use union_json::Unions;
use union_runtime::{Changes, ObjectRef, Report, Settings, Violation};

use crate::request::{self, AdmissionRequest, ReadMode, ReviewObject, ReviewParseError};
use crate::schemas::{CompiledVersion, KindLookup, Schemas};

/// The webhook that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Webhook {
    /// Normalizes unions: answers with a patch.
    Mutate,
    /// Validates unions, and the whole object if the schemas are compiled for it: answers with the
    /// errors.
    Validate,
}

impl Webhook {
    /// Both webhooks.
    pub const ALL: [Self; 2] = [Self::Mutate, Self::Validate];

    /// Returns the path of the webhook.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Mutate => "/mutate",
            Self::Validate => "/validate",
        }
    }

    /// Returns the path without its slash.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.path().trim_start_matches('/')
    }
}

/// The settings by which objects are judged.
#[derive(Clone, Debug, Default)]
pub struct ReviewSettings {
    /// The settings for unions.
    pub unions: Settings,
    /// The settings for the whole object, if schemas were compiled for it.
    pub whole_object: k8s_crd_validation::ServerSettings,
}

/// An answer to a review.
#[derive(Debug)]
pub struct ReviewReply {
    /// The review with the response, as JSON.
    pub body: Vec<u8>,
    /// The facts about the answer, for logs and metrics.
    pub summary: ReviewSummary,
}

/// The facts about an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewSummary {
    /// The uid of the request, shortened to the length of a name.
    pub uid: String,
    /// `CREATE`, `UPDATE`, `DELETE`, `CONNECT`, or `""` if the operation is unknown.
    pub operation: &'static str,
    /// The kind, if it is known: `Backup.db.example.com`.
    pub kind: Option<String>,
    /// The namespace of the object; empty if it has none.
    pub namespace: String,
    /// The name of the object; empty if the server generates the name.
    pub name: String,
    /// True if the object is not going to be stored.
    pub dry_run: bool,
    /// The changes of normalizing.
    pub changes: Vec<String>,
    /// The message for which the request was rejected.
    pub refused: Option<String>,
    /// The errors that were tolerated.
    pub ratcheted: Vec<String>,
}

/// The problem of a body without a uid: the answer is HTTP status 400 with this string.
#[derive(Debug)]
pub struct BadRequestError(pub String);

/// The decision about a request.
#[derive(Debug, Default)]
struct Decision {
    refusal: Option<Status>,
    patch: Option<json_patch::Patch>,
    changes: Changes,
    ratcheted: Vec<Violation>,
    warnings: Vec<String>,
}

/// The greatest number of warnings: API servers truncate them at 4,096 characters in total.
const MAX_WARNINGS: usize = 10;

/// The greatest length of a warning: API servers shorten longer ones.
const MAX_WARNING_LENGTH: usize = 256;

/// The greatest number of causes of a rejection, and of elements of a list in logs: an object may
/// have an invalid value in every second byte.
const MAX_LISTED: usize = 100;

/// The greatest length of names and uids in logs.
const MAX_NAME_LENGTH: usize = 253;

/// Answers the review in a body. The answer depends only on the arguments, and answering has no
/// effects, so a dry run is a request like others.
///
/// # Errors
///
/// Returns an error if the body is not a review, or is a review without a uid. Every body with a
/// uid is answered by a review.
pub fn answer_review(
    webhook: Webhook,
    body: &[u8],
    schemas: &Schemas,
    rules: &ReviewSettings,
) -> Result<ReviewReply, BadRequestError> {
    if webhook == Webhook::Validate
        && let Some(request) = request::parse_with_objects(body)
    {
        return Ok(answer_request(webhook, request, body, schemas, rules));
    }
    match request::parse_without_objects(body) {
        Ok(request) => Ok(answer_request(webhook, request, body, schemas, rules)),
        Err(ReviewParseError::NoReview(problem)) => Err(BadRequestError(problem)),
        Err(ReviewParseError::NoRequest {
            uid,
            api_version,
            problem,
        }) => {
            let facts = ReviewSummary {
                uid: truncate(&uid, MAX_NAME_LENGTH),
                ..ReviewSummary::default()
            };
            let decision = Decision::reject(bad_request(&problem));
            let api_version = match api_version.as_str() {
                "" => META_API_VERSION_V1,
                known => known,
            };
            Ok(decision.into_reply(api_version, &uid, facts))
        }
    }
}

/// Answers a request that was read from a body.
fn answer_request(
    webhook: Webhook,
    request: AdmissionRequest<'_, impl ReviewObject>,
    body: &[u8],
    schemas: &Schemas,
    rules: &ReviewSettings,
) -> ReviewReply {
    let found = schemas.find(&request.kind);
    let kind = match found {
        KindLookup::Version(label, _)
        | KindLookup::InvalidSchema(label, _)
        | KindLookup::OtherVersions(label) => Some(label.to_owned()),
        KindLookup::UnknownKind => None,
    };
    let facts = ReviewSummary {
        uid: truncate(&request.uid, MAX_NAME_LENGTH),
        operation: request.operation_name(),
        kind,
        namespace: truncate(
            request.namespace.as_deref().unwrap_or_default(),
            MAX_NAME_LENGTH,
        ),
        name: truncate(&request.name, MAX_NAME_LENGTH),
        dry_run: request.dry_run,
        ..ReviewSummary::default()
    };
    let uid = request.uid.clone();
    let decision = decide(webhook, request, body, &found, rules);
    decision.into_reply(META_API_VERSION_V1, &uid, facts)
}

fn decide(
    webhook: Webhook,
    mut request: AdmissionRequest<'_, impl ReviewObject>,
    body: &[u8],
    found: &KindLookup<'_>,
    rules: &ReviewSettings,
) -> Decision {
    let is_update = match request.operation {
        Operation::Create => false,
        Operation::Update => true,
        // These operations do not store an object.
        Operation::Delete | Operation::Connect => return Decision::default(),
    };
    let version = match found {
        KindLookup::Version(_, version) => version,
        KindLookup::UnknownKind => return Decision::default(),
        KindLookup::OtherVersions(kind) => {
            let version = &request.kind.version;
            let warning = format!(
                "{kind}/{version}: not checked, because the webhook has no schema of this version"
            );
            return Decision {
                warnings: vec![warning],
                ..Decision::default()
            };
        }
        KindLookup::InvalidSchema(kind, problem) => {
            let version = &request.kind.version;
            let text = format!(
                "{kind}/{version}: cannot check the object, because the CRD is invalid: {problem}"
            );
            return Decision::reject(Status::failure(&text, "InternalError").with_code(500));
        }
    };
    let how_much = match webhook {
        Webhook::Mutate => ReadMode::ForUnions(&version.unions),
        Webhook::Validate => ReadMode::Whole,
    };
    let old = is_update.then(|| request.take_old_object(how_much));
    let new = request.take_object(how_much);
    match new.and_then(|new| Ok((new, old.transpose()?))) {
        Ok((new, old)) => match webhook {
            Webhook::Mutate => normalize(body, how_much, &version.unions, new, old.as_ref(), rules),
            Webhook::Validate => validate(&request, version, new, old.as_ref(), rules),
        },
        Err(problem) => Decision::reject(bad_request(&problem)),
    }
}

/// Normalizes the object, and returns the changes as a patch. Unions whose intended member is
/// unclear are left for validation to reject.
fn normalize(
    body: &[u8],
    how_much: ReadMode<'_>,
    unions: &Unions,
    mut new: Value,
    old: Option<&Value>,
    rules: &ReviewSettings,
) -> Decision {
    let changes = unions.normalize(&mut new, old, &rules.unions);
    // The object is read again rather than cloned, because most requests change nothing.
    let before = (!changes.is_empty()).then(|| request::reparse_object(body, how_much));
    match before.transpose() {
        Ok(before) => Decision {
            patch: before.map(|before| json_patch::diff(&before, &new)),
            changes,
            ..Decision::default()
        },
        Err(problem) => Decision::reject(bad_request(&problem)),
    }
}

/// Validates the object as it was sent. Unions are not normalized here, so that the judged object
/// is the stored object.
fn validate(
    request: &AdmissionRequest<'_, impl ReviewObject>,
    version: &CompiledVersion,
    mut new: Value,
    old: Option<&Value>,
    rules: &ReviewSettings,
) -> Decision {
    let (unions, settings) = (&version.unions, &rules.unions);
    let mut report = match old {
        Some(old) => unions.validate_update(&new, old, settings),
        None if settings.unions => unions.validate(&new),
        None => Report::default(),
    };
    let name = match new.pointer("/metadata/name").and_then(Value::as_str) {
        Some(name) if request.name.is_empty() => name.to_owned(),
        _ => request.name.to_string(),
    };
    if let Some(schema) = &version.whole_schema {
        // The API server reports unknown fields before it sends the object to a webhook.
        let settings = rules.whole_object.clone();
        let settings = &settings.field_validation(FieldValidation::Ignore);
        report.extend(match (old, request.sub_resource.as_deref()) {
            (Some(old), Some("status")) => schema.update_status(&mut new, old, settings),
            (Some(old), _) => schema.update(&mut new, old, settings),
            (None, _) => schema.create(&mut new, settings),
        });
    }
    let more = report.errors().len().saturating_sub(MAX_LISTED);
    let ratcheted = report.tolerated().to_vec();
    let warnings = report.warnings().to_vec();
    if more > 0 {
        report = report.errors().iter().take(MAX_LISTED).cloned().collect();
    }
    let status = report.status(&ObjectRef {
        group: &request.kind.group,
        kind: &request.kind.kind,
        name: &name,
    });
    Decision {
        refusal: status.map(|status| refusal(status, more)),
        ratcheted,
        warnings,
        ..Decision::default()
    }
}

/// Converts the status of the runtime, which is Kubernetes' `Status`, to kube's type.
fn refusal(status: Value, more: usize) -> Status {
    let status = serde_json::from_value(status);
    let mut status: Status =
        status.unwrap_or_else(|error| Status::failure(&error.to_string(), "InternalError"));
    if more > 0 {
        status.message = format!("{}, and {more} more", status.message);
    }
    status
}

fn bad_request(problem: &str) -> Status {
    Status::failure(problem, "BadRequest").with_code(400)
}

impl Decision {
    fn reject(status: Status) -> Self {
        Self {
            refusal: Some(status),
            ..Self::default()
        }
    }

    /// Returns the answer with the decision.
    fn into_reply(self, api_version: &str, uid: &str, mut facts: ReviewSummary) -> ReviewReply {
        facts.changes = first_listed(self.changes.iter());
        facts.ratcheted = first_listed(self.ratcheted.iter());
        facts.refused = self.refusal.as_ref().map(|status| status.message.clone());

        // kube builds a response from its own request type, or an invalid response, whose fields
        // can be set.
        let mut response = AdmissionResponse::invalid("");
        uid.clone_into(&mut response.uid);
        response.allowed = self.refusal.is_none();
        response.result = self.refusal.unwrap_or_default();
        if !facts.changes.is_empty() {
            let changes = truncate(&facts.changes.join("; "), MAX_WARNING_LENGTH);
            response
                .audit_annotations
                .insert("normalized".to_owned(), changes);
        }
        let tolerated = self.ratcheted.iter();
        let tolerated = tolerated.map(|found| {
            format!("tolerated, because the stored object has the same error: {found}")
        });
        let warnings = warnings(tolerated.chain(self.warnings));
        response.warnings = (!warnings.is_empty()).then_some(warnings);

        let patch = self.patch.map(|patch| json!(patch).to_string());
        let review = ReviewWithResponse {
            api_version,
            kind: META_KIND,
            response: EncodedResponse {
                response,
                patch_type: patch.as_ref().map(|_| "JSONPatch"),
                patch: patch.map(|patch| BASE64_STANDARD.encode(patch)),
            },
        };
        ReviewReply {
            // The review has no keys that JSON cannot have.
            body: serde_json::to_vec(&review).unwrap_or_default(),
            summary: facts,
        }
    }
}

/// The review with the response, like kube's `AdmissionReview`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReviewWithResponse<'a> {
    api_version: &'a str,
    kind: &'a str,
    response: EncodedResponse,
}

/// kube's response with a patch in base64, as Kubernetes writes bytes: kube writes a list of
/// numbers, and API servers read both.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EncodedResponse {
    #[serde(flatten)]
    response: AdmissionResponse,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch_type: Option<&'static str>,
}

/// Returns the warnings that API servers pass on, shortened.
fn warnings(mut texts: impl Iterator<Item = String>) -> Vec<String> {
    let some = texts.by_ref().take(MAX_WARNINGS);
    let mut warnings: Vec<String> = some
        .map(|text| truncate(&text, MAX_WARNING_LENGTH))
        .collect();
    let more = texts.count();
    if more > 0 {
        warnings.push(format!("and {more} more"));
    }
    warnings
}

/// Returns the first elements of a list, as strings.
fn first_listed(all: impl Iterator<Item = impl ToString>) -> Vec<String> {
    all.take(MAX_LISTED).map(|one| one.to_string()).collect()
}

/// Returns the start of a string that is too long.
fn truncate(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(3)).collect();
    start + "..."
}
