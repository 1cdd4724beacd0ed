//! Tests of objects of built-in kinds, without a CRD.

use serde_json::{Value, json};

use crate::fake_cluster::{FakeCluster, sample_object};
use crate::process::{run, write_file};

fn pod(name: &str, container: Value) -> Value {
    let mut container = container;
    container["name"] = "app".into();
    json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
        "spec": {"containers": [container]},
    })
}

/// The API versions, kinds and specs of objects with two members of a union, and the paths of the
/// errors.
const INVALID_SPECS: [[&str; 4]; 10] = [
    [
        "v1",
        "Pod",
        r#"{"containers": [{"name": "app", "env": [{"name": "A", "value": "x", "valueFrom": {"fieldRef": {}}}]}]}"#,
        "spec.containers[0].env[0]",
    ],
    [
        "v1",
        "Pod",
        r#"{"containers": [{"name": "app", "livenessProbe": {"httpGet": {}, "tcpSocket": {}}}]}"#,
        "spec.containers[0].livenessProbe",
    ],
    [
        "apps/v1",
        "Deployment",
        r#"{"strategy": {"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}}"#,
        "spec.strategy.rollingUpdate",
    ],
    [
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        r#"{"metrics": [{"type": "Pods", "pods": {}, "external": {}}]}"#,
        "spec.metrics[0].external",
    ],
    [
        "networking.k8s.io/v1",
        "Ingress",
        r#"{"defaultBackend": {"service": {"port": {"number": 1}}, "resource": {"name": "a"}}}"#,
        "spec.defaultBackend",
    ],
    [
        "networking.k8s.io/v1",
        "NetworkPolicy",
        r#"{"ingress": [{"from": [{"ipBlock": {}, "podSelector": {}}]}]}"#,
        "spec.ingress[0].from[0]",
    ],
    [
        "policy/v1",
        "PodDisruptionBudget",
        r#"{"minAvailable": 1, "maxUnavailable": 1}"#,
        "spec",
    ],
    [
        "storage.k8s.io/v1",
        "VolumeAttachment",
        r#"{"source": {"persistentVolumeName": "a", "inlineVolumeSpec": {"nfs": {}}}}"#,
        "spec.source",
    ],
    [
        "flowcontrol.apiserver.k8s.io/v1",
        "PriorityLevelConfiguration",
        r#"{"type": "Exempt", "limited": {}}"#,
        "spec.limited",
    ],
    [
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        r#"{"conversion": {"strategy": "Webhook", "webhook": {"clientConfig": {"url": "a", "service": {}}}}}"#,
        "spec.conversion.webhook.clientConfig",
    ],
];

#[test]
fn two_members_are_rejected_without_a_crd() {
    for (i, [api_version, kind, spec, path]) in INVALID_SPECS.into_iter().enumerate() {
        let spec: Value = serde_json::from_str(spec).expect("JSON");
        let object = json!({
            "apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}, "spec": spec,
        });
        let file = write_file(&format!("builtin_{i}.json"), object.to_string());
        let output = run(["check", "-f", &file, "-o", "json"]);
        assert_eq!(output.code, 1, "{object}");
        let check_reply = output.json();
        assert_eq!(
            check_reply["objects"][0]["errors"][0]["field"], path,
            "{check_reply}"
        );
        let output = run(["unions", "-f", &file, "-o", "json"]);
        assert_eq!(output.code, 1, "{object}");
        assert_eq!(output.json()["errors"], check_reply["objects"][0]["errors"]);
        assert!(
            output.stderr.contains("only the unions of"),
            "{}",
            output.stderr
        );
    }
}

#[test]
fn objects_of_a_list_are_checked() {
    let valid = pod(
        "valid",
        json!({"env": [{"name": "A", "value": "", "valueFrom": {"fieldRef": {}}}]}),
    );
    let invalid = pod(
        "invalid",
        json!({"envFrom": [{"configMapRef": {}, "secretRef": {}}]}),
    );
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [valid, invalid]});
    let file = write_file("builtin_list.json", list.to_string());
    let output = run(["check", "-f", &file]);
    assert_eq!(output.code, 1);
    assert_eq!(output.stderr, "");
    let start = format!(
        "{file}: Pod \"valid\"\nno errors\n{file}: Pod \"invalid\"\nerrors:\n  spec.containers[0].envFrom[0]: "
    );
    assert!(output.stdout.starts_with(&start), "{}", output.stdout);
    assert!(output.stdout.ends_with("\nonly the unions of Pod are checked; API servers validate the rest of built-in kinds by code\nrejected\n"), "{}", output.stdout);
}

/// Returns a file with objects in a list.
fn write_list(name: &str, objects: &[Value]) -> String {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
    write_file(name, list.to_string())
}

/// The plugin of kubectl reads CRDs from the cluster, and the unions of built-in kinds from the
/// table, whatever else is in the file.
#[test]
fn the_plugin_of_kubectl_checks_built_in_kinds_and_custom_resources() {
    let note = "note: only the unions of Pod are checked; API servers validate the rest of built-in kinds by code\n";
    let invalid = pod(
        "invalid",
        json!({"envFrom": [{"configMapRef": {}, "secretRef": {}}]}),
    );
    let valid = pod("valid", json!({"envFrom": [{"configMapRef": {}}]}));
    let database = sample_object("scaled.yaml");
    let config_map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});

    let cluster = FakeCluster::of_samples("builtin_alone");
    let file = write_file("plugin_pod.json", invalid.to_string());
    let output = cluster.union(["check", "-f", &file]);
    assert_eq!((output.code, &*output.stderr), (1, note), "{output:?}");
    assert!(
        output
            .stdout
            .starts_with("unions of Pod \"invalid\"\nerrors:\n  spec.containers[0].envFrom[0]: "),
        "{}",
        output.stdout
    );
    // The kinds of Kubernetes have no CRD to read.
    assert_eq!(cluster.requests(), ["/version"]);
    let output = cluster.union(["unions", "-f", &file]);
    assert_eq!((output.code, &*output.stderr), (1, note), "{output:?}");

    let file = write_file("plugin_valid_pod.json", valid.to_string());
    let output = cluster.union(["check", "-f", &file]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(
        (&*output.stdout, &*output.stderr),
        ("unions of Pod \"valid\"\nno errors\naccepted\n", note)
    );

    let cluster = FakeCluster::of_samples("builtin_mixed");
    cluster.answer("/api/v1", &json!({"resources": []}));
    let file = write_list("plugin_mixed.json", &[database, invalid, valid, config_map]);
    let output = cluster.union(["check", "-f", &file, "-o", "json"]);
    assert_eq!(output.code, 1, "{output:?}");
    let reply = output.json();
    let objects = reply["objects"].as_array().expect("objects");
    let ops: Vec<_> = objects.iter().map(|object| &object["op"]).collect();
    assert_eq!(ops, ["unions", "unions", "update"], "{reply}");
    assert_eq!(
        objects[0]["errors"][0]["field"],
        "spec.containers[0].envFrom[0]"
    );
    assert_eq!(
        (&reply["accepted"], &reply["refused"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(reply["skipped"], 1, "{reply}");
    assert_eq!(reply["notes"].as_array().map(Vec::len), Some(1), "{reply}");
    let sarif = cluster.union(["check", "-f", &file, "-o", "sarif"]).json();
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert!(
        results
            .iter()
            .any(|result| result.to_string().contains("envFrom[0]")),
        "{sarif}"
    );
}

#[test]
fn duplicate_keys_are_reported_with_and_without_a_cluster() {
    let deployment = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
spec:
  strategy:
    type: Recreate
    type: RollingUpdate
";
    let file = write_file("builtin_duplicate.yaml", deployment);
    let cluster = FakeCluster::of_samples("builtin_duplicate");
    let message = "line 7: key \"type\" already set in map";
    let error = format!(
        "Deployment in version \"v1\" cannot be handled as a Deployment: strict decoding error: yaml: unmarshal errors:\n  {message}"
    );
    let position = json!([{"key": "type", "line": 7, "column": 5}]);
    let note = format!("note: {file}:7:5: duplicate key \"type\"; remove one\n");
    for (validation, code, errors, warnings) in [
        ("strict", 1, vec![&*error], vec![]),
        ("warn", 0, vec![], vec![message]),
        ("ignore", 0, vec![], vec![]),
    ] {
        let args = ["check", "-f", &file, "--validate", validation, "-o", "json"];
        let output = run(args);
        assert_eq!(output.code, code, "{output:?}");
        let reply = output.json();
        assert_eq!(texts(&reply["objects"][0]["errors"]), errors, "{reply}");
        assert_eq!(
            output.stderr.contains(&note),
            validation != "ignore",
            "{output:?}"
        );

        let output = cluster.union(args);
        assert_eq!(output.code, code, "{output:?}");
        let object = &output.json()["objects"][0];
        assert_eq!(texts(&object["errors"]), errors, "{object}");
        assert_eq!(object["warnings"], json!(warnings), "{object}");
        let has_position = object["duplicate_keys"] == position;
        assert_eq!(has_position, validation != "ignore", "{object}");
    }
}

/// Returns the messages of errors.
fn texts(errors: &Value) -> Vec<&str> {
    let errors = errors.as_array().expect("errors").iter();
    errors
        .map(|error| error["text"].as_str().expect("a message"))
        .collect()
}

#[test]
fn an_object_of_another_kind_needs_its_crd() {
    let object =
        json!({"apiVersion": "db.example.com/v1", "kind": "Backup", "metadata": {"name": "a"}});
    let file = write_file("builtin_other.json", object.to_string());
    let output = run(["check", "-f", &file]);
    assert_eq!(output.code, 2);
    assert!(
        output.error_message().contains("missing --crd"),
        "{}",
        output.stderr
    );
}

#[test]
fn the_unions_of_a_kind_are_listed_with_their_paths() {
    let output = run(["unions", "--list", "--builtin", "deployment"]);
    assert_eq!((output.code, &*output.stderr), (0, ""));
    assert!(output.stdout.starts_with("Deployment apps/v1\n  spec.strategy: by `type` (by default \"RollingUpdate\")\n    RollingUpdate  rollingUpdate (optional)\n    Recreate  no field\n"), "{}", output.stdout);
    assert!(output.stdout.contains(
        "  spec.template.spec.containers[*].env[*]: at most one of `value` (an empty value counts as unset), `valueFrom`\n"
    ));
    let all_types = run(["unions", "--list", "--builtin"]);
    assert!(all_types.stdout.contains("\nio.k8s.api.core.v1.ContainerState: at most one of `running`, `terminated`, `waiting`; not enforced by API servers\n"), "{}", all_types.stdout);
    for line in [
        "io.k8s.api.resource.v1.DeviceConstraint: exactly one of `distinctAttribute` (since 1.34), `matchAttribute` (since 1.34); since 1.34; API servers enforce only: a member is required",
        "io.k8s.api.autoscaling.v2.MetricTarget in io.k8s.api.autoscaling.v2.ExternalMetricSource.target: exactly one of `averageValue`, `value`",
        "  Recreate  no field (since 1.37)",
    ] {
        assert!(all_types.stdout.contains(&format!("\n{line}\n")), "{line}");
    }
    let as_json = run(["unions", "--list", "--builtin", "-o", "json"]).json();
    assert_eq!(
        as_json["unions"].as_array().map(Vec::len),
        Some(k8s_builtin_unions::unions().count())
    );
    assert!(
        run(["unions", "--list", "--builtin", "Nothing"])
            .error_message()
            .contains("is not a built-in kind")
    );
}

#[test]
fn a_patch_warns_of_members_that_two_clients_set() {
    let object = json!({"type": "object", "additionalProperties": {}});
    let container = json!({"type": "object", "properties": {"name": {"type": "string"}, "livenessProbe": object}});
    let containers = json!({
        "type": "array", "items": container,
        "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name",
    });
    let schema = json!({"type": "object", "properties": {
        "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": object,
        "spec": {"type": "object", "properties": {"containers": containers}},
    }});
    let file = |name: &str, value: &Value| write_file(name, value.to_string());
    let with_probe = |probe: Value| pod("p", json!({"livenessProbe": probe}));
    let schema_file = file("builtin_patch_schema.json", &schema);
    let original = file("builtin_patch_original.json", &pod("p", json!({})));
    let modified = file(
        "builtin_patch_modified.json",
        &with_probe(json!({"tcpSocket": {"port": 1}})),
    );
    let current = file(
        "builtin_patch_current.json",
        &with_probe(json!({"httpGet": {"port": 1}})),
    );
    let output = run([
        "patch",
        "three-way",
        "--policy",
        "schemaless",
        "--schema",
        &schema_file,
        "--original",
        &original,
        "-f",
        &modified,
        "--current",
        &current,
    ]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert_eq!(
        output.stderr,
        "warning: after the patch, spec.containers[0].livenessProbe has `httpGet` (from the live object) and `tcpSocket` (from the author): add `httpGet: null` to the wanted object\n"
    );
}

#[test]
fn the_members_of_a_webhook_are_checked() {
    let client_config = json!({"url": "https://example.com", "service": {"name": "a"}});
    let configuration = json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "a"},
        "webhooks": [{"name": "a.example.com", "clientConfig": client_config}],
    });
    let file = write_file("builtin_webhook.json", configuration.to_string());
    let reply = run(["check", "-f", &file, "-o", "json"]).json();
    assert_eq!(
        reply["objects"][0]["errors"][0]["field"],
        "webhooks[0].clientConfig"
    );
}
