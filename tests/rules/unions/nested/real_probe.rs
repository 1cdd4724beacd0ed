//! Tests of probes: the handler is inlined in `Probe`, probes are nested in containers, and
//! containers are keyed by name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{Ratchet, Union, needed_one_of, only_one_of};

use crate::unions::nested::answer::{create, update, update_with_ratchet};

const HANDLERS: [&str; 4] = ["exec", "httpGet", "tcpSocket", "grpc"];

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<ProbeHandler>)]
#[union(all_members, exactly_one)]
struct ProbeHandler {
    #[serde(skip_serializing_if = "Option::is_none")]
    exec: Option<Exec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    http_get: Option<HttpGet>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tcp_socket: Option<Port>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grpc: Option<Port>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Exec {
    command: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct HttpGet {
    path: String,
    port: i32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Port {
    port: i32,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Probe>)]
struct Probe {
    #[union(inline)]
    #[serde(flatten)]
    handler: ProbeHandler,
    #[serde(skip_serializing_if = "Option::is_none")]
    period_seconds: Option<i32>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Container {
    #[union(key)]
    name: String,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    liveness_probe: Option<Probe>,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    readiness_probe: Option<Box<Probe>>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<PodSpec>)]
struct PodSpec {
    #[union(nested, list_map_keys("name"))]
    containers: Vec<Container>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[union(nested(spec))]
struct Pod {
    spec: PodSpec,
}

fn pod(containers: &Value) -> Value {
    json!({"spec": {"containers": containers}})
}

fn stored_pod() -> Value {
    pod(&json!([
        {"name": "app", "livenessProbe": {"httpGet": {"path": "/healthz", "port": 80}, "periodSeconds": 5}},
        {"name": "db", "readinessProbe": {"tcpSocket": {"port": 5432}}},
    ]))
}

#[test]
fn another_handler_of_a_probe_replaces_the_old_handler() {
    let new = pod(&json!([
        {"name": "sidecar"},
        {"name": "db", "readinessProbe": {"tcpSocket": {"port": 5432}, "exec": {"command": ["pg_isready"]}}},
        {"name": "app", "livenessProbe": {
            "httpGet": {"path": "/healthz", "port": 80}, "grpc": {"port": 9000}, "periodSeconds": 9,
        }},
    ]));
    let answer = update::<Pod>(&stored_pod(), &new);
    answer.assert_lines(
        &[
            "spec.containers[1].readinessProbe.tcpSocket: cleared",
            "spec.containers[2].livenessProbe.httpGet: cleared",
        ],
        &[],
        &[],
    );
    assert_eq!(
        answer.object["spec"]["containers"][2]["livenessProbe"],
        json!({"grpc": {"port": 9000}, "periodSeconds": 9})
    );
}

#[test]
fn a_probe_without_a_handler_is_rejected() {
    let new = pod(&json!([{"name": "app", "livenessProbe": {"periodSeconds": 5}}]));
    let answer = update::<Pod>(&stored_pod(), &new);
    answer.assert_lines(&[], &["spec.containers[0].livenessProbe"], &[]);
    let wording = needed_one_of(HANDLERS.into_iter());
    answer.assert_error_lines_begin_with(&[format!(
        "spec.containers[0].livenessProbe: Invalid value: \"\": {wording}: "
    )]);
}

#[test]
fn a_new_probe_with_two_handlers_is_rejected_without_affecting_other_containers() {
    let two_handlers = json!({"exec": {"command": []}, "grpc": {"port": 1}});
    let new = pod(&json!([
        {"name": "app", "livenessProbe": {"httpGet": {"path": "/", "port": 80}}, "readinessProbe": two_handlers},
        {"name": "db", "readinessProbe": {"tcpSocket": {"port": 5432}}},
    ]));
    let answer = update::<Pod>(&stored_pod(), &new);
    answer.assert_lines(&[], &["spec.containers[0].readinessProbe"], &[]);
    let wording = only_one_of(true, HANDLERS.into_iter());
    answer.assert_error_lines_begin_with(&[format!(
        "spec.containers[0].readinessProbe: Invalid value: \"{{exec, grpc}}\": {wording}: "
    )]);
    create::<Pod>(&new).assert_lines(&[], &["spec.containers[0].readinessProbe"], &[]);
}

#[test]
fn a_stored_probe_with_two_handlers_is_tolerated_in_a_moved_container() {
    let two_handlers = json!({"exec": {"command": []}, "grpc": {"port": 1}, "periodSeconds": 1});
    let old = pod(&json!([{"name": "app", "livenessProbe": two_handlers}]));
    let new = pod(&json!([{"name": "first"}, {"name": "app", "livenessProbe": two_handlers}]));
    for ratchet in [Ratchet::SameReason, Ratchet::Unchanged] {
        let answer = update_with_ratchet::<Pod>(ratchet, &old, &new);
        answer.assert_lines(&[], &[], &["spec.containers[1].livenessProbe"]);
    }
    let mut edited_probe = two_handlers;
    edited_probe["periodSeconds"] = json!(60);
    let new = pod(&json!([{"name": "app", "livenessProbe": edited_probe}]));
    let path = "spec.containers[0].livenessProbe";
    update_with_ratchet::<Pod>(Ratchet::SameReason, &old, &new).assert_lines(&[], &[], &[path]);
    update_with_ratchet::<Pod>(Ratchet::Unchanged, &old, &new).assert_lines(&[], &[path], &[]);
}
