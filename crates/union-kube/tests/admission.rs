//! Tests of the responses of a webhook.

use kube::CustomResource;
use kube::core::admission::{AdmissionRequest, AdmissionResponse, AdmissionReview};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_kube::admission::response;
use union_runtime::{EnumType, Settings, Union, Violation};

#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
enum Audience {
    Public,
    Users,
}

#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(
    group = "docs.example.com",
    version = "v1",
    kind = "Document",
    namespaced
)]
#[schemars(transform = union_runtime::add_unions::<DocumentSpec>)]
struct DocumentSpec {
    #[union(discriminator)]
    audience: Audience,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    users: Option<Vec<String>>,
}

fn document(metadata: &Value, spec: &Value) -> Value {
    json!({ "apiVersion": "docs.example.com/v1", "kind": "Document", "metadata": metadata, "spec": spec })
}

fn request(name: &str, object: &Value, old: &Value) -> AdmissionRequest<Document> {
    let kind = json!({ "group": "docs.example.com", "version": "v1", "kind": "Document" });
    let resource = json!({ "group": "docs.example.com", "version": "v1", "resource": "documents" });
    let operation = match (object.is_null(), old.is_null()) {
        (true, _) => "DELETE",
        (_, true) => "CREATE",
        _ => "UPDATE",
    };
    let review = json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {
            "uid": "u", "operation": operation, "name": name, "userInfo": {}, "kind": kind, "resource": resource,
            "object": object, "oldObject": old,
        },
    });
    let review: AdmissionReview<Document> = serde_json::from_value(review).unwrap();
    review.try_into().unwrap()
}

/// Returns the response of a webhook that normalizes and validates.
fn respond(name: &str, metadata: &Value, new: &Value, old: &Value) -> AdmissionResponse {
    let old = match old {
        Value::Null => Value::Null,
        old => document(metadata, old),
    };
    let request = request(name, &document(metadata, new), &old);
    let mut object = request.object.clone().unwrap();
    let old = request.old_object.as_ref().map(|old| &old.spec);
    let report = object.spec.admit_unions(old, &Settings::default());
    response(&request, Some(&object), &report.under(["spec"])).unwrap()
}

#[test]
fn a_valid_object_is_allowed_without_a_patch() {
    let spec = json!({ "audience": "Public" });
    let response = respond("a", &json!({ "name": "a" }), &spec, &Value::Null);
    assert_eq!((response.uid.as_str(), response.allowed), ("u", true));
    assert_eq!((response.patch, response.warnings), (None, None));
}

#[test]
fn changes_are_a_patch() {
    let new = json!({ "audience": "Public", "users": ["ann"] });
    let old = json!({ "audience": "Users", "users": ["ann"] });
    let response = respond("a", &json!({ "name": "a" }), &new, &old);
    assert!(response.allowed);
    let patch: Value = serde_json::from_slice(&response.patch.unwrap()).unwrap();
    assert_eq!(patch, json!([{ "op": "remove", "path": "/spec/users" }]));
}

#[test]
fn errors_are_a_status_with_causes_and_no_patch() {
    let new = json!({ "audience": "Users" });
    // The server creates the name from `generateName` later, so the request has no name.
    for (name, metadata) in [("a", json!({ "name": "b" })), ("", json!({ "name": "a" }))] {
        let response = respond(name, &metadata, &new, &Value::Null);
        assert!(!response.allowed && response.patch.is_none());
        assert_eq!(
            (response.result.code, &*response.result.reason),
            (422, "Invalid")
        );
        assert_eq!(
            response.result.message,
            "Document.docs.example.com \"a\" is invalid: spec.users: Invalid value: \"\": must be specified when \
             `audience` is \"Users\": add `users`, or change `audience`"
        );
        let details = response.result.details.unwrap();
        assert_eq!(details.causes[0].field, "spec.users");
    }
}

#[test]
fn tolerated_errors_are_warnings() {
    let spec = json!({ "audience": "Users" });
    let response = respond("a", &json!({ "name": "a" }), &spec, &spec);
    assert!(response.allowed);
    let warnings = response.warnings.unwrap();
    assert!(
        warnings[0].starts_with(
            "tolerated, because the stored object has the same error: spec.users: Invalid value"
        ),
        "{warnings:?}"
    );
}

#[test]
fn a_request_without_an_object_has_a_response() {
    let stored = document(&json!({ "name": "a" }), &json!({ "audience": "Public" }));
    let request = request("a", &Value::Null, &stored);
    let report = Violation::forbidden(["spec"], "documents are kept");
    let rejected = response(&request, None, &[report].into_iter().collect()).unwrap();
    assert!(!rejected.allowed);
    let allowed = response(&request, None, &union_runtime::Report::default()).unwrap();
    assert!(allowed.allowed && allowed.patch.is_none());
}

/// Tests the mistake to answer with the object of the request, which lacks the changes.
#[test]
fn changes_that_the_object_lacks_are_an_error() {
    let new = json!({ "audience": "Public", "users": ["ann"] });
    let old = json!({ "audience": "Users", "users": ["ann"] });
    let request = request(
        "a",
        &document(&json!({ "name": "a" }), &new),
        &document(&json!({ "name": "a" }), &old),
    );
    let mut object = request.object.clone().unwrap();
    let old = request.old_object.as_ref().map(|old| &old.spec);
    let report = object.spec.admit_unions(old, &Settings::default());
    for unchanged in [request.object.as_ref(), None] {
        let error = response(&request, unchanged, &report).unwrap_err();
        assert!(
            error.to_string().contains("the report has changes"),
            "{error}"
        );
    }
    assert!(
        response(&request, Some(&object), &report)
            .unwrap()
            .patch
            .is_some()
    );
}
