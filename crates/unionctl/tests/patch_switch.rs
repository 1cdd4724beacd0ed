//! Tests of `unionctl patch switch`.

use serde_json::{Value, json};

use crate::process::{ProgramOutput, run, sample, write_file};

/// Runs `patch switch` on an object, with JSON output.
#[track_caller]
fn switch(name: &str, object: &Value, args: &[&str]) -> ProgramOutput {
    let file = write_file(&format!("patch_switch_{name}.json"), object.to_string());
    let mut all_args = vec!["patch", "switch", "-f", &file, "-o", "json"];
    all_args.extend(args);
    run(all_args)
}

fn deployment() -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
        "spec": {
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}},
            "template": {"spec": {
                "containers": [
                    {"name": "proxy"},
                    {
                        "name": "app",
                        "env": [{"name": "A", "value": "x"}, {"name": "B", "value": "y"}],
                        "livenessProbe": {"httpGet": {"port": 80}, "periodSeconds": 5},
                    },
                ],
                "volumes": [
                    {"name": "cache", "emptyDir": {}},
                    {"name": "all", "projected": {"sources": [
                        {"secret": {"name": "s"}}, {"configMap": {"name": "c"}},
                    ]}},
                ],
            }},
        },
    })
}

const CONTAINER: &str = "spec.template.spec.containers[name=app]";

#[test]
fn unions_of_built_in_kinds_are_switched() {
    let of_template = |spec: Value| json!({"spec": {"template": {"spec": spec}}});
    let of_container = |container: Value| of_template(json!({"containers": [container]}));
    for (path, member, value, expected) in [
        (
            "spec.strategy".to_owned(),
            "Recreate",
            None,
            json!({"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}}),
        ),
        (
            format!("{CONTAINER}.env[name=B]"),
            "valueFrom",
            Some(r#"{"fieldRef": {"fieldPath": "spec.nodeName"}}"#),
            of_container(json!({"name": "app", "env": [{
                "name": "B", "value": null, "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}},
            }]})),
        ),
        (
            "spec.template.spec.containers[1].livenessProbe".to_owned(),
            "tcpSocket",
            Some("port: 80"),
            of_container(json!({"name": "app", "livenessProbe": {
                "exec": null, "grpc": null, "httpGet": null, "tcpSocket": {"port": 80},
            }})),
        ),
        (
            "spec.template.spec.volumes[name=cache]".to_owned(),
            "configMap",
            Some(r#"{"name": "c"}"#),
            of_template(json!({"volumes": [
                {"name": "cache", "$retainKeys": ["configMap", "name"], "configMap": {"name": "c"}},
            ]})),
        ),
    ] {
        let mut args = vec!["--union", &path, "--to", member];
        args.extend(value.into_iter().flat_map(|value| ["--value", value]));
        let output = switch("builtin", &deployment(), &args);
        assert_eq!((output.code, &*output.stderr), (0, ""), "{path}");
        assert_eq!(output.json(), expected, "{path}");
    }
}

#[test]
fn a_list_without_merge_key_is_replaced_with_a_note() {
    let path = "spec.template.spec.volumes[name=all].projected.sources[1]";
    let args = [
        "--union",
        path,
        "--to",
        "secret",
        "--value",
        r#"{"name": "t"}"#,
    ];
    let output = switch("atomic", &deployment(), &args);
    let sources = json!([{"secret": {"name": "s"}}, {"secret": {"name": "t"}}]);
    let volume = json!({"name": "all", "projected": {"sources": sources}});
    let expected = json!({"spec": {"template": {"spec": {"volumes": [volume]}}}});
    assert_eq!((output.code, output.json()), (0, expected));
    assert_eq!(
        output.stderr,
        "note: spec.template.spec.volumes[1].projected.sources: the patch has the whole list, because its elements have no \
         merge key of their own, and overwrites changes that others make in the meantime; set metadata.resourceVersion in \
         the patch to reject these\n"
    );
}

#[test]
fn the_patch_of_a_custom_resource_is_a_json_merge_patch() {
    let crd = sample("crd.yaml");
    let (file, value) = (sample("stored.yaml"), r#"{"claim": "disk-1"}"#);
    let args = [
        "--union",
        "spec.target",
        "--to",
        "Volume",
        "--value",
        value,
        "--crd",
        &crd,
    ];
    let mut all_args = vec!["patch", "switch", "-f", &file, "-o", "json"];
    all_args.extend(args);
    let output = run(all_args);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert_eq!(
        output.json(),
        json!({"spec": {"target": {"type": "Volume", "s3": null, "volume": {"claim": "disk-1"}}}}),
    );
    assert_eq!(
        output.stderr,
        "note: the patch is a JSON merge patch; `kubectl patch` needs --type=merge\n"
    );
}

#[test]
fn unions_of_rules_are_switched() {
    let (crd, file) = (sample("pipeline_crd.yaml"), sample("pipeline_stored.yaml"));
    let value_file = write_file("patch_switch_bucket.yaml", "name: b\n");
    let output = run([
        "patch",
        "switch",
        "--crd",
        &crd,
        "-f",
        &file,
        "--union",
        "spec.source",
        "--to",
        "bucket",
        "--value-file",
        &value_file,
        "-o",
        "json",
    ]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert_eq!(
        output.json(),
        json!({"spec": {"source": {"type": "Bucket", "git": null, "bucket": {"name": "b"}}}}),
    );
    assert!(
        output.stderr.contains("inferred from the rules"),
        "{}",
        output.stderr
    );
}

#[test]
fn errors_name_the_flag_and_the_remedy() {
    let probe = format!("{CONTAINER}.livenessProbe");
    for (args, expected) in [
        (
            ["--union", "spec.strategies", "--to", "Recreate"],
            "--union: spec.strategies: no union has this path; the unions of the object are at spec.strategy, \
             spec.template.spec, spec.template.spec.containers[1].env[0], spec.template.spec.containers[1].env[1], \
             spec.template.spec.containers[1].livenessProbe, spec.template.spec.volumes[0], \
             spec.template.spec.volumes[1], spec.template.spec.volumes[1].projected.sources[0], \
             spec.template.spec.volumes[1].projected.sources[1]",
        ),
        (
            [
                "--union",
                "spec.template.spec.volumes[name=cash]",
                "--to",
                "secret",
            ],
            "--union: spec.template.spec.volumes: no element has name=cash; `name` is one of: cache, all",
        ),
        (
            ["--union", &probe, "--to", "tcpsocket"],
            "--to: spec.template.spec.containers[1].livenessProbe: unknown member \"tcpsocket\"; use one of: exec, grpc, \
             httpGet, tcpSocket; did you mean \"tcpSocket\"?",
        ),
        (
            ["--union", &probe, "--to", "tcpSocket"],
            "--value: spec.template.spec.containers[1].livenessProbe.tcpSocket: the live object has no value; pass the \
             value of the member",
        ),
    ] {
        assert_eq!(
            switch("errors", &deployment(), &args).error_message(),
            expected
        );
    }
    let args = [
        "--union",
        "spec.strategy",
        "--to",
        "Recreate",
        "--value",
        "{}",
    ];
    assert_eq!(
        switch("errors", &deployment(), &args).error_message(),
        "--value: spec.strategy: \"Recreate\" has no member; remove the value"
    );
    let config_map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}});
    let args = ["--union", "data", "--to", "a"];
    assert_eq!(
        switch("errors", &config_map, &args).error_message(),
        "the command line: missing --crd or --schema: the table of built-in kinds has no unions of ConfigMap \"c\""
    );
}

#[test]
fn an_invalid_value_is_rejected() {
    let path = format!("{CONTAINER}.env[name=A]");
    let value = r#"{"fieldRef": {}, "secretKeyRef": {}}"#;
    let args = ["--union", &path, "--to", "valueFrom", "--value", value];
    let output = switch("invalid", &deployment(), &args);
    assert_eq!(output.code, 1, "{output:?}");
    assert_eq!(output.json()["error"]["kind"], "InvalidUnion");
    let path = "spec.template.spec.containers[1].env[0].valueFrom";
    assert_eq!(output.json()["error"]["path"], path);
    let start = format!("error: {path}: the union is invalid after the switch: {path}: ");
    assert!(output.stderr.starts_with(&start), "{}", output.stderr);
}
