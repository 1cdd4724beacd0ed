//! Tests of union enums in a custom resource.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_json::Unions;
use union_runtime::{RawUnion, Union, UnionEnum};

use crate::{enum_values, property, spec_schema};

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
struct Bucket {
    name: String,
}

/// Where backups go.
#[derive(UnionEnum, Clone, Debug)]
#[union(discriminator = "type")]
enum Target {
    /// Nowhere.
    None,
    /// Into a bucket.
    S3(Bucket),
    Volume(Option<String>),
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum, Clone, Debug)]
#[union(undiscriminated, enforce = "one_of")]
enum Source {
    Claim(String),
    Bucket(Bucket),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, KubeSchema)]
#[kube(group = "example.com", version = "v1", kind = "Backup", namespaced)]
#[kube(derive = "Union", attr = "union(nested(spec))")]
struct BackupSpec {
    #[union(nested)]
    source: Source,
    #[union(nested)]
    #[x_kube(validation = "self.type != 'None'")]
    target: Target,
    #[union(nested)]
    #[schemars(length(max = 10))]
    more: Vec<Target>,
}

fn schema() -> Value {
    let crd = serde_json::to_value(Backup::crd()).expect("a CRD is JSON");
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone()
}

#[test]
fn the_crd_has_the_values_and_no_nullable_fields() {
    let target = property(&spec_schema::<Backup>(), "target");
    assert_eq!(target.description.as_deref(), Some("Where backups go."));
    let kind = property(&target, "type");
    assert_eq!(enum_values(&kind), ["None", "S3", "Volume"]);
    assert_eq!(
        kind.description.as_deref(),
        Some(
            "Possible enum values:\n - `\"None\"` Nowhere.\n - `\"S3\"` Into a bucket.\n - `\"Volume\"`"
        )
    );
    for name in ["type", "s3", "volume"] {
        assert_eq!(property(&target, name).nullable, None, "{name}");
    }
    assert_eq!(
        property(&target, "s3").description.as_deref(),
        Some("Into a bucket.")
    );
    assert_eq!(target.required, Some(vec!["type".to_owned()]));
    // Two rules of the union, and one rule of the field.
    assert_eq!(crate::rules(&target).len(), 3);
    assert!(
        property(&spec_schema::<Backup>(), "source")
            .one_of
            .is_some()
    );
}

#[test]
fn a_server_accepts_the_crd_and_decides_like_validate_unions() {
    let schema = schema();
    let server = StructuralSchema::compile(&schema).unwrap_or_else(|errors| panic!("{errors}"));
    let object = |source: Value, target: Value, extra_target: Value| {
        json!({
            "apiVersion": "example.com/v1", "kind": "Backup", "metadata": {"name": "b"},
            "spec": {"source": source, "target": target, "more": [extra_target]},
        })
    };
    let bucket = || json!({"name": "b"});
    for (source, target, extra_target) in [
        (
            json!({"claim": "c"}),
            json!({"type": "S3", "s3": bucket()}),
            json!({"type": "None"}),
        ),
        (
            json!({"claim": "c"}),
            json!({"type": "Volume"}),
            json!({"type": "Tape"}),
        ),
        (
            json!({"claim": "c", "bucket": bucket()}),
            json!({"type": "Volume"}),
            json!({"type": "Volume"}),
        ),
        (
            json!({}),
            json!({"type": "S3"}),
            json!({"type": "None", "volume": "v"}),
        ),
        (
            json!({"bucket": bucket()}),
            json!({}),
            json!({"type": "S3", "volume": "v"}),
        ),
    ] {
        let mut object = object(source, target, extra_target);
        let backup: Backup = serde_json::from_value(object.clone()).expect("any union is read");
        let report = server.create(&mut object, &ServerSettings::default());
        assert_eq!(
            report.is_accepted(),
            backup.validate_unions().is_accepted(),
            "{object}"
        );
        let serialized_spec = serde_json::to_value(&backup.spec).expect("a serializable value");
        assert_eq!(serialized_spec, object["spec"]);
    }
}

/// Checks that the engine finds the unions with a discriminator. The schema that kube keeps does
/// not declare other unions.
#[test]
fn the_engine_reads_the_unions_of_the_schema() {
    let schema = union_runtime::schema_for::<Backup>();
    let unions = Unions::compile(union_json::SchemaSource::Schema(schema.as_value()));
    let unions = unions.unwrap_or_else(|error| panic!("{error}"));
    let object =
        json!({"spec": {"target": {"type": "S3"}, "more": [{"type": "Tape"}], "source": {}}});
    let report = unions.validate(&object);
    let paths: Vec<&str> = report
        .errors()
        .iter()
        .map(|violation| violation.path().as_str())
        .collect();
    assert_eq!(paths, ["spec.more[0].type", "spec.target.s3"]);
}
