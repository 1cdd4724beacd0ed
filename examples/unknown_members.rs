//! A client with an old version of a type, in a cluster with a newer version:
//! `cargo run --example unknown_members`.
//!
//! One of two objects in a list has a discriminator value and a member that this build does not
//! know.

use std::collections::BTreeMap;

use kube::CustomResource;
use kube::core::ObjectList;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Settings, Union};

#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = union_runtime::add_enum::<TargetType>)]
enum TargetType {
    S3,
    Volume,
    /// A value that this build does not know. It is kept, so that the object is readable.
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(CustomResource, Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "db.example.com", version = "v1", kind = "Backup", namespaced)]
#[kube(derive = "Union", attr = "union(nested(spec))")] // paths start at `spec`
#[schemars(transform = union_runtime::add_unions::<BackupSpec>)]
pub(crate) struct BackupSpec {
    #[union(discriminator)]
    r#type: TargetType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    s3: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<String>,
    /// The members that this build does not know. They are kept and written back.
    #[union(unknown)]
    #[serde(flatten)]
    #[schemars(skip)] // not in the schema: API servers still prune fields that the CRD lacks
    rest: BTreeMap<String, Value>,
}

fn main() -> serde_json::Result<()> {
    let sent = json!({
        "apiVersion": "db.example.com/v1",
        "kind": "BackupList",
        "metadata": { "resourceVersion": "7" },
        "items": [
            backup("known", &json!({ "type": "S3", "s3": "nightly" })),
            backup("newer", &json!({ "type": "Tape", "tape": { "drive": 3, "labels": ["a", "b"] } })),
        ],
    });
    let list: ObjectList<Backup> = serde_json::from_value(sent.clone())?;
    println!("a newer server sends a list:");
    for Backup { metadata, spec } in &list.items {
        let name = metadata.name.as_deref().unwrap_or_default();
        let rest = serde_json::to_string(&spec.rest)?;
        println!(
            "  read     {name}: {:?}, unknown fields: {rest}",
            spec.r#type
        );
    }
    let written = serde_json::to_value(&list)?;
    println!("  written  {}", written["items"][1]["spec"]);
    assert_eq!(written, sent);
    println!("  the written list equals the list that was read");

    println!("\na client that does not know `tape` moves `newer` from the tape to a volume:");
    let old = &list.items[1];
    let mut new = old.clone();
    new.spec.r#type = TargetType::Volume;
    new.spec.volume = Some("disk-1".to_owned());
    println!(
        "  changes  {}",
        new.normalize_unions(Some(old), &Settings::default())
    );
    println!("  stored   {}", serde_json::to_string(&new.spec)?);
    Ok(())
}

fn backup(name: &str, spec: &Value) -> Value {
    json!({ "apiVersion": "db.example.com/v1", "kind": "Backup", "metadata": { "name": name }, "spec": spec })
}
