//! Unions of autoscaling/v2: the metrics that a `HorizontalPodAutoscaler` scales by, and their
//! observed values.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::unions::real_types::model::{Absence, Member, Model};
use crate::unions::real_types::states::Sample;

/// The source of a metric.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<MetricSourceType>)]
pub(crate) enum MetricSourceType {
    /// An object of the cluster, such as an Ingress.
    Object,
    /// The average of all pods.
    Pods,
    /// A resource that pods request, such as CPU.
    Resource,
    /// A resource that one container of each pod requests.
    ContainerResource,
    /// A system outside of the cluster.
    External,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// The kind of a target. The enum type is not a discriminator.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<MetricTargetType>)]
pub(crate) enum MetricTargetType {
    Utilization,
    Value,
    AverageValue,
}

/// A metric that the autoscaler scales by.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<MetricSpec>)]
pub(crate) struct MetricSpec {
    /// Which of the sources is meant.
    #[union(discriminator)]
    r#type: MetricSourceType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<ObjectMetricSource>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pods: Option<PodsMetricSource>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<ResourceMetricSource>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    container_resource: Option<ContainerResourceMetricSource>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<ExternalMetricSource>,
}

/// An observed metric.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<MetricStatus>)]
pub(crate) struct MetricStatus {
    /// Which of the sources is meant.
    #[union(discriminator)]
    r#type: MetricSourceType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<ObjectMetricStatus>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pods: Option<PodsMetricStatus>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<ResourceMetricStatus>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    container_resource: Option<ContainerResourceMetricStatus>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<ExternalMetricStatus>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObjectMetricSource {
    described_object: CrossVersionObjectReference,
    target: MetricTarget,
    metric: MetricIdentifier,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PodsMetricSource {
    metric: MetricIdentifier,
    target: MetricTarget,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResourceMetricSource {
    name: String,
    target: MetricTarget,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContainerResourceMetricSource {
    name: String,
    target: MetricTarget,
    container: String,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExternalMetricSource {
    metric: MetricIdentifier,
    target: MetricTarget,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObjectMetricStatus {
    described_object: CrossVersionObjectReference,
    current: MetricValueStatus,
    metric: MetricIdentifier,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PodsMetricStatus {
    metric: MetricIdentifier,
    current: MetricValueStatus,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResourceMetricStatus {
    name: String,
    current: MetricValueStatus,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContainerResourceMetricStatus {
    name: String,
    current: MetricValueStatus,
    container: String,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExternalMetricStatus {
    metric: MetricIdentifier,
    current: MetricValueStatus,
}

/// The value that the autoscaler aims for.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MetricTarget {
    r#type: MetricTargetType,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_utilization: Option<i32>,
}

/// An observed value.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MetricValueStatus {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_utilization: Option<i32>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CrossVersionObjectReference {
    kind: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_version: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MetricIdentifier {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    selector: Option<LabelSelector>,
}

/// The labels of the series that count.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LabelSelector {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    match_labels: BTreeMap<String, String>,
}

const SOURCES: &[&str] = &[
    "Object",
    "Pods",
    "Resource",
    "ContainerResource",
    "External",
];

impl Sample for MetricSpec {
    const MODEL: Model = Model {
        discriminator: "type",
        values: SOURCES,
        members: &[
            member(
                "object",
                "Object",
                r#"{"describedObject": {"kind": "Ingress", "name": "main"}, "metric": {"name": "hits"},
                    "target": {"type": "Value", "value": "10k"}}"#,
            ),
            member(
                "pods",
                "Pods",
                r#"{"metric": {"name": "packets", "selector": {"matchLabels": {"verb": "GET"}}},
                    "target": {"type": "AverageValue", "averageValue": "1k"}}"#,
            ),
            member(
                "resource",
                "Resource",
                r#"{"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}"#,
            ),
            member(
                "containerResource",
                "ContainerResource",
                r#"{"name": "cpu", "container": "app", "target": {"type": "Utilization", "averageUtilization": 60}}"#,
            ),
            member(
                "external",
                "External",
                r#"{"metric": {"name": "queue"}, "target": {"type": "AverageValue", "averageValue": "30"}}"#,
            ),
        ],
        absence: Absence::Unreadable,
        is_lenient: true,
    };
}

impl Sample for MetricStatus {
    const MODEL: Model = Model {
        members: &[
            member(
                "object",
                "Object",
                r#"{"describedObject": {"kind": "Ingress", "name": "main"}, "metric": {"name": "hits"},
                    "current": {"value": "9k"}}"#,
            ),
            member(
                "pods",
                "Pods",
                r#"{"metric": {"name": "packets"}, "current": {"averageValue": "900"}}"#,
            ),
            member(
                "resource",
                "Resource",
                r#"{"name": "cpu", "current": {"averageUtilization": 48}}"#,
            ),
            member(
                "containerResource",
                "ContainerResource",
                r#"{"name": "cpu", "container": "app", "current": {"averageUtilization": 61}}"#,
            ),
            member(
                "external",
                "External",
                r#"{"metric": {"name": "queue"}, "current": {}}"#,
            ),
        ],
        ..MetricSpec::MODEL
    };
}

const fn member(field: &'static str, value: &'static str, json: &'static str) -> Member {
    Member {
        field,
        value,
        optional: false,
        json,
    }
}
