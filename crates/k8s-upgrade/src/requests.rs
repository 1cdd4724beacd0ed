//! The requests for a stored object and for a CRD, and the answers of one version.

use k8s_crd_validation::{KubeVersion, ServerSettings, StructuralSchema, crd};
use serde_json::{Map, Value, json};

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

/// Returns the requests for a stored object. The requests to `/status` are for objects with the
/// status subresource.
#[doc(hidden)]
#[must_use]
pub fn object_requests(object: &Value) -> Vec<ObjectRequest> {
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
    let without_status = with_fields(object, |field| field != "status");
    vec![
        request(Request::Create, None, object),
        request(Request::UnrelatedUpdate, stored(), &annotated),
        request(Request::FullUpdate, Some(metadata_only), object),
        request(Request::UnrelatedStatusUpdate, stored(), object),
        request(Request::FullStatusUpdate, Some(without_status), object),
    ]
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
            (kind, Some(old)) if kind.is_of_status() => {
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
