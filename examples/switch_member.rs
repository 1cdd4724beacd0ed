//! A client switches the member of a union by a patch that removes the old member:
//! the strategy of a Deployment, and a volume of a Pod. `cargo run --example switch_member`

use k8s_strategic_merge_patch::{PatchSchema, Switch, SwitchError, patch_schema, switch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Union};

/// The way in which old pods are replaced by new pods.
#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum StrategyType {
    Recreate,
    RollingUpdate,
}

/// The strategy of a Deployment: a union with a discriminator.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<DeploymentStrategy>)]
struct DeploymentStrategy {
    #[union(discriminator)]
    r#type: StrategyType,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    rolling_update: Option<RollingUpdate>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RollingUpdate {
    max_surge: u32,
}

/// A volume of a Pod: a union without a discriminator, in the elements of a list.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Volume>)]
struct Volume {
    name: String,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    empty_dir: Option<EmptyDir>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    host_path: Option<HostPath>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct EmptyDir {
    medium: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct HostPath {
    path: String,
}

/// The parent of both unions. Its attributes define the patch strategy of each field.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Spec>)]
struct Spec {
    #[union(nested, patch_strategy = "retainKeys")]
    strategy: DeploymentStrategy,
    #[union(nested, patch_strategy = "merge,retainKeys", patch_merge_key = "name")]
    volumes: Vec<Volume>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Object {
    spec: Spec,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = patch_schema::<Object>()?;
    let live = json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "managedFields": [
            {"manager": "deployer", "operation": "Apply", "fieldsV1": {"f:spec": {"f:strategy": {
                "f:type": {}, "f:rollingUpdate": {"f:maxSurge": {}},
            }}}},
            {"manager": "kubectl-edit", "operation": "Update", "fieldsV1": {"f:spec": {"f:volumes": {
                "k:{\"name\":\"cache\"}": {"f:emptyDir": {"f:medium": {}}},
            }}}},
        ]},
        "spec": {
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}},
            "volumes": [
                {"name": "logs", "emptyDir": {"medium": ""}},
                {"name": "cache", "emptyDir": {"medium": "Memory"}},
            ],
        },
    });

    println!("A Deployment's strategy, from RollingUpdate to Recreate");
    show(&schema, &live, &strategy(&live)?);
    println!("A Pod's volume, from emptyDir to hostPath");
    show(&schema, &live, &volume(&live)?);
    Ok(())
}

fn strategy(live: &Value) -> Result<Switch, Box<dyn std::error::Error>> {
    let old: DeploymentStrategy = serde_json::from_value(live["spec"]["strategy"].clone())?;
    let new = DeploymentStrategy {
        r#type: StrategyType::Recreate,
        rolling_update: None,
    };
    Ok(switch(&old, &new)?.field("strategy").field("spec"))
}

fn volume(live: &Value) -> Result<Switch, Box<dyn std::error::Error>> {
    let volumes = &live["spec"]["volumes"];
    let old: Volume = serde_json::from_value(volumes[1].clone())?;
    let new = Volume {
        name: old.name.clone(),
        empty_dir: None,
        host_path: Some(HostPath {
            path: "/var/cache".to_owned(),
        }),
    };
    let in_list = |switch: Switch| -> Result<Switch, SwitchError> {
        switch.element(&[("name", json!(old.name))], volumes)
    };
    Ok(in_list(switch(&old, &new)?)?.field("volumes").field("spec"))
}

fn show(schema: &PatchSchema, live: &Value, switch: &Switch) {
    let merged = merge_patched(live, switch.merge_patch());
    println!("  merge patch      {}", switch.merge_patch());
    println!("    gives          {}", merged["spec"]);

    println!("  strategic patch  {}", switch.strategic_patch());
    match schema.apply(live.clone(), switch.strategic_patch()) {
        Ok(patched) => println!("    gives          {}", patched["spec"]),
        Err(error) => println!("    rejected       {error}"),
    }

    println!("  apply            {}", switch.apply_body(live));
    let remaining = switch.unowned_fields(live, "deployer");
    if remaining.is_empty() {
        println!("    gives          the same object: `deployer` owns all removed fields");
    } else {
        println!("    leaves         {}", remaining.join(", "));
    }
    for owner in switch.field_owners(live, "deployer") {
        println!(
            "    owner          {} ({}), which must give up the field first",
            owner.manager, owner.operation
        );
    }
    println!();
}

/// Applies a JSON merge patch (RFC 7386), as an API server does.
fn merge_patched(target: &Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else {
        return patch.clone();
    };
    let mut result = target.as_object().cloned().unwrap_or_default();
    for (key, value) in patch {
        let old_value = result.remove(key).unwrap_or_default();
        if !value.is_null() {
            result.insert(key.clone(), merge_patched(&old_value, value));
        }
    }
    result.into()
}
