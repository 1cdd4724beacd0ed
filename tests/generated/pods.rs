//! Tests that pods, containers and volumes within objects are the types of k8s-openapi.

use k8s_openapi::api::core::v1::{
    Container, PersistentVolumeClaimSpec, PodTemplateSpec, TopologySpreadConstraint, Volume,
};
use union_tests_generated::types::crew::v1::{Crew, CrewOldClaim};

use crate::objects::sample_objects;

#[test]
fn pods_are_types_of_k8s_openapi() {
    let (_, object) = sample_objects()
        .into_iter()
        .find(|(file, _)| file.ends_with("/valid/crew.yaml"))
        .unwrap();
    let crew: Crew = serde_json::from_value(object).unwrap();
    let template: PodTemplateSpec = crew.spec.template.unwrap();
    let containers: Vec<Container> = template.spec.unwrap().containers;
    assert_eq!(containers[0].name, "main");
    let sidecars: Vec<Container> = crew.spec.sidecars.unwrap();
    assert_eq!(sidecars[0].name, "side");
    let volumes: Vec<Volume> = crew.spec.volumes.unwrap();
    assert!(volumes[0].nfs.is_some());
    let claim: PersistentVolumeClaimSpec = crew.spec.claim.unwrap();
    assert_eq!(claim.storage_class_name.as_deref(), Some("fast"));
    // These fields are from Kubernetes 1.28, in which a claim had other resources.
    let spread: Vec<TopologySpreadConstraint> = crew.spec.old_spread.unwrap();
    assert_eq!(spread[0].max_skew, 1);
    let claim: CrewOldClaim = crew.spec.old_claim.unwrap();
    assert!(claim.resources.is_some());
}
