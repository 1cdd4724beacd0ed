//! Answers reviews as the webhook of `examples/webhook` does, without a network. Every body has a
//! response with its uid, or an error. A patch has the result of normalization, the patched object
//! needs no other patch, and an object is allowed if and only if the libraries accept it.

#![no_main]

#[path = "../../../examples/webhook/src/admission/mod.rs"]
#[expect(dead_code, reason = "the server uses the rest")]
mod admission;
#[path = "../../../examples/webhook/src/error.rs"]
mod error;

use admission::review::{ReviewReply, ReviewSettings, Verdict, Webhook, answer_review};
use admission::schemas::{CheckScope, CompiledVersion, KindLookup, Schemas};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use k8s_crd_validation::FieldValidation;
use kube::core::GroupVersionKind;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use union_fuzz::{Source, with_type_and_metadata};
use union_runtime::{Ratchet, RestoreUnaware, Settings};

/// The maximum numbers of warnings, of characters in a warning, and of elements in other lists.
const MAX_WARNINGS: usize = 11;
const MAX_WARNING_LENGTH: usize = 256;
const MAX_LISTED: usize = 100;

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let root = json!({"type": "object", "properties": {"spec": spec_schema(&mut source)}});
    let scope = *source.pick(&[CheckScope::Unions, CheckScope::WholeSchema]);
    let schemas = schemas(&root, scope);
    let settings = ReviewSettings {
        unions: union_settings(&mut source),
        ..ReviewSettings::default()
    };
    let old = with_type_and_metadata(union_fuzz::object(&mut source, &root));
    let mut new = old.clone();
    union_fuzz::mutate(&mut source, &mut new, &root);
    let new = with_type_and_metadata(new);
    let review = review(&mut source, &new, &old);
    let webhook = Handler {
        schemas: &schemas,
        settings: &settings,
    };
    webhook.check_review(&review);
    webhook.check_damaged_body(&mut source, &review);
});

fn spec_schema(source: &mut Source<'_>) -> Value {
    match source.below(4) {
        0 => union_fuzz::schema(source),
        1 => json!({"type": "array", "items": union_fuzz::union_schema(source)}),
        _ => union_fuzz::union_schema(source),
    }
}

/// Returns the schemas of a CRD. The CRD may be invalid.
fn schemas(root: &Value, scope: CheckScope) -> Schemas {
    let crd = json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [
        {"name": "v1", "schema": {"openAPIV3Schema": root}},
        {"name": "v0", "served": false, "schema": {"openAPIV3Schema": root}},
    ]}});
    let mut schemas = Schemas::with_inferred_kinds(["K.g".to_owned()].into());
    if let Err(errors) = schemas.add("crd.yaml", &crd, scope) {
        assert!(
            errors
                .iter()
                .all(|error| error.to_string().starts_with("crd.yaml"))
        );
    }
    schemas
}

fn union_settings(source: &mut Source<'_>) -> Settings {
    let ratchets = [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off];
    let restores = [
        RestoreUnaware::Off,
        RestoreUnaware::Required,
        RestoreUnaware::All,
    ];
    Settings::default()
        .unions(!source.chance(10))
        .ratchet(*source.pick(&ratchets))
        .restore_unaware(*source.pick(&restores))
}

/// Returns a review. Some reviews lack a field, or have a field of another type.
fn review(source: &mut Source<'_>, new: &Value, old: &Value) -> Value {
    const FIELDS: [&str; 16] = [
        "/request",
        "/kind",
        "/apiVersion",
        "/request/uid",
        "/request/kind",
        "/request/operation",
        "/request/object",
        "/request/oldObject",
        "/request/name",
        "/request/namespace",
        "/request/subResource",
        "/request/dryRun",
        "/request/kind/version",
        "/request/kind/kind",
        "/request/object/metadata",
        "/request/object/metadata/name",
    ];
    let operation = source.word(&["UPDATE", "CREATE", "UPDATE", "DELETE", "CONNECT", "PATCH"]);
    let mut review = json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": source.text(&["705ab4f5", "", "ä", "\u{0}"]),
            "kind": {"group": "g", "version": source.word(&["v1", "v1", "v0"]), "kind": "K"},
            "operation": operation,
            "name": "n",
            "namespace": "n",
            "object": new,
            "oldObject": if operation == "CREATE" { &Value::Null } else { old },
            "userInfo": {"username": "u"},
        },
    });
    if source.chance(20) {
        review["request"]["subResource"] = json!("status");
    }
    while source.chance(30) {
        let pointer = source.word(&FIELDS);
        if let Some(field) = review.pointer_mut(pointer) {
            *field = source.json(&FIELDS);
        }
    }
    review
}

/// The webhooks with their schemas and settings.
struct Handler<'h> {
    schemas: &'h Schemas,
    settings: &'h ReviewSettings,
}

impl Handler<'_> {
    /// Answers a body, and checks the response.
    fn answer(&self, webhook: Webhook, body: &[u8]) -> Option<Response> {
        match answer_review(webhook, body, self.schemas, self.settings) {
            Ok(reply) => Some(Response::check(webhook, &reply)),
            Err(error) => {
                assert!(!error.0.is_empty());
                None
            }
        }
    }

    fn check_review(&self, review: &Value) {
        let body = review.to_string();
        for webhook in Webhook::ALL {
            let response = self.answer(webhook, body.as_bytes());
            let is_review = review["kind"] == "AdmissionReview";
            let uid = review["request"]["uid"].as_str();
            assert_eq!(response.is_some(), is_review && uid.is_some(), "{body}");
            self.check_equivalent_bodies(webhook, review, response.as_ref());
            if let Some(response) = response {
                assert_eq!(Some(&*response.uid), uid);
                self.check_decision(webhook, review, &response);
            }
        }
    }

    /// Checks that white space, a dry run and unknown fields do not change the response.
    fn check_equivalent_bodies(
        &self,
        webhook: Webhook,
        review: &Value,
        expected: Option<&Response>,
    ) {
        let mut extended = review.clone();
        extended["x"] = json!([{}]);
        if let Some(request) = extended.get_mut("request").and_then(Value::as_object_mut) {
            request.insert("resource".to_owned(), json!({"group": 1}));
            if !request.contains_key("dryRun") {
                request.insert("dryRun".to_owned(), json!(true));
            }
        }
        for body in [format!("{review:#}"), extended.to_string()] {
            let response = self.answer(webhook, body.as_bytes());
            // The message of an invalid review contains a position, which depends on the body.
            let comparable_parts = |response: &Response| match response.code {
                Some(400) => (response.uid.clone(), response.is_allowed, Vec::new()),
                _ => (
                    response.uid.clone(),
                    response.is_allowed,
                    response.body.clone(),
                ),
            };
            assert_eq!(
                response.as_ref().map(comparable_parts),
                expected.map(comparable_parts),
                "{review}\n{body}"
            );
        }
    }

    /// Compares the decision about a valid review with the results of the libraries.
    fn check_decision(&self, webhook: Webhook, review: &Value, response: &Response) {
        let request = &review["request"];
        let (new, old) = (&request["object"], &request["oldObject"]);
        let old = match request["operation"].as_str() {
            Some("CREATE") => None,
            Some("UPDATE") => Some(old),
            Some("DELETE" | "CONNECT") => {
                assert!(response.patch.is_none());
                return;
            }
            _ => return assert!(!response.is_allowed, "{review}"),
        };
        let are_objects = new.is_object() && old.is_none_or(Value::is_object);
        let Some(version) = self.version(&request["kind"]) else {
            return;
        };
        if review["apiVersion"] != "admission.k8s.io/v1" || !are_objects {
            assert!(!response.is_allowed, "{review}");
            return;
        }
        if response.code == Some(400) {
            return;
        }
        match webhook {
            Webhook::Mutate => self.check_patch(version, review, response, [Some(new), old]),
            Webhook::Validate => {
                let is_accepted = self.is_accepted(version, request, new, old);
                assert_eq!(response.is_allowed, is_accepted, "{review}");
            }
        }
    }

    fn version(&self, kind: &Value) -> Option<&CompiledVersion> {
        let field = |name: &str| kind[name].as_str();
        let kind = GroupVersionKind::gvk(field("group")?, field("version")?, field("kind")?);
        match self.schemas.find(&kind) {
            KindLookup::Version(_, version) => Some(version),
            _ => None,
        }
    }

    /// Checks that a patch has the result of normalization, and that the patched object needs no
    /// patch.
    fn check_patch(
        &self,
        version: &CompiledVersion,
        review: &Value,
        response: &Response,
        [new, old]: [Option<&Value>; 2],
    ) {
        let mut normalized = new.cloned().unwrap_or_default();
        let changes = version
            .unions
            .normalize(&mut normalized, old, &self.settings.unions);
        assert_eq!(response.patch.is_some(), !changes.is_empty(), "{review}");
        let Some(patch) = &response.patch else {
            return;
        };
        let mut patched_review = review.clone();
        let patched = &mut patched_review["request"]["object"];
        json_patch::patch(patched, patch).unwrap_or_else(|error| panic!("{error}\n{review}"));
        assert_eq!(*patched, normalized, "{review}\n{patch}");
        let response = self.answer(Webhook::Mutate, patched_review.to_string().as_bytes());
        let response = response.unwrap_or_else(|| panic!("no response: {patched_review}"));
        // With this setting, a member may be restored again.
        if self.settings.unions.restore_unaware != RestoreUnaware::All {
            assert_eq!(response.patch, None, "{review}\n{patched_review}");
        }
    }

    /// Returns true if the libraries accept the object.
    fn is_accepted(
        &self,
        version: &CompiledVersion,
        request: &Value,
        new: &Value,
        old: Option<&Value>,
    ) -> bool {
        let unions = &version.unions;
        let settings = &self.settings.unions;
        let are_unions_accepted = !settings.unions
            || match old {
                Some(old) => unions.validate_update(new, old, settings).is_accepted(),
                None => unions.validate(new).is_accepted(),
            };
        let server = self.settings.whole_object.clone();
        let server = &server.field_validation(FieldValidation::Ignore);
        let mut new = new.clone();
        let is_status = request["subResource"] == "status";
        let is_schema_accepted = version.whole_schema.as_ref().is_none_or(|schema| {
            let report = match old {
                Some(old) if is_status => schema.update_status(&mut new, old, server),
                Some(old) => schema.update(&mut new, old, server),
                None => schema.create(&mut new, server),
            };
            report.is_accepted()
        });
        are_unions_accepted && is_schema_accepted
    }

    /// Answers a body with changed, missing and added bytes.
    fn check_damaged_body(&self, source: &mut Source<'_>, review: &Value) {
        let mut body = review.to_string().into_bytes();
        while source.chance(150) && !body.is_empty() {
            let index = (source.below(256) * 256 + source.below(256)) % body.len();
            match source.below(4) {
                0 => body.truncate(index),
                1 => body[index] = source.byte(),
                2 => drop(body.remove(index)),
                _ => drop(body.splice(index..index, source.word(&INSERTS).bytes())),
            }
        }
        let value: Option<Value> = serde_json::from_slice(&body).ok();
        for webhook in Webhook::ALL {
            let response = self.answer(webhook, &body);
            if let (Some(response), Some(value)) = (response, &value) {
                assert_eq!(value["request"]["uid"], *response.uid);
            }
        }
    }
}

/// The strings that are inserted into a body.
const INSERTS: [&str; 14] = [
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    "{\"a\":",
    "\"uid\":\"b\",",
    "\"kind\":\"AdmissionReview\",",
    "\"request\":{},",
    "\"request\":null,",
    "\"object\":{},",
    "\\ud800",
    "null",
    "1e999",
    "\u{0}",
    "}",
    "]",
    ",",
];

/// The response to a review.
#[derive(Debug, PartialEq)]
struct Response {
    uid: String,
    is_allowed: bool,
    patch: Option<json_patch::Patch>,
    /// The code of a rejection.
    code: Option<u64>,
    /// The whole response.
    body: Vec<u8>,
}

impl Response {
    /// Checks the response itself: its form, its limits and its summary.
    fn check(webhook: Webhook, reply: &ReviewReply) -> Self {
        let review: Value = serde_json::from_slice(&reply.body).expect("a response is JSON");
        assert_eq!(review["kind"], "AdmissionReview");
        assert!(review["apiVersion"].is_string());
        let response = &review["response"];
        let (status, summary) = (&response["status"], &reply.summary);
        let is_allowed = response["allowed"].as_bool().expect("a boolean");
        let verdict = summary.verdict();
        assert_eq!(is_allowed, verdict != Verdict::Rejected);
        assert_eq!(
            summary.rejection.as_deref(),
            status["message"].as_str().filter(|_| !is_allowed)
        );
        match verdict {
            Verdict::Normalized => assert_eq!(webhook, Webhook::Mutate),
            Verdict::Tolerated => assert_eq!(webhook, Webhook::Validate),
            Verdict::Rejected => assert!(!summary.reason.is_empty()),
            Verdict::Allowed => {}
        }
        let patch = response["patch"].as_str().map(|patch| {
            assert_eq!(response["patchType"], "JSONPatch");
            assert!(is_allowed);
            let bytes = BASE64_STANDARD.decode(patch).expect("base64");
            serde_json::from_slice(&bytes).expect("a JSON patch")
        });
        assert_eq!(patch.is_some(), verdict == Verdict::Normalized);
        let warnings = response["warnings"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        assert!(warnings.len() <= MAX_WARNINGS, "{warnings:?}");
        for warning in warnings {
            let warning = warning.as_str().expect("a string");
            assert!(warning.chars().count() <= MAX_WARNING_LENGTH, "{warning}");
        }
        let causes = status["details"]["causes"].as_array().map_or(0, Vec::len);
        for length in [causes, summary.changes.len(), summary.tolerated.len()] {
            assert!(length <= MAX_LISTED, "{length}");
        }
        Self {
            uid: response["uid"].as_str().expect("a string").to_owned(),
            is_allowed,
            patch,
            code: status["code"].as_u64(),
            body: reply.body.clone(),
        }
    }
}
