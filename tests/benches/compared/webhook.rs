//! Rows of whole webhook requests: from the bytes of an `AdmissionReview` to the bytes of the
//! response, with the code of the example webhook.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::hint::black_box;
use std::rc::Rc;

use k8s_crd_validation::ServerSettings;
use serde_json::{Map, Value, json};
use union_webhook::review::{ReviewSettings, Webhook, answer_review};
use union_webhook::schemas::{CheckScope, Schemas};

use crate::crd::input::{self, Input};
use crate::row::{PreparedRow, Row, Sizes};

/// The name of the part of the report.
const REPORT_PART: &str = "webhook";

/// The requests: name, the webhooks that get the review one after the other (as from an API
/// server), and whether the webhook must reject the review.
const REQUESTS: [(&str, &[Webhook], bool); 4] = [
    ("update, /mutate", &[Webhook::Mutate], false),
    ("update, /validate", &[Webhook::Validate], false),
    (
        "update, /mutate and /validate",
        &[Webhook::Mutate, Webhook::Validate],
        false,
    ),
    ("update, /validate, refused", &[Webhook::Validate], true),
];

pub(crate) fn rows(_: Sizes) -> Vec<Row> {
    let mut rows = Vec::new();
    for kind in input::kinds() {
        // The rows of a kind share the schemas, because the inference of unions takes seconds.
        let schemas: Rc<OnceCell<Rc<Schemas>>> = Rc::default();
        for (name, webhooks, is_rejected) in REQUESTS {
            let schemas = Rc::clone(&schemas);
            rows.push(Row::new(
                REPORT_PART,
                format!("{kind}, {name}"),
                None,
                move || {
                    let input = input::input_for_kind(kind, true);
                    let schemas = schemas.get_or_init(|| Rc::new(compile_schemas(&input)));
                    prepare(&input, Rc::clone(schemas), webhooks, is_rejected)
                },
            ));
        }
    }
    rows
}

/// Returns the reviews as workloads for `tests/reference/crd -webhook`.
pub(crate) fn workloads() -> impl Iterator<Item = Value> {
    let kinds = input::kinds().iter();
    kinds.flat_map(|kind| {
        REQUESTS.into_iter().map(move |(name, webhooks, is_rejected)| {
            let input = input::input_for_kind(kind, true);
            let reviews = reviews(&input, is_rejected);
            json!({
                "what": REPORT_PART, "row": format!("{kind}, {name}"), "crd": input.crd, "version": input.version,
                "paths": webhooks.iter().map(|webhook| webhook.path()).collect::<Vec<_>>(),
                "reviews": reviews, "allowed": !is_rejected,
            })
        })
    })
}

/// Returns the schemas of a kind. The CRD is foreign: its schema declares its unions only by CEL
/// rules, from which they are inferred.
fn compile_schemas(input: &Input) -> Schemas {
    let crd_spec = &input.crd["spec"];
    let kind = crd_spec["names"]["kind"].as_str().expect("a kind");
    let group = crd_spec["group"].as_str().expect("a group");
    let mut schemas = Schemas::with_inferred_kinds(BTreeSet::from([format!("{kind}.{group}")]));
    schemas
        .add(kind, &input.crd, CheckScope::WholeSchema)
        .expect("a valid CRD");
    schemas
}

/// Prepares the reviews of a kind, and checks that the webhooks decide as expected.
fn prepare(
    input: &Input,
    schemas: Rc<Schemas>,
    webhooks: &'static [Webhook],
    is_rejected: bool,
) -> PreparedRow {
    let review_settings = ReviewSettings::default();
    let reviews: Vec<Vec<u8>> = reviews(input, is_rejected)
        .into_iter()
        .map(String::into_bytes)
        .collect();
    for review in &reviews {
        for webhook in webhooks {
            let reply =
                answer_review(*webhook, review, &schemas, &review_settings).expect("a review");
            assert!(reply.summary.kind.is_some(), "the kind is known");
            assert_eq!(
                reply.summary.rejection.is_some(),
                is_rejected,
                "{:?}",
                reply.summary
            );
        }
    }
    PreparedRow::new(reviews.len(), move |i| {
        for webhook in webhooks {
            let review = &reviews[i % reviews.len()];
            drop(black_box(answer_review(
                *webhook,
                review,
                &schemas,
                &review_settings,
            )));
        }
    })
}

/// Returns a review for an update of each object, as an API server sends it. The update changes a
/// label. If the webhook must reject the review, the update also makes the object invalid.
fn reviews(input: &Input, is_rejected: bool) -> Vec<String> {
    let schema = input.compile();
    let settings = ServerSettings::default();
    let updates = input.objects.iter().map(|object| {
        let mut old = object.clone();
        // The update adds the default of the status, as in a stored object.
        drop(schema.create(&mut old, &settings));
        let mut stored = old.clone();
        drop(schema.update(&mut stored, &old, &settings));
        set_server_metadata(&mut stored);
        let mut new = stored.clone();
        new["metadata"]["labels"] = json!({"changed": "yes"});
        if is_rejected {
            (input.spoil)(&mut new);
        }
        review(&input.crd, input.version, &new, &stored).to_string()
    });
    updates.collect()
}

/// Sets the metadata fields that an API server sets.
fn set_server_metadata(object: &mut Value) {
    let manager = json!({
        "manager": "kubectl-client-side-apply", "operation": "Update", "apiVersion": object["apiVersion"],
        "time": "2026-11-20T08:00:00Z", "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": fields_v1(&object["spec"])},
    });
    let metadata = &mut object["metadata"];
    metadata["uid"] = "7a5f3f0c-7d0e-4f5e-9a3c-5b1d6c1c2f11".into();
    metadata["creationTimestamp"] = "2026-11-20T08:00:00Z".into();
    metadata["generation"] = 1.into();
    metadata["managedFields"] = json!([manager]);
}

/// Returns the fields of a value in the form of `fieldsV1`. The manager owns each list as a whole.
fn fields_v1(value: &Value) -> Value {
    let fields = value.as_object().into_iter().flatten();
    fields
        .map(|(name, value)| (format!("f:{name}"), fields_v1(value)))
        .collect::<Map<_, _>>()
        .into()
}

/// Returns an `AdmissionReview` with an update, as an API server sends it.
fn review(crd: &Value, version: &str, new: &Value, old: &Value) -> Value {
    let names = &crd["spec"]["names"];
    let kind = json!({"group": crd["spec"]["group"], "version": version, "kind": names["kind"]});
    let resource =
        json!({"group": crd["spec"]["group"], "version": version, "resource": names["plural"]});
    json!({
        "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1",
        "request": {
            "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
            "kind": kind, "resource": resource, "requestKind": kind, "requestResource": resource,
            "name": new["metadata"]["name"], "namespace": "default", "operation": "UPDATE",
            "userInfo": {"username": "alice", "groups": ["system:authenticated"],
                "extra": {"authentication.kubernetes.io/credential-id": ["X509SHA256=5d0c"]}},
            "object": new, "oldObject": old, "dryRun": false,
            "options": {"kind": "UpdateOptions", "apiVersion": "meta.k8s.io/v1",
                "fieldManager": "kubectl-client-side-apply", "fieldValidation": "Strict"},
        },
    })
}
