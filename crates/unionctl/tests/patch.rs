//! Tests of `unionctl patch diff`, `apply`, `three-way` and `compose` with documents in files.

use serde_json::{Value, json};

use crate::process::{ProgramOutput, run, run_with_stdin, sample, write_file};

const DEPLOYMENT_SCHEMA: &str = "io.k8s.api.apps.v1.Deployment";

/// Runs a subcommand of `patch` on samples, with the schema of the samples.
#[track_caller]
fn patch(op: &str, args: &[&str]) -> ProgramOutput {
    run(patch_args(op, args))
}

/// Returns the arguments of a subcommand of `patch`. The name of a YAML file is replaced by the
/// path of the sample.
fn patch_args(op: &str, args: &[&str]) -> Vec<String> {
    let schema = sample("patch/openapi.yaml");
    let schema_args = [
        "patch",
        op,
        "--schema",
        &schema,
        "--name",
        DEPLOYMENT_SCHEMA,
    ];
    let mut all_args: Vec<String> = schema_args.map(str::to_owned).into();
    all_args.extend(args.iter().map(|arg| match arg.strip_suffix(".yaml") {
        Some(_) if !arg.contains('/') => sample(&format!("patch/{arg}")),
        _ => (*arg).to_owned(),
    }));
    all_args
}

const EXPECTED_PATCH: &str = "\
spec:
  $setElementOrder/containers:
  - name: app
  containers:
  - image: app:2
    name: app
  - $patch: delete
    name: log
  strategy:
    $retainKeys:
    - type
    rollingUpdate: null
    type: Recreate
";

#[test]
fn diff_prints_the_patch() {
    let args = ["--original", "applied.yaml", "--modified", "modified.yaml"];
    let output = patch("diff", &args);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let printed_patch: serde_json::Value = serde_saphyr::from_str(&output.stdout).unwrap();
    let expected: serde_json::Value = serde_saphyr::from_str(EXPECTED_PATCH).unwrap();
    assert_eq!(printed_patch, expected);
    let mut args = args.to_vec();
    args.extend(["-o", "json"]);
    assert_eq!(patch("diff", &args).json(), expected);
}

#[test]
fn without_an_original_the_patch_has_all_fields() {
    let output = patch("diff", &["--modified", "patch.yaml", "-o", "json"]);
    // The new value is inserted unchanged, with its `$retainKeys`.
    let strategy = json!({ "$retainKeys": ["type"], "type": "Recreate" });
    assert_eq!(output.json(), json!({ "spec": { "strategy": strategy } }));
}

#[test]
fn apply_prints_the_object() {
    let output = patch(
        "apply",
        &[
            "--original",
            "live.yaml",
            "--patch",
            "patch.yaml",
            "-o",
            "json",
        ],
    );
    let object = output.json();
    assert_eq!(object["spec"]["strategy"], json!({ "type": "Recreate" }));
    assert_eq!(object["spec"]["replicas"], 5);
    // The default output format is YAML, and the input may be stdin.
    let live_object = std::fs::read_to_string(sample("patch/live.yaml")).unwrap();
    let output = run_with_stdin(
        patch_args("apply", &["--original", "-", "--patch", "patch.yaml"]),
        live_object,
    );
    let printed_object: serde_json::Value = serde_saphyr::from_str(&output.stdout).unwrap();
    assert_eq!((output.code, printed_object), (0, object));
}

#[test]
fn three_way_overwrites_or_reports_conflicts() {
    let args = [
        "--original",
        "applied.yaml",
        "--modified",
        "modified.yaml",
        "--current",
        "live.yaml",
    ];
    // The live object has 5 replicas, and the modified object sets 2.
    let three_way = |flags: &[&'static str]| {
        let args: Vec<&str> = args.iter().chain(flags).copied().collect();
        patch("three-way", &args)
    };
    let output = three_way(&["--refuse-conflicts"]);
    assert_eq!((output.code, output.stdout.as_str()), (1, ""));
    assert_eq!(
        output.stderr,
        "error: spec.replicas: the patch sets 2, but the live object was changed to 5; use that value, or remove --refuse-conflicts\n"
    );
    let conflict_output = three_way(&["--refuse-conflicts", "-o", "json"]);
    let error = &conflict_output.json()["error"];
    assert_eq!(
        (conflict_output.code, &error["kind"]),
        (1, &json!("Conflict"))
    );
    assert_eq!(
        error["conflicts"],
        json!([{ "path": "spec.replicas", "patch": 2, "changed": 5 }])
    );
    let patch_output = three_way(&["-o", "json"]);
    assert_eq!(patch_output.code, 0);
    assert_eq!(
        three_way(&["--overwrite", "-o", "json"]).stdout,
        patch_output.stdout
    );
    let patch_file = write_file("overwrite_patch.json", &patch_output.stdout);
    let apply_output = patch(
        "apply",
        &[
            "--original",
            "live.yaml",
            "--patch",
            &patch_file,
            "-o",
            "json",
        ],
    );
    assert_eq!(
        apply_output.json()["spec"],
        json!({
            "replicas": 2,
            "strategy": { "type": "Recreate" },
            "containers": [{ "name": "mesh", "image": "mesh:7" }, { "name": "app", "image": "app:2" }],
        })
    );
}

#[test]
fn warnings_are_on_stderr() {
    let schema = write_file(
        "ports_schema.yaml",
        "properties: {ports: {items: {properties: {port: {}}}, x-kubernetes-patch-strategy: merge, x-kubernetes-patch-merge-key: port}}",
    );
    let [two_ports, one_port] = [
        (
            "both",
            "[{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]",
        ),
        ("one", "[{port: 53, protocol: UDP}]"),
    ]
    .map(|(name, ports)| write_file(&format!("ports_{name}.yaml"), format!("ports: {ports}")));
    let args = [
        "patch",
        "diff",
        "--schema",
        &schema,
        "--original",
        &two_ports,
        "--modified",
        &one_port,
    ];
    let output = run(args.iter().chain(&["-o", "json"]));
    assert_eq!(
        (output.code, output.json()),
        (
            0,
            json!({ "ports": [{ "$patch": "replace" }, { "port": 53, "protocol": "UDP" }] })
        )
    );
    let expected_start = "warning: ports: elements have the same `port`: {\"port\":53,\"protocol\":\"UDP\"}, {\"port\":53,\"protocol\":\"TCP\"}; ";
    assert!(
        output.stderr.starts_with(expected_start),
        "{}",
        output.stderr
    );
}

#[test]
fn a_patch_must_not_change_fields_of_unchanged() {
    let renamed_object = write_file(
        "renamed.yaml",
        "kind: Deployment\nmetadata: {name: other}\n",
    );
    let args = [
        "--original",
        "applied.yaml",
        "--modified",
        &renamed_object,
        "--unchanged",
    ];
    let diff_with_unchanged = |field: &'static str| {
        let args: Vec<&str> = args.iter().copied().chain([field]).collect();
        patch("diff", &args)
    };
    assert_eq!(diff_with_unchanged("kind").code, 0);
    for field in ["metadata.name", "apiVersion"] {
        let output = diff_with_unchanged(field);
        assert_eq!((output.code, output.stdout.as_str()), (1, ""));
        assert!(
            output
                .stderr
                .starts_with("error: the patch: precondition failed for: map["),
            "{output:?}"
        );
    }
}

#[test]
fn the_value_of_a_field_of_unchanged_may_be_at_any_depth() {
    for (field, error) in [
        (
            "spec.strategy",
            "spec.strategy: the patch must not change this field (--unchanged): {",
        ),
        (
            "spec.strategy.type",
            "\"RollingUpdate\" would become \"Recreate\"",
        ),
        (
            "spec.strategy.rollingUpdate.maxSurge",
            "would become a missing field",
        ),
        (
            "spec.containers[name=app].image",
            "\"app:1\" would become \"app:2\"",
        ),
        (
            "spec.containers[0].image",
            "\"app:1\" would become \"app:2\"",
        ),
        ("metadata.labels.app", ""),
        ("spec.containers[name=app].name", ""),
        ("spec.absent", ""),
        ("spec", "the patch must not change spec (--unchanged)"),
        ("spec.containers[name=none].image", "(--unchanged)"),
    ] {
        let args = [
            "--original",
            "applied.yaml",
            "-f",
            "modified.yaml",
            "--unchanged",
            field,
        ];
        let output = patch("diff", &args);
        assert_eq!(
            output.code,
            i32::from(!error.is_empty()),
            "{field}: {output:?}"
        );
        assert!(output.stderr.contains(error), "{field}: {output:?}");
        let args = [&args[..], &["--current", "applied.yaml"]].concat();
        let three_way = patch("three-way", &args);
        assert_eq!(
            (three_way.code, three_way.stdout),
            (output.code, output.stdout)
        );
    }
}

/// A CRD does not describe the metadata, which all objects have.
#[test]
fn a_patch_by_a_crd_may_change_the_metadata() {
    let crd = sample("crd.yaml");
    let labels = write_file(
        "patch_labels.yaml",
        "metadata: {labels: {a: b}, finalizers: [a/b]}",
    );
    let stored = sample("stored.yaml");
    let args = [
        "patch",
        "apply",
        "--crd",
        &crd,
        "-f",
        &stored,
        "--patch-file",
        &labels,
        "-o",
        "json",
    ];
    let object = run(args).json();
    assert_eq!(object["metadata"]["labels"]["a"], "b");
    assert_eq!(object["metadata"]["finalizers"], json!(["a/b"]));
    let mut live = object.clone();
    let last_applied = serde_json::to_string(&object).unwrap();
    live["metadata"]["annotations"] =
        json!({"kubectl.kubernetes.io/last-applied-configuration": last_applied});
    let mut wanted = object;
    wanted["metadata"]["labels"] = json!({"c": "d"});
    let wanted_file = write_file("patch_wanted.json", wanted.to_string());
    let live_file = write_file("patch_live.json", live.to_string());
    let args = [
        "patch",
        "three-way",
        "--last-applied",
        "--crd",
        &crd,
        "-f",
        &wanted_file,
        "--current",
        &live_file,
        "-o",
        "json",
    ];
    let patch = run(args).json();
    assert_eq!(patch["metadata"]["labels"], json!({"a": null, "c": "d"}));
}

#[test]
fn compose_combines_patches() {
    let [first_patch, second_patch] = [
        ("one", "{a: 1, replicas: 1}"),
        ("two", "{b: null, replicas: 2}"),
    ]
    .map(|(name, spec)| write_file(&format!("compose_{name}.yaml"), format!("spec: {spec}")));
    let output = patch(
        "compose",
        &[
            "--patch",
            &first_patch,
            "--patch",
            &second_patch,
            "-o",
            "json",
        ],
    );
    assert_eq!(
        output.json(),
        json!({ "spec": { "a": 1, "b": null, "replicas": 2 } })
    );
}

#[test]
fn errors_have_a_path_and_a_remedy() {
    let invalid_patch = write_file(
        "bad_patch.yaml",
        "spec: {strategy: {$retainKeys: [type], type: Recreate, rollingUpdate: {}}}",
    );
    let args = ["--original", "live.yaml", "--patch", &invalid_patch];
    let output = patch("apply", &args);
    assert_eq!((output.code, output.stdout.as_str()), (1, ""));
    assert_eq!(
        output.stderr,
        "error: spec.strategy.rollingUpdate: invalid patch format of retainKeys; \
         list every field that the patch sets beside `$retainKeys`\n"
    );
    let output = patch("apply", &[&args[..], &["-o", "json"]].concat());
    assert_eq!(
        output.json(),
        json!({ "error": {
            "kind": "BadRetainKeys",
            "message": "invalid patch format of retainKeys",
            "path": "spec.strategy.rollingUpdate",
        }})
    );
}

#[test]
fn the_policy_decides_on_fields_without_a_schema() {
    let live_object = write_file("free_live.yaml", "spec: {a: {b: 1, c: 1}}");
    let patch_file = write_file("free_change.yaml", "spec: {a: {b: 2}}");
    let schema = write_file("free_schema.yaml", "properties: {spec: {}}");
    let args = [
        "patch",
        "apply",
        "--schema",
        &schema,
        "--original",
        &live_object,
        "--patch",
        &patch_file,
    ];
    let output = run(args);
    assert_eq!(output.code, 1);
    assert!(
        output
            .stderr
            .starts_with("error: spec.a: unable to find api field \"a\""),
        "{output:?}"
    );
    let output = run(args.iter().chain(&["--policy", "schemaless", "-o", "json"]));
    assert_eq!(
        output.json(),
        json!({ "spec": { "a": { "b": 2, "c": 1 } } })
    );
}

#[test]
fn custom_resources_are_patched_with_the_schema_of_their_crd() {
    let schema = json!({ "type": "object", "properties": { "spec": {
        "type": "object", "x-kubernetes-patch-strategy": "retainKeys",
    }}});
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "as.example.com" },
        "spec": { "group": "example.com", "names": { "kind": "A", "plural": "as" }, "scope": "Namespaced",
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }] },
    });
    let crd_file = write_file("patch_crd.json", crd.to_string());
    let write_object = |name: &str, kind: &str, spec: &str| {
        let content = format!("apiVersion: example.com/v1\nkind: {kind}\nspec: {spec}\n");
        write_file(&format!("patch_crd_{name}.yaml"), content)
    };
    let (old_file, new_file) = (
        write_object("old", "A", "{x: 1}"),
        write_object("new", "A", "{z: 1}"),
    );
    let diff_to = |new_file: &str| {
        run([
            "patch",
            "diff",
            "--crd",
            &crd_file,
            "--original",
            &old_file,
            "--modified",
            new_file,
            "-o",
            "json",
        ])
    };
    assert_eq!(
        diff_to(&new_file).json(),
        json!({ "spec": { "$retainKeys": ["z"], "x": null, "z": 1 } })
    );
    let object_of_other_kind = write_object("other", "B", "{}");
    let expected = format!(
        "{object_of_other_kind}: {crd_file} does not define B of example.com/v1; it defines A of example.com"
    );
    assert_eq!(diff_to(&object_of_other_kind).error_message(), expected);
}

#[test]
fn invalid_arguments_and_inputs_are_errors() {
    let live_object = sample("patch/live.yaml");
    for (args, expected) in [
        (
            vec![
                "patch",
                "apply",
                "--original",
                &live_object,
                "--patch",
                &live_object,
            ],
            "missing --schema or --crd",
        ),
        (
            vec!["patch", "--schema", &live_object],
            "missing subcommand",
        ),
    ] {
        assert!(run(&args).error_message().contains(expected), "{args:?}");
    }
    let list_file = write_file("patch_list.yaml", "[1]");
    let output = patch(
        "apply",
        &["--original", &list_file, "--patch", "patch.yaml"],
    );
    assert_eq!(
        output.error_message(),
        format!("{list_file}: expected an object, found a list")
    );
    let output = patch("apply", &["--original", "live.yaml", "--patch", "/nowhere"]);
    assert!(
        output
            .error_message()
            .starts_with("/nowhere: cannot read the file (--patch-file): ")
    );
    assert_eq!(patch("apply", &["--original", "live.yaml"]).code, 2);
    assert_eq!(patch("nonsense", &[]).code, 2);
    assert_eq!(run(["patch"]).code, 2);
    let output = run([
        "patch",
        "diff",
        "--schema",
        &sample("patch/openapi.yaml"),
        "--modified",
        &live_object,
    ]);
    assert!(output.error_message().contains("found an OpenAPI document"));
}

/// Writes the live object with this value of the last-applied annotation to a file, and returns its
/// path.
fn write_annotated_object(name: &str, annotation: &serde_json::Value) -> String {
    let object = std::fs::read_to_string(sample("patch/live.yaml")).unwrap();
    let mut object: serde_json::Value = serde_saphyr::from_str(&object).unwrap();
    object["metadata"]["annotations"] =
        json!({ "kubectl.kubernetes.io/last-applied-configuration": annotation });
    write_file(name, object.to_string())
}

/// Returns the three-way patch of a live object to `modified.yaml`, as JSON. `original_args` select
/// the last applied object.
fn three_way_patch(original_args: &[&str], live_file: &str) -> String {
    let args = [
        "--modified",
        "modified.yaml",
        "--current",
        live_file,
        "-o",
        "json",
    ];
    patch("three-way", &[original_args, &args].concat()).stdout
}

#[test]
fn last_applied_reads_and_writes_the_annotation() {
    let last_applied = std::fs::read_to_string(sample("patch/applied.yaml")).unwrap();
    let last_applied: serde_json::Value = serde_saphyr::from_str(&last_applied).unwrap();
    let live_file = write_annotated_object(
        "last_applied_live.json",
        &json!(format!("{last_applied}\n")),
    );
    let parse = |json: &str| -> serde_json::Value { serde_json::from_str(json).unwrap() };
    let patch_by_annotation = three_way_patch(&["--last-applied"], &live_file);
    let mut first_patch = parse(&patch_by_annotation);
    let annotations = first_patch["metadata"]["annotations"].take();
    let patch_by_file = three_way_patch(&["--original", "applied.yaml"], &live_file);
    assert_eq!(first_patch["spec"], parse(&patch_by_file)["spec"]);
    // The annotation has the form that kubectl writes: compact, with sorted keys, without the
    // annotation itself, and with a line break at the end.
    let new_annotation = annotations["kubectl.kubernetes.io/last-applied-configuration"]
        .as_str()
        .unwrap();
    assert!(
        new_annotation.ends_with("}\n")
            && new_annotation.contains("\"metadata\":{\"annotations\":{},"),
        "{new_annotation}"
    );
    let modified_object = std::fs::read_to_string(sample("patch/modified.yaml")).unwrap();
    let modified_object: serde_json::Value = serde_saphyr::from_str(&modified_object).unwrap();
    assert_eq!(parse(new_annotation)["spec"], modified_object["spec"]);
    // A second patch, after the first one is applied, changes nothing.
    let apply = |object_file: &str, patch_file: &str| {
        let args = ["--original", object_file, "--patch", patch_file];
        patch("apply", &[&args[..], &["-o", "json"]].concat())
    };
    let patch_file = write_file("last_applied_patch.json", patch_by_annotation);
    let first_output = apply(&live_file, &patch_file);
    let patched_object = first_output.json();
    let patched_file = write_file("last_applied_after.json", first_output.stdout);
    let second_patch = three_way_patch(&["--last-applied"], &patched_file);
    let patch_file = write_file("last_applied_again.json", second_patch);
    assert_eq!(apply(&patched_file, &patch_file).json(), patched_object);
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "one story from the files to the patch"
)]
fn invalid_annotations_are_errors() {
    for (name, annotation, expected) in [
        ("number", json!(1), "must be a string, not a number"),
        ("text", json!("{"), "has an error at 1:2: incomplete JSON: "),
        ("list", json!("[]"), "must contain an object, not a list"),
    ] {
        let live_file = write_annotated_object(&format!("last_applied_{name}.json"), &annotation);
        let output = patch(
            "three-way",
            &[
                "--last-applied",
                "--modified",
                "modified.yaml",
                "--current",
                &live_file,
            ],
        );
        assert_eq!((output.code, output.stdout.as_str()), (2, ""));
        assert!(
            output.stderr.contains(expected) && output.stderr.contains("to --original"),
            "{}",
            output.stderr
        );
    }
    // The fields that contain the annotation have the wrong type.
    for (name, modified, expected) in [
        (
            "metadata",
            json!({ "metadata": 5 }),
            "metadata must be an object, not a number",
        ),
        (
            "annotations",
            json!({ "metadata": { "annotations": [] } }),
            "metadata.annotations must be an object, not a list",
        ),
    ] {
        let modified = write_file(
            &format!("last_applied_modified_{name}.json"),
            modified.to_string(),
        );
        let output = patch(
            "three-way",
            &[
                "--last-applied",
                "--modified",
                &modified,
                "--current",
                "live.yaml",
            ],
        );
        assert_eq!(output.code, 2);
        assert!(output.stderr.contains(expected), "{}", output.stderr);
    }
    // Without an annotation, the last applied object counts as empty.
    let output = patch(
        "three-way",
        &[
            "--last-applied",
            "--modified",
            "modified.yaml",
            "--current",
            "live.yaml",
        ],
    );
    assert_eq!(output.code, 0);
    assert!(
        output.stderr.contains("removes no fields"),
        "{}",
        output.stderr
    );
}

#[test]
fn another_notation_of_a_number_is_not_a_change() {
    let schema = json!({ "type": "object", "properties": {
        "n": { "type": "number" },
        "set": { "type": "array", "items": { "type": "number" }, "x-kubernetes-patch-strategy": "merge" },
        "list": {
            "type": "array", "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "k",
            "items": { "type": "object", "properties": { "k": { "type": "number" }, "n": { "type": "number" } } },
        },
    } });
    let schema = write_file("numbers_schema.json", schema.to_string());
    let write = |name: &str, number: &str| {
        let text = format!("n: {number}\nset: [{number}]\nlist: [{{k: {number}, n: {number}}}]\n");
        write_file(name, text)
    };
    let mut comparison_count = 0;
    for notations in [
        &["1", "1.0", "1e0", "10e-1", "1.00"][..],
        &["0", "-0", "0.0", "-0.0", "0e5"],
        &["1000", "1e3", "1.0e+3"],
        &["0.5", "5e-1", "0.50"],
        &["9007199254740993"],
        &["18446744073709551615", "18446744073709552000"],
    ] {
        for original in notations {
            for modified in notations {
                let original_file = write("numbers_original.yaml", original);
                let modified_file = write("numbers_modified.yaml", modified);
                let diff = [
                    "patch",
                    "diff",
                    "--schema",
                    &schema,
                    "--original",
                    &original_file,
                    "--modified",
                    &modified_file,
                    "-o",
                    "json",
                ];
                assert_eq!(run(diff).json(), json!({}), "{original} {modified}");
                let three_way = [
                    "patch",
                    "three-way",
                    "--schema",
                    &schema,
                    "--original",
                    &original_file,
                    "--modified",
                    &modified_file,
                    "--current",
                    &original_file,
                    "--refuse-conflicts",
                    "-o",
                    "json",
                ];
                assert_eq!(run(three_way).json(), json!({}), "{original} {modified}");
                comparison_count += 1;
            }
        }
    }
    assert_eq!(comparison_count, 25 + 25 + 9 + 9 + 1 + 4);
}

/// Returns the schema of a list of variables, with the union of `value` and `valueFrom`.
fn variables_schema() -> Value {
    let unions =
        json!([{"fields-to-discriminateBy": {"value": "Value", "valueFrom": "ValueFrom"}}]);
    let variable = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "value": {"type": "string"},
            "valueFrom": {"type": "object", "properties": {"path": {"type": "string"}}},
        },
        "x-kubernetes-unions": unions,
    });
    let list = json!({
        "type": "array",
        "items": variable,
        "x-kubernetes-patch-merge-key": "name",
        "x-kubernetes-patch-strategy": "merge",
    });
    json!({"type": "object", "properties": {"env": list, "one": variable}})
}

#[test]
fn a_patch_that_leaves_two_members_set_has_a_warning() {
    let schema = write_file("patch_union_schema.json", variables_schema().to_string());
    let path = |path: &str| json!({ "path": path });
    let variable = |value: Value| {
        let other = json!({"name": "OTHER", "value": "x"});
        [json!({"env": [other, value]}), json!({ "one": value })]
    };
    // The objects, and the members after the patch with their origins.
    let cases = [
        (
            json!({"name": "NODE", "valueFrom": path("a")}),
            json!({"name": "NODE", "valueFrom": path("b")}),
            json!({"name": "NODE", "value": "by-hand"}),
            "`value` (from the live object) and `valueFrom` (from the author): add `value: null` to the wanted object",
        ),
        (
            json!({"name": "NODE", "value": "a"}),
            json!({"name": "NODE", "value": "b"}),
            json!({"name": "NODE", "valueFrom": path("by-hand")}),
            "`value` (from the author) and `valueFrom` (from the live object): add `valueFrom: null` to the wanted object",
        ),
        (
            json!({"name": "NODE", "valueFrom": path("a")}),
            json!({"name": "NODE", "value": "b"}),
            json!({"name": "NODE", "valueFrom": path("a")}),
            "",
        ),
    ];
    for (original, modified, current, warning) in cases {
        let objects = [variable(original), variable(modified), variable(current)];
        for (index, place) in [(0, "env[1]"), (1, "one")] {
            let [original, modified, current] = [0, 1, 2].map(|object| {
                let file = format!("patch_union_{object}.json");
                write_file(&file, objects[object][index].to_string())
            });
            let output = run([
                "patch",
                "three-way",
                "--schema",
                &schema,
                "--original",
                &original,
                "--modified",
                &modified,
                "--current",
                &current,
                "--overwrite",
            ]);
            let expected = if warning.is_empty() {
                String::new()
            } else {
                format!("warning: after the patch, {place} has {warning}\n")
            };
            assert_eq!((output.code, output.stderr), (0, expected), "{place}");
        }
    }
}

#[test]
fn a_patch_of_a_client_that_leaves_two_members_set_has_a_warning() {
    let schema = write_file(
        "patch_union_client_schema.json",
        variables_schema().to_string(),
    );
    let live = json!({"one": {"value": "a"}});
    let live = write_file("patch_union_live.json", live.to_string());
    let patch = json!({"one": {"valueFrom": {"path": "b"}}});
    let patch = write_file("patch_union_patch.json", patch.to_string());
    let output = run([
        "patch",
        "apply",
        "--schema",
        &schema,
        "--original",
        &live,
        "--patch",
        &patch,
    ]);
    assert!(
        output.stderr.contains("`value` (from the live object)"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_member_that_the_discriminator_does_not_select_has_a_warning() {
    let schema = json!({
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": ["Recreate", "RollingUpdate"]},
            "rollingUpdate": {"type": "object", "properties": {"surge": {"type": "integer"}}},
        },
        "x-kubernetes-unions": [{
            "discriminator": "type",
            "fields-to-discriminateBy": {"rollingUpdate": "RollingUpdate"},
        }],
    });
    let schema = write_file("patch_union_selected.json", schema.to_string());
    let live = json!({"type": "RollingUpdate", "rollingUpdate": {"surge": 1}});
    let live = write_file("patch_union_selected_live.json", live.to_string());
    let patch = write_file("patch_union_selected_patch.json", r#"{"type": "Recreate"}"#);
    let output = run([
        "patch",
        "apply",
        "--schema",
        &schema,
        "--original",
        &live,
        "--patch",
        &patch,
    ]);
    let warning = "warning: after the patch, the object has `rollingUpdate` (from the live object): \
                   add `rollingUpdate: null` to the wanted object\n";
    assert_eq!((output.code, output.stderr.as_str()), (0, warning));
}
