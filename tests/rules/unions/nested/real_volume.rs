//! Tests of volumes: `VolumeSource` inlined in `Volume` inside a pod's `volumes`, and
//! `PersistentVolumeSource` inlined in the spec of a persistent volume.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{Ratchet, Union, needed_one_of, only_one_of};

use crate::unions::nested::answer::{create, update, update_by};

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<VolumeSource>)]
#[serde(rename_all = "camelCase")]
#[union(all_members)]
struct VolumeSource {
    #[serde(skip_serializing_if = "Option::is_none")]
    host_path: Option<HostPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    empty_dir: Option<EmptyDir>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nfs: Option<Nfs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    persistent_volume_claim: Option<Claim>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct HostPath {
    path: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EmptyDir {
    #[serde(skip_serializing_if = "Option::is_none")]
    size_limit: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Secret {
    secret_name: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Nfs {
    server: String,
    path: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Claim {
    claim_name: String,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Volume>)]
struct Volume {
    #[union(key)]
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: VolumeSource,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<PodSpec>)]
struct PodSpec {
    #[union(nested, list_map_keys("name"))]
    #[serde(default)]
    volumes: Vec<Volume>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[union(nested(spec))]
struct Pod {
    spec: PodSpec,
}

fn pod(volumes: &Value) -> Value {
    json!({"spec": {"volumes": volumes}})
}

#[test]
fn an_added_source_replaces_the_old_source() {
    let old = pod(&json!([
        {"name": "logs", "hostPath": {"path": "/var/log"}},
        {"name": "data", "emptyDir": {}},
    ]));
    // The client does not know the unions of volumes, and sorts the list.
    let new = pod(&json!([
        {"name": "data", "emptyDir": {}, "persistentVolumeClaim": {"claimName": "c"}},
        {"name": "logs", "hostPath": {"path": "/var/log"}},
    ]));
    let answer = update::<Pod>(&old, &new);
    answer.assert_lines(&["spec.volumes[0].emptyDir: cleared"], &[], &[]);
    assert_eq!(
        answer.object["spec"]["volumes"][0],
        json!({"name": "data", "persistentVolumeClaim": {"claimName": "c"}})
    );
}

#[test]
fn a_volume_with_two_new_sources_has_the_message_of_kubernetes() {
    let old = pod(&json!([{"name": "data", "emptyDir": {}}]));
    let new = pod(&json!([
        {"name": "data", "emptyDir": {}},
        {"name": "logs", "hostPath": {"path": "/var/log"}, "nfs": {"server": "s", "path": "/"}},
    ]));
    let answer = update::<Pod>(&old, &new);
    answer.assert_lines(&[], &["spec.volumes[1]"], &[]);
    let members = [
        "hostPath",
        "emptyDir",
        "secret",
        "nfs",
        "persistentVolumeClaim",
    ];
    let only = only_one_of(false, members.into_iter());
    answer.assert_texts_begin_with(&[format!(
        "spec.volumes[1]: Invalid value: \"{{hostPath, nfs}}\": {only}: "
    )]);
}

#[test]
fn an_invalid_stored_source_is_tolerated_until_it_changes() {
    let two =
        json!({"name": "old", "hostPath": {"path": "/a"}, "nfs": {"server": "s", "path": "/"}});
    let old = pod(&json!([two, {"name": "b", "emptyDir": {}}]));
    let new = pod(&json!([{"name": "b", "emptyDir": {"sizeLimit": "1Gi"}}, two]));
    update::<Pod>(&old, &new).assert_lines(&[], &[], &["spec.volumes[1]"]);
    let mut third = two.clone();
    third["secret"] = json!({"secretName": "s"});
    // `secret` was added, so normalization clears the other members.
    let new = pod(&json!([third]));
    update::<Pod>(&old, &new).assert_lines(
        &[
            "spec.volumes[0].hostPath: cleared",
            "spec.volumes[0].nfs: cleared",
        ],
        &[],
        &[],
    );
    let mut edited = two;
    edited["nfs"]["server"] = json!("t");
    let new = pod(&json!([edited]));
    update_by::<Pod>(Ratchet::SameReason, &old, &new).assert_lines(&[], &[], &["spec.volumes[0]"]);
    update_by::<Pod>(Ratchet::Unchanged, &old, &new).assert_lines(&[], &["spec.volumes[0]"], &[]);
}

#[test]
fn a_renamed_volume_is_a_new_volume() {
    let old = pod(&json!([{"name": "data", "emptyDir": {}}]));
    let new = pod(&json!([{"name": "cache", "emptyDir": {}, "hostPath": {"path": "/"}}]));
    update::<Pod>(&old, &new).assert_lines(&[], &["spec.volumes[0]"], &[]);
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<PersistentVolumeSpec>)]
struct PersistentVolumeSpec {
    #[serde(default)]
    capacity: std::collections::BTreeMap<String, String>,
    #[union(inline)]
    #[serde(flatten)]
    source: PersistentVolumeSource,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    access_modes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    storage_class_name: Option<String>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<PersistentVolumeSource>)]
#[union(exactly_one(source))]
struct PersistentVolumeSource {
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    nfs: Option<Nfs>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    host_path: Option<HostPath>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    local: Option<HostPath>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
struct PersistentVolume {
    #[union(nested)]
    spec: PersistentVolumeSpec,
}

#[test]
fn a_persistent_volumes_source_is_flattened_into_its_spec() {
    let spec = |sources: Value| {
        let mut spec = json!({"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"]});
        for (name, source) in sources.as_object().into_iter().flatten() {
            spec[name] = source.clone();
        }
        json!({ "spec": spec })
    };
    let nfs = spec(json!({"nfs": {"server": "s", "path": "/"}}));
    create::<PersistentVolume>(&nfs).assert_lines(&[], &[], &[]);
    let none = create::<PersistentVolume>(&spec(json!({})));
    none.assert_lines(&[], &["spec"], &[]);
    let needed = needed_one_of(["nfs", "hostPath", "local"].into_iter());
    none.assert_texts_begin_with(&[format!("spec: Invalid value: \"\": {needed}: ")]);
    let both = spec(json!({"nfs": {"server": "s", "path": "/"}, "local": {"path": "/"}}));
    let switched = update::<PersistentVolume>(&nfs, &both);
    switched.assert_lines(&["spec.nfs: cleared"], &[], &[]);
    assert_eq!(switched.object, spec(json!({"local": {"path": "/"}})));
    let removed = update::<PersistentVolume>(&nfs, &spec(json!({})));
    removed.assert_lines(&[], &["spec"], &[]);
    let kept = update::<PersistentVolume>(&spec(json!({})), &spec(json!({})));
    kept.assert_lines(&[], &[], &["spec"]);
}
