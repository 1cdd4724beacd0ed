//! Answers reviews: all decisions of the webhook, without HTTP and without state.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use kube::core::Status;
use kube::core::admission::{AdmissionResponse, META_API_VERSION_V1, META_KIND, Operation};
use serde::Serialize;
use serde_json::{Value, json};
use union_json::Unions;
use union_runtime::{Changes, ObjectRef, Report, Settings, Violation};

use crate::request::{self, HowMuch, Request, Sent, Unread};
use crate::schemas::{Found, Schemas, Version};

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
pub struct Rules {
    /// The settings for unions.
    pub unions: Settings,
    /// The settings for the whole object, if schemas were compiled for it.
    pub whole: k8s_crd_validation::ServerSettings,
}

/// An answer to a review.
#[derive(Debug)]
pub struct Answer {
    /// The review with the response, as JSON.
    pub body: Vec<u8>,
    /// The facts about the answer, for logs and metrics.
    pub facts: Facts,
}

/// The facts about an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
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
pub struct Unreadable(pub String);

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
const MOST_WARNINGS: usize = 10;

/// The greatest length of a warning: API servers shorten longer ones.
const LONGEST_WARNING: usize = 256;

/// The greatest number of causes of a rejection, and of elements of a list in logs: an object may
/// have an invalid value in every second byte.
const MOST_NAMED: usize = 100;

/// The greatest length of names and uids in logs.
const LONGEST_NAME: usize = 253;

/// Answers the review in a body. The answer depends only on the arguments, and answering has no
/// effects, so a dry run is a request like others.
///
/// # Errors
///
/// Returns an error if the body is not a review, or is a review without a uid. Every body with a
/// uid is answered by a review.
pub fn answer(
    webhook: Webhook,
    body: &[u8],
    schemas: &Schemas,
    rules: &Rules,
) -> Result<Answer, Unreadable> {
    if webhook == Webhook::Validate
        && let Some(request) = request::read_whole(body)
    {
        return Ok(respond(webhook, request, body, schemas, rules));
    }
    match request::read(body) {
        Ok(request) => Ok(respond(webhook, request, body, schemas, rules)),
        Err(Unread::NoReview(problem)) => Err(Unreadable(problem)),
        Err(Unread::NoRequest {
            uid,
            api_version,
            problem,
        }) => {
            let facts = Facts {
                uid: shortened(&uid, LONGEST_NAME),
                ..Facts::default()
            };
            let decision = Decision::refuse(bad_request(&problem));
            let api_version = match api_version.as_str() {
                "" => META_API_VERSION_V1,
                known => known,
            };
            Ok(decision.answer(api_version, &uid, facts))
        }
    }
}

/// Answers a request that was read from a body.
fn respond(
    webhook: Webhook,
    request: Request<'_, impl Sent>,
    body: &[u8],
    schemas: &Schemas,
    rules: &Rules,
) -> Answer {
    let found = schemas.find(&request.kind);
    let kind = match found {
        Found::Version(label, _) | Found::Broken(label, _) | Found::OtherVersions(label) => {
            Some(label.to_owned())
        }
        Found::Nothing => None,
    };
    let facts = Facts {
        uid: shortened(&request.uid, LONGEST_NAME),
        operation: request.verb(),
        kind,
        namespace: shortened(
            request.namespace.as_deref().unwrap_or_default(),
            LONGEST_NAME,
        ),
        name: shortened(&request.name, LONGEST_NAME),
        dry_run: request.dry_run,
        ..Facts::default()
    };
    let uid = request.uid.clone();
    let decision = decide(webhook, request, body, &found, rules);
    decision.answer(META_API_VERSION_V1, &uid, facts)
}

fn decide(
    webhook: Webhook,
    mut request: Request<'_, impl Sent>,
    body: &[u8],
    found: &Found<'_>,
    rules: &Rules,
) -> Decision {
    let is_update = match request.operation {
        Operation::Create => false,
        Operation::Update => true,
        // These operations do not store an object.
        Operation::Delete | Operation::Connect => return Decision::default(),
    };
    let version = match found {
        Found::Version(_, version) => version,
        Found::Nothing => return Decision::default(),
        Found::OtherVersions(kind) => {
            let version = &request.kind.version;
            let warning = format!(
                "{kind}/{version}: not checked, because the webhook has no schema of this version"
            );
            return Decision {
                warnings: vec![warning],
                ..Decision::default()
            };
        }
        Found::Broken(kind, problem) => {
            let version = &request.kind.version;
            let text = format!(
                "{kind}/{version}: cannot check the object, because the CRD is invalid: {problem}"
            );
            return Decision::refuse(Status::failure(&text, "InternalError").with_code(500));
        }
    };
    let how_much = match webhook {
        Webhook::Mutate => HowMuch::UnionsOf(&version.unions),
        Webhook::Validate => HowMuch::Whole,
    };
    let old = is_update.then(|| request.take_old_object(how_much));
    let new = request.take_object(how_much);
    match new.and_then(|new| Ok((new, old.transpose()?))) {
        Ok((new, old)) => match webhook {
            Webhook::Mutate => normalize(body, how_much, &version.unions, new, old.as_ref(), rules),
            Webhook::Validate => validate(&request, version, new, old.as_ref(), rules),
        },
        Err(problem) => Decision::refuse(bad_request(&problem)),
    }
}

/// Normalizes the object, and returns the changes as a patch. Unions whose intended member is
/// unclear are left for validation to reject.
fn normalize(
    body: &[u8],
    how_much: HowMuch<'_>,
    unions: &Unions,
    mut new: Value,
    old: Option<&Value>,
    rules: &Rules,
) -> Decision {
    let changes = unions.normalize(&mut new, old, &rules.unions);
    // The object is read again rather than cloned, because most requests change nothing.
    let before = (!changes.is_empty()).then(|| request::read_object_again(body, how_much));
    match before.transpose() {
        Ok(before) => Decision {
            patch: before.map(|before| json_patch::diff(&before, &new)),
            changes,
            ..Decision::default()
        },
        Err(problem) => Decision::refuse(bad_request(&problem)),
    }
}

/// Validates the object as it was sent. Unions are not normalized here, so that the judged object
/// is the stored object.
fn validate(
    request: &Request<'_, impl Sent>,
    version: &Version,
    mut new: Value,
    old: Option<&Value>,
    rules: &Rules,
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
    if let Some(schema) = &version.whole {
        let settings = &rules.whole;
        report.extend(match (old, request.sub_resource.as_deref()) {
            (Some(old), Some("status")) => schema.update_status(&mut new, old, settings),
            (Some(old), _) => schema.update(&mut new, old, settings),
            (None, _) => schema.create(&mut new, settings),
        });
    }
    let more = report.errors().len().saturating_sub(MOST_NAMED);
    let ratcheted = report.tolerated().to_vec();
    let warnings = report.warnings().to_vec();
    if more > 0 {
        report = report.errors().iter().take(MOST_NAMED).cloned().collect();
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
    fn refuse(status: Status) -> Self {
        Self {
            refusal: Some(status),
            ..Self::default()
        }
    }

    /// Returns the answer with the decision.
    fn answer(self, api_version: &str, uid: &str, mut facts: Facts) -> Answer {
        facts.changes = first(self.changes.iter());
        facts.ratcheted = first(self.ratcheted.iter());
        facts.refused = self.refusal.as_ref().map(|status| status.message.clone());

        // kube builds a response from its own request type, or an invalid response, whose fields
        // can be set.
        let mut response = AdmissionResponse::invalid("");
        uid.clone_into(&mut response.uid);
        response.allowed = self.refusal.is_none();
        response.result = self.refusal.unwrap_or_default();
        if !facts.changes.is_empty() {
            let changes = shortened(&facts.changes.join("; "), LONGEST_WARNING);
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
        let review = Review {
            api_version,
            kind: META_KIND,
            response: Response {
                of_kube: response,
                patch_type: patch.as_ref().map(|_| "JSONPatch"),
                patch: patch.map(|patch| BASE64_STANDARD.encode(patch)),
            },
        };
        Answer {
            // The review has no keys that JSON cannot have.
            body: serde_json::to_vec(&review).unwrap_or_default(),
            facts,
        }
    }
}

/// The review with the response, like kube's `AdmissionReview`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Review<'a> {
    api_version: &'a str,
    kind: &'a str,
    response: Response,
}

/// kube's response with a patch in base64, as Kubernetes writes bytes: kube writes a list of
/// numbers, and API servers read both.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    #[serde(flatten)]
    of_kube: AdmissionResponse,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch_type: Option<&'static str>,
}

/// Returns the warnings that API servers pass on, shortened.
fn warnings(mut texts: impl Iterator<Item = String>) -> Vec<String> {
    let some = texts.by_ref().take(MOST_WARNINGS);
    let mut warnings: Vec<String> = some.map(|text| shortened(&text, LONGEST_WARNING)).collect();
    let more = texts.count();
    if more > 0 {
        warnings.push(format!("and {more} more"));
    }
    warnings
}

/// Returns the first elements of a list, as strings.
fn first(all: impl Iterator<Item = impl ToString>) -> Vec<String> {
    all.take(MOST_NAMED).map(|one| one.to_string()).collect()
}

/// Returns the start of a string that is too long.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(3)).collect();
    start + "..."
}
