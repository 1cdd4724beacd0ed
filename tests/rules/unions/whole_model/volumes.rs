//! Tests of `VolumeSource` (core/v1), a union with thirty members and without a discriminator.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use union_runtime::path::FieldPath;
use union_runtime::spec::{MemberSpec, UnionType as _};
use union_runtime::{Report, Settings, Union, only_one_of, schema_for};

use crate::unions::whole_model::states::{as_json, read};

/// A member of `VolumeSource`. The tests do not depend on the fields of a source.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
struct Source {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

macro_rules! volume_source {
    ($($(#[union($($union:tt)*)])? $(#[serde($($serde:tt)*)])? $member:ident)*) => {
        /// The source of a volume: at most one member.
        #[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
        #[serde(rename_all = "camelCase")]
        #[union(all_members)]
        #[schemars(transform = union_runtime::add_unions::<VolumeSource>)]
        struct VolumeSource {
            $(
                $(#[union($($union)*)])?
                $(#[serde($($serde)*)])?
                #[serde(skip_serializing_if = "Option::is_none")]
                $member: Option<Source>,
            )*
        }
    };
}

volume_source! {
    host_path
    empty_dir
    #[union(member = "GCEPersistentDisk")]
    gce_persistent_disk
    #[union(member = "AWSElasticBlockStore")]
    aws_elastic_block_store
    git_repo
    secret
    #[union(member = "NFS")]
    nfs
    #[union(member = "ISCSI")]
    iscsi
    glusterfs
    persistent_volume_claim
    #[union(member = "RBD")]
    rbd
    flex_volume
    cinder
    #[union(member = "CephFS")]
    cephfs
    flocker
    #[union(member = "DownwardAPI")]
    #[serde(rename = "downwardAPI")]
    downward_api
    #[union(member = "FC")]
    fc
    azure_file
    config_map
    vsphere_volume
    quobyte
    azure_disk
    photon_persistent_disk
    projected
    portworx_volume
    #[union(member = "ScaleIO")]
    #[serde(rename = "scaleIO")]
    scale_io
    #[union(member = "StorageOS")]
    storageos
    #[union(member = "CSI")]
    csi
    ephemeral
    image
}

fn members() -> Vec<&'static str> {
    let [union] = VolumeSource::unions() else {
        panic!("expected one union");
    };
    union.members().map(MemberSpec::name).collect()
}

/// Returns a volume with the given sources.
fn volume_with(set: &[&str]) -> Value {
    let fields = set.iter().map(|field| ((*field).to_owned(), json!({})));
    fields.collect::<Map<String, Value>>().into()
}

/// Checks the number of members. Their names were compared with `Volume` (core/v1) in k8s-openapi
/// 0.29.
#[test]
fn volume_source_has_the_thirty_members_of_the_api() {
    assert_eq!(members().len(), 30);
}

#[test]
fn the_schema_lists_all_members_with_the_names_of_the_go_fields() {
    let schema = schema_for::<VolumeSource>();
    let [union] = schema.as_value()["x-kubernetes-unions"]
        .as_array()
        .expect("a list")
        .as_slice()
    else {
        panic!("expected one union");
    };
    assert_eq!(union.get("discriminator"), None);
    let fields = union["fields-to-discriminateBy"]
        .as_object()
        .expect("a map");
    assert_eq!(fields.len(), 30);
    for (field, value) in fields {
        let value = value.as_str().expect("a string");
        assert!(
            field.eq_ignore_ascii_case(value) && value.starts_with(char::is_uppercase),
            "{value}"
        );
    }
    assert_eq!(fields["awsElasticBlockStore"], "AWSElasticBlockStore");
    assert_eq!(fields["emptyDir"], "EmptyDir");
}

#[test]
fn any_source_replaces_any_other() {
    for old_member in members() {
        for new_member in members()
            .into_iter()
            .filter(|new_member| *new_member != old_member)
        {
            let old: VolumeSource = read(volume_with(&[old_member]));
            let mut new: VolumeSource = read(volume_with(&[old_member, new_member]));
            let report = new.admit_unions(Some(&old), &Settings::default());
            assert!(report.is_accepted(), "the intent is clear");
            assert_eq!(report.changes().cleared().collect::<Vec<_>>(), [old_member]);
            assert_eq!(report.changes().len(), 1);
            assert_eq!(as_json(&new), volume_with(&[new_member]));
        }
    }
}

#[test]
fn a_volume_with_any_source_or_without_a_source_can_be_created() {
    for member in members() {
        let mut volume: VolumeSource = read(volume_with(&[member]));
        let report = volume.admit_unions(None, &Settings::default());
        assert!(report.is_accepted(), "the object is valid");
        assert!(report.changes().is_empty());
        assert_eq!(as_json(&volume), volume_with(&[member]));
    }
    assert_eq!(
        read::<VolumeSource>(json!({})).validate_unions(),
        Report::default()
    );
}

#[test]
fn two_sources_cannot_be_created() {
    let mut volume: VolumeSource = read(volume_with(&["secret", "image"]));
    let report = volume.admit_unions(None, &Settings::default());
    assert!(!report.is_accepted(), "which one?");
    let line = report
        .under(FieldPath::from(["spec", "volumes"]).index(0))
        .to_string();
    let members_of_union = members();
    let wording = only_one_of(false, members_of_union.iter().map(AsRef::as_ref));
    let line_start = format!("spec.volumes[0]: Invalid value: \"{{secret, image}}\": {wording}: ");
    assert!(line.starts_with(&line_start), "{line}");
    assert_eq!(
        as_json(&volume),
        volume_with(&["secret", "image"]),
        "no field is lost"
    );
}

#[test]
fn stored_sources_can_be_kept_or_reduced() {
    let old: VolumeSource = read(volume_with(&["secret", "image", "csi"]));
    for set in [vec!["secret", "image", "csi"], vec!["image", "csi"]] {
        let mut new: VolumeSource = read(volume_with(&set));
        let report = new.admit_unions(Some(&old), &Settings::default());
        assert!(report.is_accepted(), "the error is not new");
        assert_eq!((report.tolerated().len(), report.changes().len()), (1, 0));
        assert_eq!(as_json(&new), volume_with(&set));
    }
    let mut new: VolumeSource = read(volume_with(&["secret", "image", "nfs"]));
    let report = new.admit_unions(Some(&old), &Settings::default());
    assert!(report.is_accepted(), "one member was added");
    assert_eq!(
        report.changes().to_string(),
        "secret: cleared\nimage: cleared"
    );
    assert_eq!(as_json(&new), volume_with(&["nfs"]));
}

#[test]
fn an_edit_inside_a_source_changes_nothing_else() {
    let old: VolumeSource = read(json!({"hostPath": {"path": "/a"}}));
    let mut new: VolumeSource = read(json!({"hostPath": {"path": "/b"}}));
    let report = new.admit_unions(Some(&old), &Settings::default());
    assert!(report.is_accepted(), "the object is valid");
    assert!(report.changes().is_empty());
    assert_eq!(as_json(&new), json!({"hostPath": {"path": "/b"}}));
}

/// A volume of a pod: a name, and the flattened source.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Volume>)]
struct Volume {
    #[union(key)]
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: VolumeSource,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<PodSpec>)]
struct PodSpec {
    #[union(nested, list_map_keys("name"))]
    volumes: Vec<Volume>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
struct Pod {
    #[union(nested)]
    spec: PodSpec,
}

/// Checks, for each pair of the thirty members, a client that knows only the new member: the client
/// sets that member on a volume, and moves the volume in the list.
#[test]
fn in_a_pod_any_source_replaces_any_other_of_its_volume() {
    for old_member in members() {
        for new_member in members()
            .into_iter()
            .filter(|new_member| *new_member != old_member)
        {
            let pod = |volumes: Value| read::<Pod>(json!({ "spec": { "volumes": volumes } }));
            let named_volume = |name: &str, set: &[&str]| {
                let mut volume = volume_with(set);
                volume["name"] = name.into();
                volume
            };
            let old = pod(json!([
                named_volume("a", &[old_member]),
                named_volume("b", &[old_member])
            ]));
            let mut new = pod(json!([
                named_volume("b", &[old_member]),
                named_volume("a", &[old_member, new_member])
            ]));
            let report = new.admit_unions(Some(&old), &Settings::default());
            assert!(report.is_accepted(), "one member was added");
            let cleared = format!("spec.volumes[1].{old_member}: cleared");
            assert_eq!(report.changes().to_string(), cleared);
            assert_eq!(
                as_json(&new)["spec"]["volumes"],
                json!([
                    named_volume("b", &[old_member]),
                    named_volume("a", &[new_member])
                ])
            );
        }
    }
}

#[test]
fn in_a_pod_two_sources_of_a_new_volume_are_rejected_at_its_path() {
    let volumes = json!([{ "name": "a", "csi": {} }, { "name": "b", "csi": {}, "nfs": {} }]);
    let pod: Pod = read(json!({ "spec": { "volumes": volumes } }));
    let report = pod.validate_unions().to_string();
    let expected_start = "spec.volumes[1]: Invalid value: \"{nfs, csi}\": ";
    assert!(report.starts_with(expected_start), "{report}");
}
