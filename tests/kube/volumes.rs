//! Tests of the volumes of pods as an enum, compared with k8s-openapi's struct of 30 `Option`s.

use k8s_openapi::api::core::v1;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use union_runtime::{RawUnion, RawUnionReason, Union, UnionEnum};

/// The source of a volume. Each variant has the name of its type, and all field names but two
/// follow from the variant.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(undiscriminated, schema = false, flattened = "own_fields")]
#[expect(clippy::upper_case_acronyms, reason = "Kubernetes uses these names")]
enum VolumeSource {
    AWSElasticBlockStore(v1::AWSElasticBlockStoreVolumeSource),
    AzureDisk(v1::AzureDiskVolumeSource),
    AzureFile(v1::AzureFileVolumeSource),
    #[union(field = "cephfs")]
    CephFS(v1::CephFSVolumeSource),
    Cinder(v1::CinderVolumeSource),
    ConfigMap(v1::ConfigMapVolumeSource),
    CSI(v1::CSIVolumeSource),
    DownwardAPI(v1::DownwardAPIVolumeSource),
    EmptyDir(v1::EmptyDirVolumeSource),
    Ephemeral(Box<v1::EphemeralVolumeSource>),
    FC(v1::FCVolumeSource),
    FlexVolume(v1::FlexVolumeSource),
    Flocker(v1::FlockerVolumeSource),
    GCEPersistentDisk(v1::GCEPersistentDiskVolumeSource),
    GitRepo(v1::GitRepoVolumeSource),
    Glusterfs(v1::GlusterfsVolumeSource),
    HostPath(v1::HostPathVolumeSource),
    Image(v1::ImageVolumeSource),
    ISCSI(Box<v1::ISCSIVolumeSource>),
    NFS(v1::NFSVolumeSource),
    PersistentVolumeClaim(v1::PersistentVolumeClaimVolumeSource),
    PhotonPersistentDisk(v1::PhotonPersistentDiskVolumeSource),
    PortworxVolume(v1::PortworxVolumeSource),
    Projected(v1::ProjectedVolumeSource),
    Quobyte(v1::QuobyteVolumeSource),
    RBD(Box<v1::RBDVolumeSource>),
    ScaleIO(Box<v1::ScaleIOVolumeSource>),
    Secret(v1::SecretVolumeSource),
    #[union(field = "storageos")]
    StorageOS(v1::StorageOSVolumeSource),
    VsphereVolume(v1::VsphereVirtualDiskVolumeSource),
    #[union(other)]
    Other(RawUnion),
}

/// A volume, whose enum is flattened beside the name.
#[derive(Union, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[union(schema = false)]
struct Volume {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: VolumeSource,
    #[union(unknown)]
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// The fields of k8s-openapi's struct but `name`. A variant reads each of them.
const FIELDS: [&str; 30] = [
    "awsElasticBlockStore",
    "azureDisk",
    "azureFile",
    "cephfs",
    "cinder",
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "fc",
    "flexVolume",
    "flocker",
    "gcePersistentDisk",
    "gitRepo",
    "glusterfs",
    "hostPath",
    "image",
    "iscsi",
    "nfs",
    "persistentVolumeClaim",
    "photonPersistentDisk",
    "portworxVolume",
    "projected",
    "quobyte",
    "rbd",
    "scaleIO",
    "secret",
    "storageos",
    "vsphereVolume",
];

fn parse_volume(volume: &Value) -> Volume {
    serde_json::from_value(volume.clone()).expect("a readable value")
}

#[test]
fn every_source_is_a_variant_and_is_written_as_k8s_openapi_does() {
    for field in FIELDS {
        let volume_json = json!({"name": "v", field: {}});
        let k8s_volume: v1::Volume =
            serde_json::from_value(volume_json.clone()).expect("a readable value");
        let expected_json = serde_json::to_value(k8s_volume).expect("a serializable value");
        assert!(expected_json.get(field).is_some(), "{field} is not a field");
        let volume = parse_volume(&volume_json);
        assert!(volume.source.raw().is_none(), "{field}: {volume:?}");
        assert!(volume.rest.is_empty(), "{field}: {volume:?}");
        let serialized = serde_json::to_value(&volume).expect("a serializable value");
        assert_eq!(serialized, expected_json);
    }
}

#[test]
fn an_unknown_source_is_kept() {
    let volume_json = json!({"name": "v", "podCertificate": {"signerName": "row.example.com", "maxExpirationSeconds": 3600}});
    let volume = parse_volume(&volume_json);
    // A flattened enum receives only its own fields.
    let raw = volume.source.raw().expect("an unknown value");
    assert_eq!(raw.reason(), RawUnionReason::Invalid);
    assert_eq!(
        serde_json::to_value(&volume).expect("a serializable value"),
        volume_json
    );
}

#[test]
fn two_sources_are_rejected_and_kept() {
    let volume_json = json!({"name": "v", "emptyDir": {}, "secret": {"secretName": "s"}});
    let volume = parse_volume(&volume_json);
    assert!(
        !volume.validate_unions().is_accepted(),
        "two members are set"
    );
    assert_eq!(
        serde_json::to_value(&volume).expect("a serializable value"),
        volume_json
    );
}
