//! The outputs of one type, compared with files. `UPDATE_SNAPSHOTS=1 cargo test` writes the files
//! again.

use std::path::Path;
use std::{env, fs};

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_kube::{openapi, to_json_string};
use union_runtime::{EnumType, Union, add_enum, add_unions};

/// The ways to replace the pods of an application.
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
pub(crate) struct ApplicationSpec {
    strategy: Strategy,
    /// Applied one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<Strategy>,
}

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
pub(crate) struct ApplicationStatus {
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<Strategy>,
}

/// Asserts that a document equals the file `name` in this folder.
pub(crate) fn assert_golden(name: &str, document: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name);
    let printed = to_json_string(document);
    if env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, &printed).expect("the golden file can be written");
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        printed, golden,
        "{name} changed; if that is meant: UPDATE_SNAPSHOTS=1 cargo test"
    );
}

#[test]
fn the_crds_and_the_document_equal_the_files() {
    let crd = crate::outputs::crd::<Application>();
    assert_golden("application_crd.json", crd.for_cluster());
    assert_golden("application_full.json", crd.with_extensions());
    assert_golden(
        "application_openapi.json",
        &openapi("applications", "v1", [&crd]),
    );
}
