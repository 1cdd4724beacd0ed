//! The requests for a stored object and for a CRD, and the answers of one version.

use k8s_crd_validation::{Report, ServerSettings, StructuralSchema, crd};
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

/// Returns the answers of a version to the requests for a stored object.
pub(crate) fn answer_object(
    schema: &StructuralSchema,
    object: &Value,
    has_status: bool,
    version: KubeVersion,
) -> Vec<Answer> {
    let settings = ServerSettings::default().version(version);
    let metadata_only = without_fields(object, |field| {
        matches!(field, "apiVersion" | "kind" | "metadata")
    });
    let mut annotated = object.clone();
    annotate(&mut annotated);
    let answer = |request, mut object: Value, operation: &dyn Fn(&mut Value) -> Report| {
        let report = operation(&mut object);
        Answer::new(request, &report, Some(object))
    };
    let mut answers = vec![
        answer(Request::Create, object.clone(), &|new| {
            schema.create(new, &settings)
        }),
        answer(Request::UnrelatedUpdate, annotated, &|new| {
            schema.update(new, object, &settings)
        }),
        answer(Request::UpdateOfAllFields, object.clone(), &|new| {
            schema.update(new, &metadata_only, &settings)
        }),
    ];
    if has_status {
        let without_status = without_fields(object, |field| field != "status");
        answers.extend([
            answer(Request::UnrelatedStatusUpdate, object.clone(), &|new| {
                schema.update_status(new, object, &settings)
            }),
            answer(Request::UpdateOfWholeStatus, object.clone(), &|new| {
                schema.update_status(new, &without_status, &settings)
            }),
        ]);
    }
    answers
}

/// Returns the object with the root fields that `keeps` selects.
fn without_fields(object: &Value, keeps: impl Fn(&str) -> bool) -> Value {
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
