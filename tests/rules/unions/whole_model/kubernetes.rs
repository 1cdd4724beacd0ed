//! Tests of unions of the Kubernetes API that have no discriminator, or a discriminator that
//! follows the members.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Settings, Union, schema_for};

use crate::unions::whole_model::states::{as_json, read};

pub(crate) type Fields = serde_json::Map<String, Value>;

/// The spec of an access review (authorization.k8s.io/v1): "Exactly one of nonResourceAttributes
/// and resourceAttributes must be set".
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[union(exactly_one(attributes))]
#[schemars(transform = union_runtime::add_unions::<SubjectAccessReviewSpec>)]
struct SubjectAccessReviewSpec {
    #[union(member, group = attributes)]
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_attributes: Option<Fields>,
    #[union(member, group = attributes)]
    #[serde(skip_serializing_if = "Option::is_none")]
    non_resource_attributes: Option<Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    groups: Vec<String>,
}

/// The spec of a review of the requester's own access (authorization.k8s.io/v1): the same union
/// without other fields.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[union(all_members, exactly_one)]
#[schemars(transform = union_runtime::add_unions::<SelfSubjectAccessReviewSpec>)]
struct SelfSubjectAccessReviewSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_attributes: Option<Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    non_resource_attributes: Option<Fields>,
}

/// The peer of a network policy (networking.k8s.io/v1): a block of addresses or a selector of pods.
/// A union cannot express the rest of the API's rule.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<NetworkPolicyPeer>)]
struct NetworkPolicyPeer {
    #[union(member, group = peer)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pod_selector: Option<Fields>,
    /// Is allowed beside `podSelector`, so the field is not a member. A separate rule forbids the
    /// field beside `ipBlock`.
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace_selector: Option<Fields>,
    #[union(member = "IPBlock", group = peer)]
    #[serde(skip_serializing_if = "Option::is_none")]
    ip_block: Option<Fields>,
}

/// The value of an ingress rule (networking.k8s.io/v1): a union with one member, which may gain
/// more members.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[union(all_members)]
#[schemars(transform = union_runtime::add_unions::<IngressRuleValue>)]
struct IngressRuleValue {
    #[union(member = "HTTP")]
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<Fields>,
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_enum::<MetricSourceType>)]
enum MetricSourceType {
    Object,
    Pods,
    Resource,
    ContainerResource,
    External,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// The spec of a metric (autoscaling/v2), with a discriminator that was added later and is
/// optional.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[union(all_members)]
#[schemars(transform = union_runtime::add_unions::<MetricSpec>)]
struct MetricSpec {
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<MetricSourceType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pods: Option<Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    container_resource: Option<Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<Fields>,
}

/// The result of a request.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The normalized object, and the changes.
    Accepted(Value, String),
    /// The lines of the errors, without the message after the value.
    Rejected(String),
}

/// Sends an update from `old` to `new`. A null `old` makes the request a create.
pub(crate) fn request<T>(old: &Value, new: &Value) -> Outcome
where
    T: Union + Serialize + for<'de> Deserialize<'de>,
{
    let old: Option<T> = Some(old)
        .filter(|old| !old.is_null())
        .map(|old| read(old.clone()));
    let mut new: T = read(new.clone());
    let report = new.admit_unions(old.as_ref(), &Settings::default());
    if report.is_accepted() {
        assert!(
            report.tolerated().is_empty(),
            "the old object has no errors"
        );
        return Outcome::Accepted(as_json(&new), report.changes().to_string());
    }
    let lines = report.errors().iter().map(|violation| {
        let line = violation.to_string();
        let without_detail = line.strip_suffix(violation.detail());
        without_detail
            .unwrap_or(&line)
            .trim_end_matches(": ")
            .to_owned()
    });
    Outcome::Rejected(lines.collect::<Vec<_>>().join("\n"))
}

pub(crate) fn accepted(object: Value, changes: &str) -> Outcome {
    Outcome::Accepted(object, changes.to_owned())
}

pub(crate) fn rejected(line: impl Into<String>) -> Outcome {
    Outcome::Rejected(line.into())
}

/// Returns the unions that the schema of a type lists.
pub(crate) fn listed_unions<T: JsonSchema>() -> Value {
    schema_for::<T>().as_value()["x-kubernetes-unions"].clone()
}

#[test]
fn a_review_of_own_access_has_exactly_one_kind_of_attributes() {
    let request = request::<SelfSubjectAccessReviewSpec>;
    let resource = json!({"resourceAttributes": {"verb": "get"}});
    let non_resource = json!({"nonResourceAttributes": {"path": "/"}});
    assert_eq!(
        request(&Value::Null, &resource),
        accepted(resource.clone(), "")
    );
    let mut with_both = non_resource.clone();
    with_both["resourceAttributes"] = resource["resourceAttributes"].clone();
    assert_eq!(
        request(&resource, &with_both),
        accepted(non_resource, "resourceAttributes: cleared")
    );
    let line = r#"<nil>: Invalid value: """#;
    assert_eq!(request(&resource, &json!({})), rejected(line));
}

#[test]
fn a_review_has_exactly_one_kind_of_attributes() {
    let request = request::<SubjectAccessReviewSpec>;
    let resource = json!({"user": "u", "groups": ["g"], "resourceAttributes": {"verb": "get"}});
    let non_resource =
        json!({"user": "u", "groups": ["g"], "nonResourceAttributes": {"path": "/"}});
    for valid in [&resource, &non_resource] {
        assert_eq!(request(&Value::Null, valid), accepted(valid.clone(), ""));
    }
    assert_eq!(
        request(&resource, &non_resource),
        accepted(non_resource.clone(), "")
    );
    let mut with_both = resource.clone();
    with_both["nonResourceAttributes"] = non_resource["nonResourceAttributes"].clone();
    assert_eq!(
        request(&resource, &with_both),
        accepted(non_resource, "resourceAttributes: cleared")
    );
    let line = r#"<nil>: Invalid value: "{resourceAttributes, nonResourceAttributes}""#;
    assert_eq!(request(&Value::Null, &with_both), rejected(line));
    let line = r#"<nil>: Invalid value: """#;
    assert_eq!(request(&resource, &json!({"user": "u"})), rejected(line));
}

#[test]
fn a_peer_is_a_block_of_addresses_or_pods() {
    let request = request::<NetworkPolicyPeer>;
    let pods = json!({"podSelector": {}, "namespaceSelector": {}});
    assert_eq!(
        request(&Value::Null, &pods),
        accepted(pods.clone(), ""),
        "the two go together"
    );
    let with_both = json!({"podSelector": {}, "ipBlock": {"cidr": "10.0.0.0/8"}});
    let block = json!({"ipBlock": {"cidr": "10.0.0.0/8"}});
    assert_eq!(
        request(&json!({"podSelector": {}}), &with_both),
        accepted(block, "podSelector: cleared")
    );
    let fields = json!({"podSelector": "PodSelector", "ipBlock": "IPBlock"});
    assert_eq!(
        listed_unions::<NetworkPolicyPeer>(),
        json!([{"fields-to-discriminateBy": fields}])
    );
}

#[test]
fn a_rule_of_an_ingress_has_one_member_or_none() {
    let request = request::<IngressRuleValue>;
    for object in [json!({}), json!({"http": {"paths": []}})] {
        for old in [Value::Null, json!({}), json!({"http": {}})] {
            assert_eq!(request(&old, &object), accepted(object.clone(), ""));
        }
    }
    assert_eq!(
        listed_unions::<IngressRuleValue>(),
        json!([{"fields-to-discriminateBy": {"http": "HTTP"}}])
    );
}

#[test]
fn a_metric_gets_its_type_from_its_source() {
    let request = request::<MetricSpec>;
    let pods = json!({"type": "Pods", "pods": {}});
    assert_eq!(
        request(&Value::Null, &json!({"pods": {}})),
        accepted(pods.clone(), "type: set")
    );
    let new = json!({"type": "Pods", "pods": {}, "containerResource": {}});
    let container = json!({"type": "ContainerResource", "containerResource": {}});
    assert_eq!(
        request(&pods, &new),
        accepted(container, "pods: cleared\ntype: set")
    );
    let new = json!({"type": "External", "pods": {}, "external": {}});
    let external = json!({"type": "External", "external": {}});
    assert_eq!(request(&pods, &new), accepted(external, "pods: cleared"));
    let new = json!({"type": "Pods", "pods": {}, "object": {}, "external": {}});
    let lines = [
        r#"object: Invalid value: """#,
        r#"external: Invalid value: """#,
    ];
    assert_eq!(
        request(&pods, &new),
        rejected(lines.join("\n")),
        "two were added"
    );
    let new = json!({"type": "Cloud", "pods": {}});
    let line = r#"type: Unsupported value: "Cloud""#;
    assert_eq!(request(&pods, &new), rejected(line));
}
