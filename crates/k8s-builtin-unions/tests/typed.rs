//! Objects of k8s-openapi, serialized to JSON.

use k8s_builtin_unions::find_kind;
use k8s_openapi::Resource;
use k8s_openapi::api::apps::v1::{
    Deployment, DeploymentSpec, DeploymentStrategy, RollingUpdateDeployment,
};
use union_runtime::Settings;

fn deployment(strategy: &str, has_rolling_update: bool) -> Deployment {
    let strategy = DeploymentStrategy {
        type_: Some(strategy.to_owned()),
        rolling_update: has_rolling_update.then(RollingUpdateDeployment::default),
    };
    let spec = DeploymentSpec {
        strategy: Some(strategy),
        ..DeploymentSpec::default()
    };
    Deployment {
        spec,
        ..Deployment::default()
    }
}

#[test]
fn a_typed_object_is_normalized() {
    let kind = find_kind(Deployment::API_VERSION, Deployment::KIND).expect("a built-in kind");
    let unions = kind.compiler().compile().expect("unions");
    let stored = serde_json::to_value(deployment("RollingUpdate", true)).expect("JSON");
    let mut new = serde_json::to_value(deployment("Recreate", true)).expect("JSON");
    assert_eq!(
        unions.validate(&new).to_string(),
        "spec.strategy.rollingUpdate: Invalid value: \"\": may only be specified when `type` is \"RollingUpdate\": \
         `type` is \"Recreate\"; remove `rollingUpdate`, or set `type` to \"RollingUpdate\""
    );
    assert!(
        unions
            .admit(&mut new, Some(&stored), &Settings::default())
            .is_accepted()
    );
    let normalized: Deployment = serde_json::from_value(new).expect("a Deployment");
    assert_eq!(normalized, deployment("Recreate", false));
}

#[test]
fn overlapping_unions_are_normalized() {
    let kind = find_kind("networking.k8s.io/v1", "NetworkPolicy").expect("a built-in kind");
    let unions = kind.compiler().compile().expect("unions");
    let policy =
        |peer: serde_json::Value| serde_json::json!({"spec": {"ingress": [{"from": [peer]}]}});
    let both =
        policy(serde_json::json!({"ipBlock": {}, "podSelector": {}, "namespaceSelector": {}}));
    assert_eq!(unions.validate(&both).errors().len(), 2);
    let selectors = policy(serde_json::json!({"podSelector": {}, "namespaceSelector": {}}));
    assert!(unions.validate(&selectors).is_accepted());
}
