//! Tests of `EnvVar`: a union of `value` and `valueFrom`, in a list keyed by name, with a second
//! union in `valueFrom`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{Union, needed_one_of, only_one_of};

use crate::unions::nested::answer::{create, update};

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<EnvVar>)]
struct EnvVar {
    #[union(key)]
    name: String,
    #[union(member, group = value)]
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[union(member, group = value, nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    value_from: Option<EnvVarSource>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<EnvVarSource>)]
#[union(all_members, exactly_one)]
#[expect(clippy::struct_field_names)] // as Kubernetes names them
struct EnvVarSource {
    #[serde(skip_serializing_if = "Option::is_none")]
    field_ref: Option<FieldRef>,
    #[serde(skip_serializing_if = "Option::is_none")]
    config_map_key_ref: Option<KeyRef>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_key_ref: Option<KeyRef>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FieldRef {
    field_path: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct KeyRef {
    name: String,
    key: String,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Container>)]
struct Container {
    #[union(nested, list_map_keys("name"))]
    #[serde(default)]
    env: Vec<EnvVar>,
}

fn container_with_env(env: &Value) -> Value {
    json!({ "env": env })
}

fn secret_reference() -> Value {
    json!({"secretKeyRef": {"name": "s", "key": "k"}})
}

#[test]
fn a_value_may_become_a_reference_and_a_reference_a_value() {
    let old = container_with_env(
        &json!([{"name": "A", "value": "a"}, {"name": "B", "valueFrom": secret_reference()}]),
    );
    let new = container_with_env(&json!([
        {"name": "B", "valueFrom": secret_reference(), "value": "b"},
        {"name": "A", "value": "a", "valueFrom": secret_reference()},
    ]));
    let answer = update::<Container>(&old, &new);
    answer.assert_lines(
        &["env[0].valueFrom: cleared", "env[1].value: cleared"],
        &[],
        &[],
    );
    assert_eq!(
        answer.object,
        container_with_env(
            &json!([{"name": "B", "value": "b"}, {"name": "A", "valueFrom": secret_reference()}])
        )
    );
}

#[test]
fn a_variable_without_value_and_reference_is_valid() {
    create::<Container>(&container_with_env(
        &json!([{"name": "A"}, {"name": "B", "value": ""}]),
    ))
    .assert_lines(&[], &[], &[]);
}

#[test]
fn an_empty_value_is_set() {
    let new =
        container_with_env(&json!([{"name": "A", "value": "", "valueFrom": secret_reference()}]));
    let answer = create::<Container>(&new);
    answer.assert_lines(&[], &["env[0]"], &[]);
    let wording = only_one_of(false, ["value", "valueFrom"].into_iter());
    answer.assert_error_lines_begin_with(&[format!(
        "env[0]: Invalid value: \"{{value, valueFrom}}\": {wording}: "
    )]);
}

#[test]
fn a_reference_to_two_sources_is_rejected_at_its_path() {
    let mut two_sources = secret_reference();
    two_sources["fieldRef"] = json!({"fieldPath": "metadata.name"});
    let new = container_with_env(
        &json!([{"name": "A", "valueFrom": two_sources}, {"name": "B", "valueFrom": {}}]),
    );
    let answer = create::<Container>(&new);
    answer.assert_lines(&[], &["env[0].valueFrom", "env[1].valueFrom"], &[]);
    let members = || ["fieldRef", "configMapKeyRef", "secretKeyRef"].into_iter();
    let [several_wording, none_wording] = [only_one_of(true, members()), needed_one_of(members())];
    answer.assert_error_lines_begin_with(&[
        format!(
            "env[0].valueFrom: Invalid value: \"{{fieldRef, secretKeyRef}}\": {several_wording}: "
        ),
        format!("env[1].valueFrom: Invalid value: \"\": {none_wording}: "),
    ]);
}

#[test]
fn a_switched_reference_clears_the_old_source() {
    let old = container_with_env(
        &json!([{"name": "X", "value": "x"}, {"name": "A", "valueFrom": secret_reference()}]),
    );
    let mut two_sources = secret_reference();
    two_sources["configMapKeyRef"] = json!({"name": "c", "key": "k"});
    let new = container_with_env(&json!([{"name": "A", "valueFrom": two_sources}]));
    let answer = update::<Container>(&old, &new);
    answer.assert_lines(&["env[0].valueFrom.secretKeyRef: cleared"], &[], &[]);
}

#[test]
fn two_variables_with_one_name_are_compared_with_the_first_stored_variable() {
    let old = container_with_env(
        &json!([{"name": "A", "value": "1"}, {"name": "A", "valueFrom": secret_reference()}]),
    );
    let new = container_with_env(&json!([
        {"name": "A", "value": "1", "valueFrom": secret_reference()},
        {"name": "A", "value": "2", "valueFrom": secret_reference()},
    ]));
    update::<Container>(&old, &new).assert_lines(
        &["env[0].value: cleared", "env[1].value: cleared"],
        &[],
        &[],
    );
}
