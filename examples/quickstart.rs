//! A custom resource of kube-rs with a union, from the struct to the CRD, a normalized update and a
//! rejected update: `cargo run --example quickstart`.
//!
//! A backup goes to S3, to a volume, or nowhere: at most one of the fields `s3` and `volume` may be
//! set.

use kube::{CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::{EnumType, Settings, Union};

/// The type of a target.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = union_runtime::add_enum::<TargetType>)]
enum TargetType {
    /// Backups are off.
    None,
    /// A bucket.
    S3,
    /// A volume claim in the same namespace.
    Volume,
    /// A value of a newer server. The value can be read and is kept, but validation rejects it.
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// The target of a database's backups: at most one of its members may be set.
#[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Target>)]
struct Target {
    /// Selects the member.
    #[union(discriminator)]
    r#type: TargetType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    s3: Option<Bucket>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<Claim>,
}

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
struct Bucket {
    bucket: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
struct Claim {
    claim: String,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "db.example.com", version = "v1", kind = "Backup", namespaced)]
struct BackupSpec {
    target: Target,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    heading("The CRD for the cluster: enum, docs and rules that every API server enforces");
    print!("{}", serde_saphyr::to_string(&Backup::crd())?);

    heading("The schema for tools: the same schema with x-kubernetes-unions (KEP-1027)");
    let schema = union_runtime::schema_for::<Target>();
    let discriminator = &schema.as_value()["properties"]["type"];
    print!("{}", serde_saphyr::to_string(discriminator)?);

    heading("A client that does not know `s3` patches the union to a volume");
    let old: Target = serde_json::from_value(json!({
        "type": "S3", "s3": { "bucket": "nightly" }
    }))?;
    let mut new: Target = serde_json::from_value(json!({
        "type": "Volume", "s3": { "bucket": "nightly" }, "volume": { "claim": "disk-1" }
    }))?;
    let settings = Settings::default();
    let report = new.admit_unions(Some(&old), &settings).into_result()?;
    println!("normalized  {}", report.changes());
    println!("stored      {}", serde_json::to_string(&new)?);

    heading("A client sets `volume` without changing the discriminator: the update is rejected");
    let mut conflicting = old.clone();
    conflicting.volume.clone_from(&new.volume);
    // The discriminator is unchanged, so the intended member is unknown, and no member is cleared.
    let report = conflicting.admit_unions(Some(&old), &settings);
    println!("{}", report.under(["spec", "target"]));

    heading("A newer server sends a value that this build does not know: the value is kept");
    let newer: Target = serde_json::from_value(json!({ "type": "Tape" }))?;
    println!("read        {:?}", newer.r#type);
    println!("written     {}", serde_json::to_string(&newer)?);
    let report = newer.validate_unions().under(["spec", "target"]);
    println!("as input    {report}");
    Ok(())
}

fn heading(title: &str) {
    println!("\n# {title}\n");
}
