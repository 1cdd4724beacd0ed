//! A mistake in a union enum adds no errors in code that uses the enum.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, Settings, Union, UnionEnum};

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
enum Target {
    #[union(absnt)]
    None,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone)]
#[schemars(transform = union_runtime::add_unions::<Backup>)]
struct Backup {
    #[union(nested)]
    targets: Vec<Target>,
}
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Volume>)]
struct Volume {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    target: Target,
}

fn main() -> Result<(), serde_json::Error> {
    let old: Backup = serde_json::from_str("{}")?;
    let mut new = old.clone();
    let _ = new.normalize_unions(Some(&old), &Settings::default());
    let _ = new.validate_unions_update(&old, &Settings::default());
    let target: Target = serde_json::from_str("{}")?;
    let _ = (target.discriminator(), target.raw());
    match target {
        Target::None => {}
        Target::S3(s3) => drop(s3),
        Target::Other(raw) => drop(raw.to_string()),
    }
    let _ = Target::from_object(serde_json::Map::new());
    let _ = schemars::schema_for!(Backup);
    Ok(())
}
