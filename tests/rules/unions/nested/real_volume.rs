//! Tests of volumes: `VolumeSource` inlined in `Volume` inside a pod's `volumes`, and
//! `PersistentVolumeSource` inlined in the spec of a persistent volume.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{Ratchet, Union, needed_one_of, only_one_of};

use crate::unions::nested::answer::{create, update, update_with_ratchet};

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
    let wording = only_one_of(false, members.into_iter());
    answer.assert_error_lines_begin_with(&[format!(
        "spec.volumes[1]: Invalid value: \"{{hostPath, nfs}}\": {wording}: "
    )]);
}

#[test]
fn an_invalid_stored_source_is_tolerated_until_the_volume_changes() {
    let invalid_volume =
        json!({"name": "old", "hostPath": {"path": "/a"}, "nfs": {"server": "s", "path": "/"}});
    let old = pod(&json!([invalid_volume, {"name": "b", "emptyDir": {}}]));
    let new = pod(&json!([{"name": "b", "emptyDir": {"sizeLimit": "1Gi"}}, invalid_volume]));
    update::<Pod>(&old, &new).assert_lines(&[], &[], &["spec.volumes[1]"]);
    let mut volume_with_secret = invalid_volume.clone();
    volume_with_secret["secret"] = json!({"secretName": "s"});
    // `secret` was added, so normalization clears the other members.
    let new = pod(&json!([volume_with_secret]));
    update::<Pod>(&old, &new).assert_lines(
        &[
            "spec.volumes[0].hostPath: cleared",
            "spec.volumes[0].nfs: cleared",
        ],
        &[],
        &[],
    );
    let mut edited_volume = invalid_volume;
    edited_volume["nfs"]["server"] = json!("t");
    let new = pod(&json!([edited_volume]));
    update_with_ratchet::<Pod>(Ratchet::SameReason, &old, &new).assert_lines(
        &[],
        &[],
        &["spec.volumes[0]"],
    );
    update_with_ratchet::<Pod>(Ratchet::Unchanged, &old, &new).assert_lines(
        &[],
        &["spec.volumes[0]"],
        &[],
    );
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
    let volume_with = |sources: Value| {
        let mut volume_with =
            json!({"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"]});
        for (name, source) in sources.as_object().into_iter().flatten() {
            volume_with[name] = source.clone();
        }
        json!({ "spec": volume_with })
    };
    let nfs_volume = volume_with(json!({"nfs": {"server": "s", "path": "/"}}));
    create::<PersistentVolume>(&nfs_volume).assert_lines(&[], &[], &[]);
    let answer_without_source = create::<PersistentVolume>(&volume_with(json!({})));
    answer_without_source.assert_lines(&[], &["spec"], &[]);
    let wording = needed_one_of(["nfs", "hostPath", "local"].into_iter());
    answer_without_source
        .assert_error_lines_begin_with(&[format!("spec: Invalid value: \"\": {wording}: ")]);
    let two_sources =
        volume_with(json!({"nfs": {"server": "s", "path": "/"}, "local": {"path": "/"}}));
    let answer_after_switch = update::<PersistentVolume>(&nfs_volume, &two_sources);
    answer_after_switch.assert_lines(&["spec.nfs: cleared"], &[], &[]);
    assert_eq!(
        answer_after_switch.object,
        volume_with(json!({"local": {"path": "/"}}))
    );
    let answer_after_removal = update::<PersistentVolume>(&nfs_volume, &volume_with(json!({})));
    answer_after_removal.assert_lines(&[], &["spec"], &[]);
    let unchanged_answer =
        update::<PersistentVolume>(&volume_with(json!({})), &volume_with(json!({})));
    unchanged_answer.assert_lines(&[], &[], &["spec"]);
}
