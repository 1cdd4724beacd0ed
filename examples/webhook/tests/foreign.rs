//! Tests of inferred unions: the unions of third-party CRDs, which the webhook uses only for the
//! kinds in `--foreign`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use union_webhook::files;
use union_webhook::review::ReviewSettings;
use union_webhook::schemas::{CheckScope, Schemas};

use crate::decisions::{apply_patch, decode_patch};
use crate::support::{TestServer, create_folder, long_timeouts, sample_review};

/// Returns a CRD whose rules imply a union. The CRD has the annotation of unions only if
/// `annotation` is set.
fn crd(annotation: Option<&Value>) -> Value {
    let rules = json!([
        {"rule": "self.type == 'Git' ? has(self.git) : !has(self.git)"},
        {"rule": "self.type == 'Bucket' ? has(self.bucket) : !has(self.bucket)"},
    ]);
    let source = json!({
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {"type": "string", "enum": ["Git", "Bucket", "None"]},
            "git": {"type": "object"},
            "bucket": {"type": "object"},
        },
        "x-kubernetes-validations": rules,
    });
    let schema = json!({"type": "object", "properties": {"spec": source}});
    let annotations =
        annotation.map(|unions| json!({"union-runtime.dev/unions": unions.to_string()}));
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "sources.example.com", "annotations": annotations},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Source", "plural": "sources"},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}

/// Starts a server with a CRD, and infers the unions of these kinds.
async fn start_server(name: &str, crd: &Value, inferred_kinds: &[&str]) -> TestServer {
    let path = create_folder(&format!("foreign-{name}")).join("crd.json");
    std::fs::write(&path, crd.to_string()).unwrap();
    let inferred_kinds: BTreeSet<String> = inferred_kinds.iter().map(ToString::to_string).collect();
    let schemas = files::read_schemas_into(
        Schemas::with_inferred_kinds(inferred_kinds),
        &[path],
        CheckScope::Unions,
    )
    .unwrap();
    TestServer::start_with(long_timeouts(), ReviewSettings::default(), Some(schemas)).await
}

/// Returns a review of an update that changes the discriminator from Git to Bucket, sets `bucket`,
/// and keeps `git`.
fn switch_review() -> Value {
    let source = |spec: Value| {
        let metadata = json!({"name": "one", "namespace": "default"});
        json!({"apiVersion": "example.com/v1", "kind": "Source", "metadata": metadata, "spec": spec})
    };
    let mut review = sample_review("switch.json");
    let request = &mut review["request"];
    request["kind"] = json!({"group": "example.com", "version": "v1", "kind": "Source"});
    request["object"] = source(json!({"type": "Bucket", "git": {}, "bucket": {}}));
    request["oldObject"] = source(json!({"type": "Git", "git": {}}));
    review
}

#[tokio::test]
async fn without_the_flag_nothing_is_changed_or_rejected() {
    for (name, inferred_kinds) in [
        ("none", &[][..]),
        ("other", &["Target.example.com", "Source.other.com"]),
    ] {
        let webhook = start_server(name, &crd(None), inferred_kinds).await;
        for path in ["/mutate", "/validate"] {
            let response = webhook.review(path, &switch_review()).await;
            assert_eq!(response["allowed"], true);
            assert_eq!(response.get("patch"), None);
        }
    }
}

#[tokio::test]
async fn with_the_flag_switches_are_normalized_and_union_errors_are_rejected() {
    let webhook = start_server("yes", &crd(None), &["Source.example.com"]).await;
    let mut review = switch_review();
    let rejection = webhook.review("/validate", &review).await;
    assert_eq!(rejection["allowed"], false);
    let cause = &rejection["status"]["details"]["causes"][0];
    assert_eq!(cause["field"], "spec.git");

    let response = webhook.review("/mutate", &review).await;
    assert_eq!(
        decode_patch(&response),
        [json!({"op": "remove", "path": "/spec/git"})]
    );
    review["request"]["object"] = apply_patch(&review["request"]["object"], &response);
    assert_eq!(webhook.review("/validate", &review).await["allowed"], true);
}

#[tokio::test]
async fn the_annotation_takes_precedence_over_the_rules() {
    let members = json!({"Git": {"name": "git", "optional": false}, "Bucket": null, "None": null});
    let annotation = json!({"v1": {"/properties/spec/properties/type": {"fieldMembers": members}}});
    let webhook = start_server(
        "annotated",
        &crd(Some(&annotation)),
        &["Source.example.com"],
    )
    .await;
    let mut review = switch_review();
    review["request"]["oldObject"] = Value::Null;
    review["request"]["operation"] = "CREATE".into();
    review["request"]["object"]["spec"] = json!({"type": "Bucket"});
    // By the rules, the object is invalid, because `bucket` is missing.
    assert_eq!(webhook.review("/validate", &review).await["allowed"], true);
}

#[tokio::test]
async fn an_inferred_kind_without_a_crd_is_missing() {
    let compile_schemas = |inferred_kind: &str| {
        let path = create_folder(&format!("foreign-named-{inferred_kind}")).join("crd.json");
        std::fs::write(&path, crd(None).to_string()).unwrap();
        let inferred_kinds = BTreeSet::from([inferred_kind.to_owned()]);
        files::read_schemas_into(
            Schemas::with_inferred_kinds(inferred_kinds),
            &[path],
            CheckScope::Unions,
        )
        .unwrap()
    };
    let schemas_of_other_kind = compile_schemas("Source.other.com");
    assert_eq!(
        schemas_of_other_kind
            .missing_inferred_kinds()
            .collect::<Vec<_>>(),
        ["Source.other.com"]
    );
    assert_eq!(
        compile_schemas("Source.example.com")
            .missing_inferred_kinds()
            .count(),
        0
    );
}
