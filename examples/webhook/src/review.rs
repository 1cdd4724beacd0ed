//! A review in, a review out: all that the webhook decides, without HTTP and without state.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use k8s_crd_validation::Outcome;
use kube::core::Status;
use kube::core::admission::{AdmissionResponse, META_API_VERSION_V1, META_KIND, Operation};
use serde::Serialize;
use serde_json::{Value, json};
use union_json::Unions;
use union_runtime::{Changes, Settings, Violation};

use crate::request::{self, HowMuch, Request, Sent, Unread};
use crate::schemas::{Found, Schemas, Version};

/// Which of the two webhooks is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Webhook {
    /// Normalizes unions: answers with a patch.
    Mutate,
    /// Validates unions, and the whole object where it is told to: answers with what is wrong.
    Validate,
}

impl Webhook {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Mutate, Self::Validate];

    /// The path where it is asked.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Mutate => "/mutate",
            Self::Validate => "/validate",
        }
    }

    /// The path without its slash.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.path().trim_start_matches('/')
    }
}

/// How objects are judged.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// How unions are.
    pub unions: Settings,
    /// How the rest is, where schemas were compiled for it.
    pub whole: k8s_crd_validation::ServerSettings,
}

/// An answer to a review.
#[derive(Debug)]
pub struct Answer {
    /// The review that goes out, as JSON.
    pub body: Vec<u8>,
    /// What it says, for logs and counters.
    pub facts: Facts,
}

/// What an answer says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The uid of the request, for logs not more of it than a name may be long.
    pub uid: String,
    /// `CREATE`, `UPDATE`, `DELETE`, `CONNECT`, or `""` if it cannot be read.
    pub operation: &'static str,
    /// The kind, if it is a known one: `Backup.db.example.com`.
    pub kind: Option<String>,
    /// The namespace of the object; empty if it has none.
    pub namespace: String,
    /// The name of the object; empty if the server is to make one.
    pub name: String,
    /// Whether nothing is going to be stored.
    pub dry_run: bool,
    /// What was normalized.
    pub changes: Vec<String>,
    /// What it was refused for.
    pub refused: Option<String>,
    /// What is wrong, and was tolerated.
    pub ratcheted: Vec<String>,
}

/// A body that has no uid to answer to: the answer is HTTP's 400, with this text.
#[derive(Debug)]
pub struct Unreadable(pub String);

/// What is decided about a request.
#[derive(Debug, Default)]
struct Decision {
    refusal: Option<Status>,
    patch: Option<json_patch::Patch>,
    changes: Changes,
    ratcheted: Vec<Violation>,
    warnings: Vec<String>,
}

/// How many warnings are sent: API servers cut them off at 4,096 characters together.
const MOST_WARNINGS: usize = 10;

/// How long a warning may be: API servers shorten longer ones.
const LONGEST_WARNING: usize = 256;

/// How many causes a refusal has, and how many of a list are logged: an object may have a wrong value in every second byte.
const MOST_NAMED: usize = 100;

/// How long names and uids are, for logs.
const LONGEST_NAME: usize = 253;

/// Answers the review in a body. The same body has the same answer, whoever asks: nothing is kept and nothing is done, so
/// a dry run is a request like others.
///
/// # Errors
///
/// That the body is not a review, or one without a uid. Whatever has a uid is answered by a review.
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
        // Nothing is stored.
        Operation::Delete | Operation::Connect => return Decision::default(),
    };
    let version = match found {
        Found::Version(_, version) => version,
        Found::Nothing => return Decision::default(),
        Found::OtherVersions(kind) => {
            let version = &request.kind.version;
            let warning = format!("{kind}/{version}: no schema is known here; not checked");
            return Decision {
                warnings: vec![warning],
                ..Decision::default()
            };
        }
        Found::Broken(kind, problem) => {
            let version = &request.kind.version;
            let text = format!("{kind}/{version}: the CRD cannot be judged by: {problem}");
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

/// What a client meant, as a patch. What cannot be understood is left for validation to refuse.
fn normalize(
    body: &[u8],
    how_much: HowMuch<'_>,
    unions: &Unions,
    mut new: Value,
    old: Option<&Value>,
    rules: &Rules,
) -> Decision {
    let changes = unions.normalize(&mut new, old, &rules.unions);
    // Read again, and not kept: most requests change nothing.
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

/// What is wrong with the object as it is sent: unions are not normalized here, so that what is judged is what is stored.
fn validate(
    request: &Request<'_, impl Sent>,
    version: &Version,
    mut new: Value,
    old: Option<&Value>,
    rules: &Rules,
) -> Decision {
    let (unions, settings) = (&version.unions, &rules.unions);
    let judged = match old {
        Some(old) => unions
            .validate_update(&new, old, settings)
            .map(|outcome| outcome.ratcheted),
        None => unions.validate(&new, settings).map(|()| Vec::new()),
    };
    let (errors, ratcheted) = match judged {
        Ok(ratcheted) => (Vec::new(), ratcheted),
        Err(found) => (found.iter().cloned().collect(), found.ratcheted().to_vec()),
    };
    let name = match new.pointer("/metadata/name").and_then(Value::as_str) {
        Some(name) if request.name.is_empty() => name.to_owned(),
        _ => request.name.to_string(),
    };
    let mut outcome = Outcome::default();
    if let Some(schema) = &version.whole {
        let settings = &rules.whole;
        outcome = match (old, request.sub_resource.as_deref()) {
            (Some(old), Some("status")) => schema.update_status(&mut new, old, settings),
            (Some(old), _) => schema.update(&mut new, old, settings),
            (None, _) => schema.create(&mut new, settings),
        };
    }
    outcome.errors.splice(..0, errors);
    outcome.ratcheted.splice(..0, ratcheted);
    let more = outcome.errors.len().saturating_sub(MOST_NAMED);
    outcome.errors.truncate(MOST_NAMED);
    let status = outcome.status(&request.kind.group, &request.kind.kind, &name);
    Decision {
        refusal: status.map(|status| refusal(status, more)),
        ratcheted: outcome.ratcheted,
        warnings: outcome.warnings,
        ..Decision::default()
    }
}

/// The status that the runtime writes, which is Kubernetes' and so kube's.
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

    /// The review that says it.
    fn answer(self, api_version: &str, uid: &str, mut facts: Facts) -> Answer {
        facts.changes = first(self.changes.iter());
        facts.ratcheted = first(self.ratcheted.iter());
        facts.refused = self.refusal.as_ref().map(|status| status.message.clone());

        // kube makes a response of its own request, or this one, with every field to be set.
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
        let tolerated = tolerated.map(|found| format!("tolerated, for it is not new: {found}"));
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
            // Nothing in it has a key that JSON cannot have.
            body: serde_json::to_vec(&review).unwrap_or_default(),
            facts,
        }
    }
}

/// The review that goes out, as kube's `AdmissionReview`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Review<'a> {
    api_version: &'a str,
    kind: &'a str,
    response: Response,
}

/// kube's response with a patch as Kubernetes writes bytes, in base64: kube writes a list of numbers, and API servers read both.
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

/// As many warnings as API servers pass on.
fn warnings(mut texts: impl Iterator<Item = String>) -> Vec<String> {
    let some = texts.by_ref().take(MOST_WARNINGS);
    let mut warnings: Vec<String> = some.map(|text| shortened(&text, LONGEST_WARNING)).collect();
    let more = texts.count();
    if more > 0 {
        warnings.push(format!("and {more} more"));
    }
    warnings
}

/// The first of a list, as text.
fn first(all: impl Iterator<Item = impl ToString>) -> Vec<String> {
    all.take(MOST_NAMED).map(|one| one.to_string()).collect()
}

/// The start of a text that is too long.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(3)).collect();
    start + "..."
}
