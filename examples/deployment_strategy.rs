//! A union that Kubernetes has had for years, `spec.strategy` of a Deployment: what happens to the updates that people
//! really send. `cargo run --example deployment_strategy`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{Admitted, EnumType, Ratchet, Settings, Union, Violations, admit};

/// How pods are replaced.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(transform = union_runtime::add_enum::<StrategyType>)]
enum StrategyType {
    /// All at once, after the old ones are gone.
    Recreate,
    /// A few at a time.
    RollingUpdate,
}

/// `Recreate` has no field: an empty member. `rollingUpdate` may be left out: an optional one.
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
    // Stored before anybody checked.
    let broken = json!({ "type": "Recreate", "rollingUpdate": { "maxSurge": 1 } });
    let defaults = Settings::default();

    show("kubectl patch to Recreate", &rolling, &broken, defaults)?;
    show(
        "defaults only",
        &rolling,
        &json!({ "type": "RollingUpdate" }),
        defaults,
    )?;
    show(
        "an unrelated update of a broken object",
        &broken,
        &broken,
        defaults,
    )?;
    let strict = Settings::default().ratchet(Ratchet::Off);
    show("the same without ratcheting", &broken, &broken, strict)
}

fn show(what: &str, old: &Value, new: &Value, settings: Settings) -> serde_json::Result<()> {
    let old: DeploymentStrategy = serde_json::from_value(old.clone())?;
    let mut object: DeploymentStrategy = serde_json::from_value(new.clone())?;
    println!("{what}\n  sent       {new}");
    match admit(&mut object, Some(&old), &settings) {
        Ok(admitted) => accepted(&object, &admitted)?,
        Err(violations) => refused(&violations),
    }
    println!();
    Ok(())
}

fn accepted(object: &DeploymentStrategy, admitted: &Admitted) -> serde_json::Result<()> {
    for change in &admitted.changes {
        println!("  normalized {change}");
    }
    for violation in &admitted.ratcheted {
        println!("  tolerated  {violation}");
    }
    println!("  stored     {}", serde_json::to_string(object)?);
    Ok(())
}

fn refused(violations: &Violations) {
    for violation in violations {
        println!("  refused    {violation}");
    }
}
