//! The response of an admission webhook.

use k8s_crd_validation::{ObjectRef, Report};
use kube_core::Resource;
use kube_core::Status;
use kube_core::admission::{AdmissionRequest, AdmissionResponse};
use serde::Serialize;

/// Returns the response of a webhook to a request, from a report on the object.
///
/// `object` is the object of the request after normalization, or `None` if the request has no
/// object, such as a delete request. The response for an accepted object contains its changes as a
/// JSON patch. The response for a rejected object contains a `Status` with all causes. Warnings of
/// the report, and tolerated errors, become warnings for the client.
///
/// ```
/// use kube::CustomResource;
/// use kube::core::admission::{AdmissionRequest, AdmissionReview};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
/// use union_runtime::{EnumType, Settings, Union};
///
/// #[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
/// enum Audience {
///     Public,
///     Users,
/// }
///
/// #[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
/// #[kube(group = "docs.example.com", version = "v1", kind = "Document", namespaced)]
/// #[schemars(transform = union_runtime::add_unions::<DocumentSpec>)]
/// struct DocumentSpec {
///     #[union(discriminator)]
///     audience: Audience,
///     #[union(member)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     users: Option<Vec<String>>,
/// }
///
/// # let document = |audience: &str| json!({
/// #     "apiVersion": "docs.example.com/v1", "kind": "Document", "metadata": {"name": "a"},
/// #     "spec": {"audience": audience, "users": ["ann"]},
/// # });
/// # let body = json!({
/// #     "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
/// #     "request": {
/// #         "uid": "1", "operation": "UPDATE", "name": "a", "userInfo": {},
/// #         "kind": {"group": "docs.example.com", "version": "v1", "kind": "Document"},
/// #         "resource": {"group": "docs.example.com", "version": "v1", "resource": "documents"},
/// #         "object": document("Public"), "oldObject": document("Users"),
/// #     },
/// # }).to_string();
/// let review: AdmissionReview<Document> = serde_json::from_str(&body)?;
/// let request: AdmissionRequest<Document> = review.try_into()?;
///
/// let mut object = request.object.clone().expect("an update has an object");
/// let old = request.old_object.as_ref().map(|old| &old.spec);
/// let report = object.spec.admit_unions(old, &Settings::default()).under(["spec"]);
/// let response = union_kube::admission::response(&request, Some(&object), &report)?;
///
/// assert!(response.allowed);
/// let patch = response.patch.as_deref().expect("a member was cleared");
/// assert_eq!(patch, br#"[{"op":"remove","path":"/spec/users"}]"#);
/// let reply = response.into_review();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if an object cannot be serialized, or if the report has changes and `object`
/// does not have them, because the changes would be lost.
pub fn response<K>(
    request: &AdmissionRequest<K>,
    object: Option<&K>,
    report: &Report,
) -> Result<AdmissionResponse, serde_json::Error>
where
    K: Resource + Serialize,
{
    let mut response = AdmissionResponse::from(request);
    let tolerated_warnings = report
        .tolerated()
        .iter()
        .map(|error| format!("tolerated, because the stored object has the same error: {error}"));
    let warnings: Vec<String> = tolerated_warnings
        .chain(report.warnings().iter().cloned())
        .collect();
    response.warnings = (!warnings.is_empty()).then_some(warnings);
    let name = match (request.name.as_str(), object) {
        ("", Some(object)) => object.meta().name.as_deref().unwrap_or_default(),
        (name, _) => name,
    };
    let status = report.status(&ObjectRef {
        group: &request.kind.group,
        kind: &request.kind.kind,
        name,
    });
    if let Some(status) = status {
        response.allowed = false;
        response.result = serde_json::from_value::<Status>(status)?;
        return Ok(response);
    }
    let patch = match (&request.object, object) {
        (Some(sent_object), Some(object)) => json_patch::diff(
            &serde_json::to_value(sent_object)?,
            &serde_json::to_value(object)?,
        ),
        _ => json_patch::Patch::default(),
    };
    if patch.is_empty() && !report.changes().is_empty() {
        return Err(serde::ser::Error::custom(
            "the report has changes, but the object is the one that the client sent; pass the object that `admit_unions` or `normalize_unions` changed",
        ));
    }
    if patch.is_empty() {
        return Ok(response);
    }
    let response = response.with_patch(patch);
    response.map_err(serde::ser::Error::custom)
}
