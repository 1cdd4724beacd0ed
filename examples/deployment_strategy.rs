//! Typical updates of `spec.strategy` of a Deployment, a union of Kubernetes itself: normalized,
//! tolerated and rejected updates. `cargo run --example deployment_strategy`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Ratchet, Settings, Union};

/// The way in which old pods are replaced by new pods.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(transform = union_runtime::add_enum::<StrategyType>)]
enum StrategyType {
    /// All new pods start at once, after the old pods are gone.
    Recreate,
    /// A few pods are replaced at a time.
    RollingUpdate,
}

/// The strategy of a Deployment. The value `Recreate` does not have a member. The value
/// `RollingUpdate` has the member `rollingUpdate`, which is optional: it may be unset.
#[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<DeploymentStrategy>)]
struct DeploymentStrategy {
    #[union(discriminator)]
    r#type: StrategyType,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    rolling_update: Option<RollingUpdate>,
}

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RollingUpdate {
    max_surge: u32,
}

fn main() -> serde_json::Result<()> {
    let rolling = json!({ "type": "RollingUpdate", "rollingUpdate": { "maxSurge": 1 } });
    // Such an object may be stored if the API server did not check unions before.
    let invalid = json!({ "type": "Recreate", "rollingUpdate": { "maxSurge": 1 } });
    let defaults = Settings::default();

    show("kubectl patch to Recreate", &rolling, &invalid, defaults)?;
    show(
        "defaults only",
        &rolling,
        &json!({ "type": "RollingUpdate" }),
        defaults,
    )?;
    show(
        "an unrelated update of an invalid object",
        &invalid,
        &invalid,
        defaults,
    )?;
    let strict = Settings::default().ratchet(Ratchet::Off);
    show(
        "the same update without ratcheting",
        &invalid,
        &invalid,
        strict,
    )
}

fn show(title: &str, old: &Value, new: &Value, settings: Settings) -> serde_json::Result<()> {
    let old: DeploymentStrategy = serde_json::from_value(old.clone())?;
    let mut object: DeploymentStrategy = serde_json::from_value(new.clone())?;
    println!("{title}\n  sent       {new}");
    let report = object.admit_unions(Some(&old), &settings);
    for change in report.changes() {
        println!("  normalized {change}");
    }
    for error in report.tolerated() {
        println!("  tolerated  {error}");
    }
    for error in report.errors() {
        println!("  rejected   {error}");
    }
    if report.is_accepted() {
        println!("  stored     {}", serde_json::to_string(&object)?);
    }
    println!();
    Ok(())
}
