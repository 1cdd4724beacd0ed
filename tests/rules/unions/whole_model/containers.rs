//! Tests of the unions of core/v1 in containers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{Union, needed_one_of};

use crate::unions::whole_model::kubernetes::{Fields, accepted, listed_unions, rejected, request};
use crate::unions::whole_model::states::read;

/// The state of a container (core/v1): at most one member. An object without a member means that
/// the container waits.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[union(all_members)]
#[schemars(transform = union_runtime::add_unions::<ContainerState>)]
struct ContainerState {
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    running: Option<Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terminated: Option<Fields>,
}

/// An environment variable (core/v1): the example in the 2019 text of a union "directly in
/// structures".
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<EnvVar>)]
struct EnvVar {
    name: String,
    #[union(member, group = value)]
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[union(member, group = value, nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    value_from: Option<EnvVarSource>,
}

/// The source of an environment variable's value (core/v1): exactly one member.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[union(all_members, exactly_one)]
#[expect(clippy::struct_field_names, reason = "Kubernetes uses these names")]
#[schemars(transform = union_runtime::add_unions::<EnvVarSource>)]
struct EnvVarSource {
    #[serde(skip_serializing_if = "Option::is_none")]
    field_ref: Option<Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_field_ref: Option<Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    config_map_key_ref: Option<Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_key_ref: Option<Fields>,
}

#[test]
fn a_container_may_change_from_every_state_to_every_other() {
    let request = request::<ContainerState>;
    let states = ["waiting", "running", "terminated"];
    for old_state in states {
        for new_state in states
            .into_iter()
            .filter(|new_state| *new_state != old_state)
        {
            let (old, new) = (
                json!({old_state: {}}),
                json!({old_state: {}, new_state: {"reason": "r"}}),
            );
            let changes = format!("{old_state}: cleared");
            assert_eq!(
                request(&old, &new),
                accepted(json!({new_state: {"reason": "r"}}), &changes)
            );
        }
    }
    assert_eq!(request(&Value::Null, &json!({})), accepted(json!({}), ""));
    let two_states = json!({"waiting": {}, "terminated": {}});
    let line = r#"<nil>: Invalid value: "{waiting, terminated}""#;
    assert_eq!(request(&Value::Null, &two_states), rejected(line));
}

#[test]
fn a_variable_may_switch_to_another_source() {
    let request = request::<EnvVar>;
    let old = json!({"name": "N", "value": "v"});
    let new = json!({"name": "N", "value": "v", "valueFrom": {"secretKeyRef": {"key": "k"}}});
    let with_reference = json!({"name": "N", "valueFrom": {"secretKeyRef": {"key": "k"}}});
    assert_eq!(
        request(&old, &new),
        accepted(with_reference.clone(), "value: cleared")
    );
    let with_both = json!({"name": "N", "value": "", "valueFrom": {"secretKeyRef": {"key": "k"}}});
    let with_empty_value = json!({"name": "N", "value": ""});
    assert_eq!(
        request(&with_reference, &with_both),
        accepted(with_empty_value, "valueFrom: cleared"),
        "an empty text is set"
    );
    assert_eq!(
        request(&Value::Null, &json!({"name": "N"})),
        accepted(json!({"name": "N"}), "")
    );
    let fields = json!({"value": "Value", "valueFrom": "ValueFrom"});
    assert_eq!(
        listed_unions::<EnvVar>(),
        json!([{"fields-to-discriminateBy": fields}])
    );
}

#[test]
fn a_source_of_a_value_has_exactly_one_of_four_members() {
    let source: EnvVarSource = read(json!({}));
    let report = source.validate_unions();
    let members = [
        "fieldRef",
        "resourceFieldRef",
        "configMapKeyRef",
        "secretKeyRef",
    ];
    let wording = needed_one_of(members.into_iter());
    let line = report.under(["valueFrom"]).to_string();
    let line_start = format!("valueFrom: Invalid value: \"\": {wording}: ");
    assert!(line.starts_with(&line_start), "{line}");
    let request = request::<EnvVarSource>;
    let expected = accepted(json!({"configMapKeyRef": {}}), "fieldRef: cleared");
    assert_eq!(
        request(
            &json!({"fieldRef": {}}),
            &json!({"fieldRef": {}, "configMapKeyRef": {}})
        ),
        expected
    );
}
