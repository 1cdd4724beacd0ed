//! Processes reviews: a pure function from a review to its response, without HTTP and state.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use k8s_crd_validation::FieldValidation;
use kube::core::Status;
use kube::core::admission::{AdmissionResponse, META_API_VERSION_V1, META_KIND, Operation};
use serde::Serialize;
use serde_json::{Value, json};
use union_json::Unions;
use union_runtime::{Changes, ObjectRef, Report, Settings, Violation};

use crate::admission::request::{self, AdmissionRequest, ReadMode, ReviewObject, ReviewParseError};
use crate::admission::schemas::{CompiledVersion, KindLookup, Schemas};

/// The webhook that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Webhook {
    /// Normalizes unions: responds with a patch.
    Mutate,
    /// Validates unions, and with `CheckScope::WholeSchema` the whole object: responds with the
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

/// The settings of normalization and validation.
#[derive(Clone, Debug, Default)]
pub struct ReviewSettings {
    /// The settings for unions.
    pub unions: Settings,
    /// The settings for validating whole objects.
    pub whole_object: k8s_crd_validation::ServerSettings,
}

/// The response to a review.
#[derive(Debug)]
pub struct ReviewReply {
    /// The review with the response, as JSON.
    pub body: Vec<u8>,
    /// A summary of the review and its response, for logs and metrics.
    pub summary: ReviewSummary,
}

/// The result of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The object is allowed as it is.
    Allowed,
    /// The object is allowed with a patch.
    Normalized,
    /// The object is allowed, although it has old errors.
    Tolerated,
    /// The object is rejected.
    Rejected,
}

impl Verdict {
    /// Returns the name in logs and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Normalized => "normalized",
            Self::Tolerated => "tolerated",
            Self::Rejected => "rejected",
        }
    }
}

/// A summary of a review and its response.
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
    /// The name of the object. If the server generates the name, its prefix with `*`.
    pub name: String,
    /// True if the request is a dry run, whose object the API server does not store.
    pub dry_run: bool,
    /// The changes by normalization.
    pub changes: Vec<String>,
    /// The error message, if the request was rejected.
    pub rejection: Option<String>,
    /// The errors that were tolerated.
    pub tolerated: Vec<String>,
    /// The reason of the verdict: the reason of a rejection, such as `Invalid`, and of the first
    /// tolerated error, such as `FieldValueInvalid`; `Normalized`; or `NotChecked` for an object
    /// that the webhook has no schema for. Empty for a checked object without errors.
    pub reason: String,
}

impl ReviewSummary {
    /// Returns the verdict.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        if self.rejection.is_some() {
            Verdict::Rejected
        } else if !self.changes.is_empty() {
            Verdict::Normalized
        } else if !self.tolerated.is_empty() {
            Verdict::Tolerated
        } else {
            Verdict::Allowed
        }
    }
}

/// The error of a body without a uid. The response is HTTP 400 with this message.
#[derive(Debug)]
pub struct BadRequestError(pub String);

/// The decision about a request.
#[derive(Debug, Default)]
struct Decision {
    rejection: Option<Status>,
    patch: Option<json_patch::Patch>,
    changes: Changes,
    tolerated: Vec<Violation>,
    warnings: Vec<String>,
    /// True if the webhook has no schema for the object.
    is_unchecked: bool,
}

/// The maximum number of warnings. API servers truncate all warnings together at 4,096 characters.
const MAX_WARNINGS: usize = 10;

/// The maximum length of a warning. API servers truncate longer warnings.
const MAX_WARNING_LENGTH: usize = 256;

/// The maximum number of causes in a response, and of list elements in a log line. A hostile object
/// can have an error in every second byte.
const MAX_LISTED: usize = 100;

/// The maximum length of names and uids in logs.
const MAX_NAME_LENGTH: usize = 253;

/// Returns the response to the review in a body. The function is pure, so dry runs need no special
/// case.
///
/// # Errors
///
/// Returns an error if the body is not a review, or is a review without a uid. For every other
/// body, the response is a review with the same uid.
pub fn answer_review(
    webhook: Webhook,
    body: &[u8],
    schemas: &Schemas,
    settings: &ReviewSettings,
) -> Result<ReviewReply, BadRequestError> {
    if webhook == Webhook::Validate
        && let Some(request) = request::parse_with_objects(body)
    {
        return Ok(answer_request(webhook, request, body, schemas, settings));
    }
    match request::parse_without_objects(body) {
        Ok(request) => Ok(answer_request(webhook, request, body, schemas, settings)),
        Err(ReviewParseError::WithoutUid(message)) => Err(BadRequestError(message)),
        Err(ReviewParseError::WithUid {
            uid,
            api_version,
            message,
        }) => {
            let summary = ReviewSummary {
                uid: truncate(&uid, MAX_NAME_LENGTH),
                name: truncate(&request::object_name(body), MAX_NAME_LENGTH),
                ..ReviewSummary::default()
            };
            let decision = Decision::reject(bad_request(&message));
            let api_version = match api_version.as_str() {
                "" => META_API_VERSION_V1,
                api_version => api_version,
            };
            Ok(decision.into_reply(api_version, &uid, summary))
        }
    }
}

/// Returns the response to a parsed request.
fn answer_request(
    webhook: Webhook,
    request: AdmissionRequest<'_, impl ReviewObject>,
    body: &[u8],
    schemas: &Schemas,
    settings: &ReviewSettings,
) -> ReviewReply {
    let lookup = schemas.find(&request.kind);
    let kind = match lookup {
        KindLookup::Version(label, _)
        | KindLookup::InvalidSchema(label, _)
        | KindLookup::Missing(label)
        | KindLookup::OtherVersions(label) => Some(label.to_owned()),
        KindLookup::UnknownKind => None,
    };
    let name = match &*request.name {
        "" => request::object_name(body),
        name => name.to_owned(),
    };
    let summary = ReviewSummary {
        uid: truncate(&request.uid, MAX_NAME_LENGTH),
        operation: request.operation_name(),
        kind,
        namespace: truncate(
            request.namespace.as_deref().unwrap_or_default(),
            MAX_NAME_LENGTH,
        ),
        name: truncate(&name, MAX_NAME_LENGTH),
        dry_run: request.dry_run,
        ..ReviewSummary::default()
    };
    let uid = request.uid.clone();
    let decision = decide(webhook, request, body, &lookup, settings);
    decision.into_reply(META_API_VERSION_V1, &uid, summary)
}

/// Decides about a request by the schema of its kind.
fn decide(
    webhook: Webhook,
    mut request: AdmissionRequest<'_, impl ReviewObject>,
    body: &[u8],
    lookup: &KindLookup<'_>,
    settings: &ReviewSettings,
) -> Decision {
    let is_update = match request.operation {
        Operation::Create => false,
        Operation::Update => true,
        // These operations store no object.
        Operation::Delete | Operation::Connect => return Decision::default(),
    };
    let version = match lookup {
        KindLookup::Version(_, version) => version,
        KindLookup::UnknownKind => {
            return Decision {
                is_unchecked: true,
                ..Decision::default()
            };
        }
        KindLookup::OtherVersions(kind) => {
            let version = &request.kind.version;
            let warning = format!(
                "{kind}/{version}: not checked, because the webhook has no schema of this version"
            );
            return Decision {
                is_unchecked: true,
                warnings: vec![warning],
                ..Decision::default()
            };
        }
        KindLookup::Missing(kind) => {
            let version = &request.kind.version;
            let message = format!(
                "{kind}/{version}: cannot check the object, because the CRD or its unions have disappeared from the webhook; restore the CRD, or restart the webhook if the removal is intended"
            );
            return Decision::reject(Status::failure(&message, "InternalError").with_code(500));
        }
        KindLookup::InvalidSchema(kind, schema_error) => {
            let version = &request.kind.version;
            let message = format!(
                "{kind}/{version}: cannot check the object, because the CRD is invalid: {schema_error}"
            );
            return Decision::reject(Status::failure(&message, "InternalError").with_code(500));
        }
    };
    let mode = match webhook {
        Webhook::Mutate => ReadMode::ForUnions(&version.unions),
        Webhook::Validate => ReadMode::Whole,
    };
    let old_object = is_update.then(|| request.take_old_object(mode));
    let object = match request.take_object(mode) {
        Ok(object) => object,
        Err(message) => return Decision::reject(bad_request(&message)),
    };
    let old_object = match old_object.transpose() {
        Ok(old_object) => old_object,
        Err(message) => return Decision::reject(bad_request(&message)),
    };
    let old_object = old_object.as_ref();
    match webhook {
        Webhook::Mutate => normalize(body, mode, &version.unions, object, old_object, settings),
        Webhook::Validate => validate(&request, version, object, old_object, settings),
    }
}

/// Normalizes the object, and returns the changes as a patch. If the intended member of a union is
/// unclear, the union is unchanged, and validation rejects it.
fn normalize(
    body: &[u8],
    mode: ReadMode<'_>,
    unions: &Unions,
    mut object: Value,
    old_object: Option<&Value>,
    settings: &ReviewSettings,
) -> Decision {
    let changes = unions.normalize(&mut object, old_object, &settings.unions);
    // The object is parsed again instead of cloned, because most requests change nothing.
    let original_object = (!changes.is_empty()).then(|| request::reparse_object(body, mode));
    match original_object.transpose() {
        Ok(original_object) => Decision {
            patch: original_object
                .map(|original_object| json_patch::diff(&original_object, &object)),
            changes,
            ..Decision::default()
        },
        Err(message) => Decision::reject(bad_request(&message)),
    }
}

/// Validates the object of the request without normalizing it, because API servers call validating
/// webhooks with the object to store.
fn validate(
    request: &AdmissionRequest<'_, impl ReviewObject>,
    version: &CompiledVersion,
    mut object: Value,
    old_object: Option<&Value>,
    review_settings: &ReviewSettings,
) -> Decision {
    let (unions, union_settings) = (&version.unions, &review_settings.unions);
    let mut report = match old_object {
        Some(old_object) => unions.validate_update(&object, old_object, union_settings),
        None if union_settings.unions => unions.validate(&object),
        None => Report::default(),
    };
    let name = match object.pointer("/metadata/name").and_then(Value::as_str) {
        Some(name) if request.name.is_empty() => name.to_owned(),
        _ => request.name.to_string(),
    };
    if let Some(schema) = &version.whole_schema {
        // The API server reports unknown fields before it sends the object to a webhook.
        let server_settings = review_settings.whole_object.clone();
        let server_settings = &server_settings.field_validation(FieldValidation::Ignore);
        report.extend(match (old_object, request.sub_resource.as_deref()) {
            (Some(old_object), Some("status")) => {
                schema.update_status(&mut object, old_object, server_settings)
            }
            (Some(old_object), _) => schema.update(&mut object, old_object, server_settings),
            (None, _) => schema.create(&mut object, server_settings),
        });
    }
    let omitted_count = report.errors().len().saturating_sub(MAX_LISTED);
    let tolerated = report.tolerated().to_vec();
    let warnings = report.warnings().to_vec();
    if omitted_count > 0 {
        report = report.errors().iter().take(MAX_LISTED).cloned().collect();
    }
    let status = report.status(&ObjectRef {
        group: &request.kind.group,
        kind: &request.kind.kind,
        name: &name,
    });
    Decision {
        rejection: status.map(|status| to_kube_status(status, omitted_count)),
        tolerated,
        warnings,
        ..Decision::default()
    }
}

/// Converts the status of the runtime, which is Kubernetes' `Status`, to kube's type.
fn to_kube_status(status: Value, omitted_count: usize) -> Status {
    let status = serde_json::from_value(status);
    let mut status: Status =
        status.unwrap_or_else(|error| Status::failure(&error.to_string(), "InternalError"));
    if omitted_count > 0 {
        status.message = format!("{}, and {omitted_count} more", status.message);
    }
    status
}

fn bad_request(message: &str) -> Status {
    Status::failure(message, "BadRequest").with_code(400)
}

impl Decision {
    fn reject(status: Status) -> Self {
        Self {
            rejection: Some(status),
            ..Self::default()
        }
    }

    /// Returns the reason in logs.
    fn reason(&self) -> String {
        if let Some(status) = &self.rejection {
            status.reason.clone()
        } else if !self.changes.is_empty() {
            "Normalized".to_owned()
        } else if let Some(error) = self.tolerated.first() {
            error.kind().reason().to_owned()
        } else if self.is_unchecked {
            "NotChecked".to_owned()
        } else {
            String::new()
        }
    }

    /// Returns the response with this decision.
    fn into_reply(self, api_version: &str, uid: &str, mut summary: ReviewSummary) -> ReviewReply {
        summary.changes = first_strings(self.changes.iter());
        summary.tolerated = first_strings(self.tolerated.iter());
        summary.rejection = self.rejection.as_ref().map(|status| status.message.clone());
        summary.reason = self.reason();

        // kube has no public constructor for a plain response, so this changes an invalid response.
        let mut response = AdmissionResponse::invalid("");
        uid.clone_into(&mut response.uid);
        response.allowed = self.rejection.is_none();
        response.result = self.rejection.unwrap_or_default();
        if !summary.changes.is_empty() {
            let changes = truncate(&summary.changes.join("; "), MAX_WARNING_LENGTH);
            response
                .audit_annotations
                .insert("normalized".to_owned(), changes);
        }
        let tolerated = self.tolerated.iter().map(|error| {
            format!("tolerated, because the stored object has the same error: {error}")
        });
        let warnings = limit_warnings(tolerated.chain(self.warnings));
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
            // Serialization cannot fail, because all keys are strings.
            body: serde_json::to_vec(&review).unwrap_or_default(),
            summary,
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

/// kube's response, with the patch in base64 as Kubernetes prints bytes. kube prints a list of
/// numbers, which API servers also accept.
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

/// Limits the number and the length of warnings, as API servers do.
fn limit_warnings(mut all_warnings: impl Iterator<Item = String>) -> Vec<String> {
    let mut warnings: Vec<String> = all_warnings
        .by_ref()
        .take(MAX_WARNINGS)
        .map(|warning| truncate(&warning, MAX_WARNING_LENGTH))
        .collect();
    let omitted_count = all_warnings.count();
    if omitted_count > 0 {
        warnings.push(format!("and {omitted_count} more"));
    }
    warnings
}

/// Returns the first elements of a list, as strings.
fn first_strings(elements: impl Iterator<Item = impl ToString>) -> Vec<String> {
    elements
        .take(MAX_LISTED)
        .map(|element| element.to_string())
        .collect()
}

/// Truncates a string to `max_length` characters. A truncated string ends with `...`.
fn truncate(text: &str, max_length: usize) -> String {
    if text.chars().count() <= max_length {
        return text.to_owned();
    }
    let start: String = text.chars().take(max_length.saturating_sub(3)).collect();
    start + "..."
}
