//! Tests of unions in the enum form, in both CRDs.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};
use union_kube::openapi;
use union_runtime::{RawUnion, Report, Settings, Union, UnionEnum};

use crate::outputs::{crd, schema_of};

/// The target of backups.
#[derive(UnionEnum, Clone, Debug)]
#[union(discriminator = "type")]
enum Target {
    None,
    /// Into a bucket.
    S3(Bucket),
    Volume(Option<String>),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
struct Bucket {
    bucket: String,
}

#[derive(UnionEnum, Clone, Debug)]
#[union(undiscriminated)]
enum Trigger {
    Never,
    Cron(String),
    Event(Bucket),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Backup",
    namespaced,
    derive = "Union",
    attr = "union(nested(spec))"
)]
#[schemars(transform = union_runtime::add_unions::<BackupSpec>)]
struct BackupSpec {
    #[union(nested)]
    target: Target,
    #[union(nested)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trigger: Option<Trigger>,
}

fn backup(spec: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Backup", "metadata": {"name": "b"}, "spec": spec})
}

#[test]
fn the_extension_is_in_the_full_crd_and_in_the_openapi_document() {
    let crd = crd::<Backup>();
    assert_eq!(crd.lint().errors(), []);
    let fields = json!({"fieldMembers": {
        "None": null,
        "S3": {"name": "s3", "optional": false},
        "Volume": {"name": "volume", "optional": true},
    }});
    let extension_of = |crd: &Value| {
        schema_of(crd)["properties"]["spec"]["properties"]["target"]["properties"]["type"]
            ["x-kubernetes-unions"]
            .clone()
    };
    assert_eq!(extension_of(crd.with_extensions()), fields);
    assert_eq!(extension_of(crd.for_cluster()), Value::Null);
    let document = openapi("backups", "1", [&crd]);
    assert!(document.to_string().contains(&fields.to_string()));
}

/// A webhook has only the CRD for the cluster.
#[test]
fn a_webhook_and_the_types_return_the_same_result() {
    let crd = crd::<Backup>();
    let unions = Unions::compile(SchemaSource::Crd(crd.for_cluster(), None))
        .expect("the CRD has the annotation");
    let old = backup(&json!({"target": {"type": "S3", "s3": {"bucket": "b"}}, "trigger": {}}));
    for (spec, changes, errors) in [
        (
            json!({"target": {"type": "Volume", "s3": {"bucket": "b"}}, "trigger": {"cron": "@daily"}}),
            "spec.target.s3: cleared",
            0,
        ),
        (json!({"target": {"type": "Tape", "tape": 1}}), "", 1),
        (
            json!({"target": {"type": "None"}, "trigger": {"cron": "", "event": {"bucket": "e"}}}),
            "",
            1,
        ),
    ] {
        let new = backup(&spec);
        let mut json = new.clone();
        let by_schema = unions.admit(&mut json, Some(&old), &Settings::default());
        let mut typed: Backup =
            serde_json::from_value(new.clone()).expect("the JSON fits the type");
        let typed_old = serde_json::from_value(old.clone()).expect("the JSON fits the type");
        let by_type = typed.admit_unions(Some(&typed_old), &Settings::default());
        let summary = |report: Report| (report.changes().to_string(), report.errors().len());
        assert_eq!(summary(by_schema), (changes.to_owned(), errors), "{spec}");
        assert_eq!(summary(by_type), (changes.to_owned(), errors), "{spec}");
        assert_eq!(
            serde_json::to_value(&typed).expect("the value serializes"),
            json
        );
    }
}
