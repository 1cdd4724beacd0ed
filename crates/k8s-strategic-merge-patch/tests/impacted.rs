//! Tests of the impacted types of the proposal's appendix, as Rust types: their schemas, and
//! patches of their objects.

use k8s_strategic_merge_patch::{OnConflict, PatchSchema, patch_schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Union, schema_for};

/// Defines a struct that may contain unions of other structs.
macro_rules! object {
    ($(#[$attr:meta])* $name:ident { $($(#[$field_attr:meta])* $field:ident: $ty:ty),* $(,)? }) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(transform = union_runtime::add_unions::<$name>)]
        $(#[$attr])*
        struct $name { $($(#[$field_attr])* $field: $ty,)* }
    };
}

/// Defines a union without a discriminator. Only the names of its members matter in these tests.
macro_rules! source {
    ($name:ident { $($member:ident $(($alone:ident))?),* $(,)? }) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema, Default)]
        #[serde(rename_all = "camelCase")]
        #[schemars(transform = union_runtime::add_unions::<$name>)]
        struct $name {
            $(
                #[union(member, group = source $(, $alone)?)]
                #[serde(skip_serializing_if = "Option::is_none")]
                $member: Option<Details>,
            )*
        }
    };
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

// VolumeSource is inlined, and its parent is an element with a merge key. So the list has the
// strategy.
source!(VolumeSource {
    empty_dir,
    host_path,
    secret,
});
object!(Volume {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: VolumeSource,
});
object!(PodSpec {
    #[union(nested, patch_strategy = "merge|retainKeys", patch_merge_key = "name")]
    volumes: Vec<Volume>,
});

// PersistentVolumeSource is inlined, and its parent is not an element. Such unions are not
// supported.
source!(PersistentVolumeSource { host_path, nfs });
object!(PersistentVolumeSpec {
    #[union(inline)]
    #[serde(flatten)]
    source: PersistentVolumeSource,
    access_modes: Vec<String>,
});
object!(PersistentVolume {
    #[union(nested, patch_strategy = "merge")]
    spec: PersistentVolumeSpec,
});

// Handler is inlined in Probe, which is not an element either.
source!(Handler {
    exec,
    http_get,
    tcp_socket,
});
object!(Probe {
    #[union(inline)]
    #[serde(flatten)]
    handler: Handler,
    period_seconds: i32,
});

// ContainerState is not inlined.
source!(ContainerState {
    waiting,
    running,
    terminated,
});
object!(ContainerStatus {
    #[union(nested, patch_strategy = "retainKeys")]
    state: ContainerState,
});

// PodSignature has only one member today.
source!(PodSignature {
    pod_controller(alone)
});
object!(PreferAvoidPodsEntry {
    #[union(nested, patch_strategy = "retainKeys")]
    pod_signature: Option<PodSignature>,
});

// SubjectAccessReviewSpec has members beside other fields, as if a union were inlined.
object!(#[union(exactly_one)] SubjectAccessReviewSpec {
    #[union(member, group = attributes)]
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_attributes: Option<Details>,
    #[union(member, group = attributes)]
    #[serde(skip_serializing_if = "Option::is_none")]
    non_resource_attributes: Option<Details>,
    user: String,
});
object!(SubjectAccessReview {
    #[union(nested)]
    spec: SubjectAccessReviewSpec,
});

// SelfSubjectAccessReviewSpec is not inlined.
source!(SelfSubjectAccessReviewSpec {
    resource_attributes,
    non_resource_attributes,
});
object!(SelfSubjectAccessReview {
    #[union(nested, patch_strategy = "retainKeys")]
    spec: SelfSubjectAccessReviewSpec,
});

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum DeploymentStrategyType {
    Recreate,
    RollingUpdate,
}

// DeploymentStrategy is not inlined, and has a discriminator.
object!(DeploymentStrategy {
    #[union(discriminator)]
    r#type: DeploymentStrategyType,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    rolling_update: Option<Details>,
});
object!(DeploymentSpec {
    #[union(nested, patch_strategy = "retainKeys")]
    strategy: DeploymentStrategy,
});

// NetworkPolicyPeer is not inlined, but is an element without a merge key. Lists of such elements
// are replaced.
source!(NetworkPolicyPeer {
    pod_selector,
    namespace_selector,
});
object!(NetworkPolicyIngressRule {
    #[union(nested)]
    from: Vec<NetworkPolicyPeer>,
});

// IngressRuleValue is inlined, and its parent does not have a merge key.
source!(IngressRuleValue { http(alone) });
object!(IngressRule {
    host: String,
    #[union(inline)]
    #[serde(flatten)]
    value: IngressRuleValue,
});

fn patch_keywords<T: JsonSchema>(field: &str) -> [Value; 2] {
    let schema = schema_for::<T>();
    let property = &schema.as_value()["properties"][field];
    [
        "x-kubernetes-patch-strategy",
        "x-kubernetes-patch-merge-key",
    ]
    .map(|key| property[key].clone())
}

#[test]
fn schemas_have_the_patch_keywords_of_unions() {
    let retain_keys = [json!("retainKeys"), json!(null)];
    assert_eq!(
        patch_keywords::<PodSpec>("volumes"),
        [json!("merge,retainKeys"), json!("name")]
    );
    assert_eq!(patch_keywords::<ContainerStatus>("state"), retain_keys);
    assert_eq!(
        patch_keywords::<PreferAvoidPodsEntry>("podSignature"),
        retain_keys
    );
    assert_eq!(
        patch_keywords::<SelfSubjectAccessReview>("spec"),
        retain_keys
    );
    assert_eq!(patch_keywords::<DeploymentSpec>("strategy"), retain_keys);
    let nothing = [json!(null), json!(null)];
    assert_eq!(patch_keywords::<NetworkPolicyIngressRule>("from"), nothing);
    assert_eq!(patch_keywords::<SubjectAccessReview>("spec"), nothing);
    assert_eq!(
        patch_keywords::<PersistentVolume>("spec"),
        [json!("merge"), json!(null)]
    );
    for schema in [
        schema_for::<Probe>(),
        schema_for::<IngressRule>(),
        schema_for::<PersistentVolumeSpec>(),
    ] {
        assert!(!schema.as_value().to_string().contains("x-kubernetes-patch"));
    }
}

fn compile<T: JsonSchema>() -> PatchSchema {
    patch_schema::<T>().expect("the schema of a derived type is well formed")
}

/// Returns the object after a client that does not know the old member switches to another member.
fn switch_unaware<T: JsonSchema>(live: Value, wanted: &Value) -> Value {
    let schema = compile::<T>();
    let patch = schema
        .three_way(&json!({}), wanted, &live, OnConflict::Overwrite)
        .unwrap();
    schema.apply(live, &patch).unwrap()
}

#[test]
fn an_unaware_client_clears_the_old_member_of_supported_unions() {
    let wanted = json!({"volumes": [{"name": "v", "hostPath": {"path": "/x"}}]});
    let live = json!({"volumes": [{"name": "v", "secret": {"path": "y"}}]});
    assert_eq!(switch_unaware::<PodSpec>(live, &wanted), wanted);
    let wanted = json!({"state": {"terminated": {"path": "x"}}});
    let live = json!({"state": {"running": {}}});
    assert_eq!(switch_unaware::<ContainerStatus>(live, &wanted), wanted);
    let wanted = json!({"spec": {"resourceAttributes": {}}});
    let live = json!({"spec": {"nonResourceAttributes": {"path": "x"}}});
    assert_eq!(
        switch_unaware::<SelfSubjectAccessReview>(live, &wanted),
        wanted
    );
    let wanted = json!({"strategy": {"type": "Recreate"}});
    let live = json!({"strategy": {"type": "RollingUpdate", "rollingUpdate": {}}});
    assert_eq!(switch_unaware::<DeploymentSpec>(live, &wanted), wanted);
    // An `Option` is patched like the type in it.
    let wanted = json!({"podSignature": {"podController": {"path": "x"}}});
    let live = json!({"podSignature": {"newer": {}}});
    assert_eq!(
        switch_unaware::<PreferAvoidPodsEntry>(live, &wanted),
        wanted
    );
    let wanted = json!({"from": [{"podSelector": {}}]});
    let live = json!({"from": [{"namespaceSelector": {}}]});
    assert_eq!(
        switch_unaware::<NetworkPolicyIngressRule>(live, &wanted),
        wanted
    );
}

#[test]
fn unsupported_unions_keep_the_old_member() {
    let wanted = json!({"spec": {"nfs": {}, "accessModes": []}});
    let live = json!({"spec": {"hostPath": {}, "accessModes": []}});
    let spec_with_both_members = json!({"spec": {"nfs": {}, "hostPath": {}, "accessModes": []}});
    assert_eq!(
        switch_unaware::<PersistentVolume>(live, &wanted),
        spec_with_both_members
    );
    let wanted = json!({"spec": {"resourceAttributes": {}, "user": "x"}});
    let live = json!({"spec": {"nonResourceAttributes": {}, "user": "x"}});
    let result = switch_unaware::<SubjectAccessReview>(live, &wanted);
    assert!(result["spec"]["nonResourceAttributes"].is_object());
}

// The struct contains itself, a merged list of scalars, and a merged list whose elements are
// scalars only after serialization.
object!(Node {
    #[union(patch_strategy = "merge")]
    finalizers: Vec<String>,
    #[union(patch_strategy = "merge", patch_merge_key = "")]
    ports: Vec<IntOrString>,
    #[union(nested, patch_strategy = "merge", patch_merge_key = "name")]
    children: Option<Vec<Node>>,
    #[union(patch_strategy = "replace")]
    raw: Option<Value>,
    name: String,
});

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum IntOrString {
    Int(i32),
    String(String),
}

#[test]
fn objects_of_a_recursive_struct_are_patched_at_each_level() {
    let schema = compile::<Node>();
    let node =
        |name: &str, children: Value| json!({"name": name, "finalizers": [], "children": children});
    let original = node("a", json!([node("b", json!([node("c", json!([]))]))]));
    let modified = node(
        "a",
        json!([node("b", json!([node("c", json!([node("d", json!([]))]))]))]),
    );
    let patch = schema.diff(&original, &modified).unwrap();
    assert_eq!(schema.apply(original, &patch).unwrap(), modified);
    let inserted_name = patch.pointer("/children/0/children/0/children/0/name");
    assert_eq!(inserted_name, Some(&json!("d")));
    let patch = schema.diff(
        &json!({"finalizers": ["x"], "ports": [1]}),
        &json!({"finalizers": ["y"], "ports": [2]}),
    );
    assert_eq!(
        patch.unwrap()["$deleteFromPrimitiveList/finalizers"],
        json!(["x"])
    );
}
