//! One CRD to the letter. `UPDATE_SNAPSHOTS=1 cargo test` writes it again.

use std::path::Path;
use std::{env, fs};

use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, add_enum, add_unions};

/// How the pods of an application are replaced.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = add_enum::<StrategyType>)]
enum StrategyType {
    /// All at once.
    Recreate,
    /// One after the other.
    RollingUpdate,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RollingUpdate {
    /// How many may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_unavailable: Option<i32>,
}

/// How a new version comes in.
#[derive(Union, Serialize, Deserialize, Clone, Debug, KubeSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = add_unions::<Strategy>)]
struct Strategy {
    /// Which way.
    #[union(discriminator)]
    r#type: StrategyType,
    /// Only for `RollingUpdate`.
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[x_kube(validation = ("!has(self.maxUnavailable) || self.maxUnavailable != 0", "nothing would ever be replaced"))]
    rolling_update: Option<RollingUpdate>,
}

/// An application.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Application",
    namespaced,
    status = "ApplicationStatus"
)]
struct ApplicationSpec {
    strategy: Strategy,
    /// Applied one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<Strategy>,
}

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
struct ApplicationStatus {
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<Strategy>,
}

#[test]
fn a_crd_to_the_letter() -> Result<(), Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("application_crd.json");
    let crd = serde_json::to_value(Application::crd())?;
    if env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, format!("{crd:#}\n"))?;
    }
    let golden: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
    assert_eq!(
        crd, golden,
        "the CRD changed; if that is meant: UPDATE_SNAPSHOTS=1 cargo test"
    );
    Ok(())
}
