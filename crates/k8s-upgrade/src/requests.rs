//! The requests for a stored object and for a CRD, and the answers of one version.

use k8s_crd_validation::{ServerSettings, StructuralSchema, crd};
use serde_json::{Map, Value, json};

use crate::KubeVersion;
use crate::answer::Answer;
use crate::finding::Request;

/// The annotation that the unrelated update adds.
const UNRELATED_ANNOTATION: &str = "k8s-upgrade/unrelated";

/// Returns the answers of a version to the requests for a CRD.
pub(crate) fn answer_crd(crd: &Value, version: KubeVersion) -> Vec<Answer> {
    let review = crd::Review::new().version(version);
    vec![
        Answer::new(Request::CreateCrd, &review.create(crd), None),
        Answer::new(Request::UpdateCrd, &review.update(crd, crd), None),
    ]
}

/// A request for a stored object, with the old and the new object.
#[doc(hidden)]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ObjectRequest {
    /// The kind of the request.
    pub request: Request,
    /// The stored object before the request; `None` for a create.
    pub old: Option<Value>,
    /// The object in the request.
    pub new: Value,
}

/// Returns the requests for a stored object, for tests that send the requests to a server.
#[doc(hidden)]
#[must_use]
pub fn object_requests(object: &Value, has_status: bool) -> Vec<ObjectRequest> {
    let metadata_only = with_fields(object, |field| {
        matches!(field, "apiVersion" | "kind" | "metadata")
    });
    let mut annotated = object.clone();
    annotate(&mut annotated);
    let request = |request, old: Option<Value>, new: &Value| ObjectRequest {
        request,
        old,
        new: new.clone(),
    };
    let stored = || Some(object.clone());
    let mut requests = vec![
        request(Request::Create, None, object),
        request(Request::UnrelatedUpdate, stored(), &annotated),
        request(Request::UpdateOfAllFields, Some(metadata_only), object),
    ];
    if has_status {
        let without_status = with_fields(object, |field| field != "status");
        requests.extend([
            request(Request::UnrelatedStatusUpdate, stored(), object),
            request(Request::UpdateOfWholeStatus, Some(without_status), object),
        ]);
    }
    requests
}

/// Returns the answers of a version to the requests for a stored object.
pub(crate) fn answer_object(
    schema: &StructuralSchema,
    requests: &[ObjectRequest],
    version: KubeVersion,
) -> Vec<Answer> {
    let settings = ServerSettings::default().version(version);
    let answer = |request: &ObjectRequest| {
        let mut new = request.new.clone();
        let report = match (request.request, &request.old) {
            (_, None) => schema.create(&mut new, &settings),
            (Request::UnrelatedStatusUpdate | Request::UpdateOfWholeStatus, Some(old)) => {
                schema.update_status(&mut new, old, &settings)
            }
            (_, Some(old)) => schema.update(&mut new, old, &settings),
        };
        Answer::new(request.request, &report, Some(new))
    };
    requests.iter().map(answer).collect()
}

/// Returns the object with the root fields that `keeps` selects.
fn with_fields(object: &Value, keeps: impl Fn(&str) -> bool) -> Value {
    let fields = object.as_object().into_iter().flatten();
    let fields = fields.filter(|(field, _)| keeps(field));
    let fields: Map<String, Value> = fields
        .map(|(field, value)| (field.clone(), value.clone()))
        .collect();
    fields.into()
}

fn annotate(object: &mut Value) {
    let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
    let annotations = metadata.map(|metadata| metadata.entry("annotations"));
    let annotations = annotations.map(|entry| entry.or_insert_with(|| json!({})));
    if let Some(annotations) = annotations.and_then(Value::as_object_mut) {
        annotations.insert(UNRELATED_ANNOTATION.to_owned(), json!("yes"));
    }
}
