//! Unions of autoscaling/v2: what a HorizontalPodAutoscaler scales by, and what it saw.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::oracle::{Absence, Member, Model};
use crate::world::Sample;

/// Where a metric comes from.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<MetricSourceType>)]
pub(crate) enum MetricSourceType {
    /// An object of the cluster, such as an Ingress.
    Object,
    /// Every pod, averaged.
    Pods,
    /// What pods request of CPU and the like.
    Resource,
    /// What one container in every pod requests.
    ContainerResource,
    /// A system outside of the cluster.
    External,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A metric to scale by.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<MetricSpec>)]
pub(crate) struct MetricSpec {
    /// Which of the sources is used.
    #[union(discriminator)]
    r#type: MetricSourceType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<ObjectMetric<MetricTarget>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pods: Option<NamedMetric<MetricTarget>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<ResourceMetricSource>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    container_resource: Option<ContainerResourceMetricSource>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<NamedMetric<MetricTarget>>,
}
