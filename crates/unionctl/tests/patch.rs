//! Tests of `unionctl patch diff`, `apply`, `three-way` and `compose` with documents in files.

use serde_json::json;

use crate::process::{ProgramOutput, file, run, run_with, sample};

const NAME: &str = "io.k8s.api.apps.v1.Deployment";

/// Runs a subcommand of `patch` on samples, with the schema of the samples.
#[track_caller]
fn patch(op: &str, args: &[&str]) -> ProgramOutput {
    run(line(op, args))
}

fn line(op: &str, args: &[&str]) -> Vec<String> {
    let schema = sample("patch/openapi.yaml");
    let mut line = ["patch", op, "--schema", &schema, "--name", NAME].map(str::to_owned);
    let mut all: Vec<String> = line.iter_mut().map(std::mem::take).collect();
    all.extend(args.iter().map(|arg| match arg.strip_suffix(".yaml") {
        Some(_) if !arg.contains('/') => sample(&format!("patch/{arg}")),
        _ => (*arg).to_owned(),
    }));
    all
}

const PATCH: &str = "\
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
    let found: serde_json::Value = serde_saphyr::from_str(&output.stdout).unwrap();
    let expected: serde_json::Value = serde_saphyr::from_str(PATCH).unwrap();
    assert_eq!(found, expected);
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
    let live = std::fs::read_to_string(sample("patch/live.yaml")).unwrap();
    let output = run_with(
        line("apply", &["--original", "-", "--patch", "patch.yaml"]),
        live,
    );
    let found: serde_json::Value = serde_saphyr::from_str(&output.stdout).unwrap();
    assert_eq!((output.code, found), (0, object));
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
    let with = |more: &[&'static str]| {
        let args: Vec<&str> = args.iter().chain(more).copied().collect();
        patch("three-way", &args)
    };
    let output = with(&["--refuse-conflicts"]);
    assert_eq!((output.code, output.stdout.as_str()), (1, ""));
    assert_eq!(
        output.stderr,
        "error: spec.replicas: the patch sets 2, but the live object was changed to 5; use that value, or remove --refuse-conflicts\n"
    );
    let rejected = with(&["--refuse-conflicts", "-o", "json"]);
    let error = &rejected.json()["error"];
    assert_eq!((rejected.code, &error["kind"]), (1, &json!("Conflict")));
    assert_eq!(
        error["conflicts"],
        json!([{ "path": "spec.replicas", "patch": 2, "changed": 5 }])
    );
    let overwritten = with(&["-o", "json"]);
    assert_eq!(overwritten.code, 0);
    assert_eq!(
        with(&["--overwrite", "-o", "json"]).stdout,
        overwritten.stdout
    );
    let path = file("overwrite_patch.json", &overwritten.stdout);
    let applied = patch(
        "apply",
        &["--original", "live.yaml", "--patch", &path, "-o", "json"],
    );
    assert_eq!(
        applied.json()["spec"],
        json!({
            "replicas": 2,
            "strategy": { "type": "Recreate" },
            "containers": [{ "name": "mesh", "image": "mesh:7" }, { "name": "app", "image": "app:2" }],
        })
    );
}

#[test]
fn warnings_are_on_stderr() {
    let schema = file(
        "ports_schema.yaml",
        "properties: {ports: {items: {properties: {port: {}}}, x-kubernetes-patch-strategy: merge, x-kubernetes-patch-merge-key: port}}",
    );
    let [both, one] = [
        (
            "both",
            "[{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]",
        ),
        ("one", "[{port: 53, protocol: UDP}]"),
    ]
    .map(|(name, ports)| file(&format!("ports_{name}.yaml"), format!("ports: {ports}")));
    let args = [
        "patch",
        "diff",
        "--schema",
        &schema,
        "--original",
        &both,
        "--modified",
        &one,
    ];
    let output = run(args.iter().chain(&["-o", "json"]));
    assert_eq!(
        (output.code, output.json()),
        (
            0,
            json!({ "ports": [{ "$patch": "replace" }, { "port": 53, "protocol": "UDP" }] })
        )
    );
    let start = "warning: ports: elements have the same `port`: {\"port\":53,\"protocol\":\"UDP\"}, {\"port\":53,\"protocol\":\"TCP\"}; ";
    assert!(output.stderr.starts_with(start), "{}", output.stderr);
}

#[test]
fn a_patch_must_not_change_fields_of_unchanged() {
    let renamed = file(
        "renamed.yaml",
        "kind: Deployment\nmetadata: {name: other}\n",
    );
    let args = [
        "--original",
        "applied.yaml",
        "--modified",
        &renamed,
        "--unchanged",
    ];
    let with = |field: &'static str| {
        let args: Vec<&str> = args.iter().copied().chain([field]).collect();
        patch("diff", &args)
    };
    assert_eq!(with("kind").code, 0);
    for field in ["metadata.name", "apiVersion"] {
        let output = with(field);
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
fn compose_combines_patches() {
    let [one, other] = [
        ("one", "{a: 1, replicas: 1}"),
        ("two", "{b: null, replicas: 2}"),
    ]
    .map(|(name, spec)| file(&format!("compose_{name}.yaml"), format!("spec: {spec}")));
    let output = patch(
        "compose",
        &["--patch", &one, "--patch", &other, "-o", "json"],
    );
    assert_eq!(
        output.json(),
        json!({ "spec": { "a": 1, "b": null, "replicas": 2 } })
    );
}

#[test]
fn errors_have_a_path_and_a_remedy() {
    let bad = file(
        "bad_patch.yaml",
        "spec: {strategy: {$retainKeys: [type], type: Recreate, rollingUpdate: {}}}",
    );
    let args = ["--original", "live.yaml", "--patch", &bad];
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
    let live = file("free_live.yaml", "spec: {a: {b: 1, c: 1}}");
    let change = file("free_change.yaml", "spec: {a: {b: 2}}");
    let schema = file("free_schema.yaml", "properties: {spec: {}}");
    let args = [
        "patch",
        "apply",
        "--schema",
        &schema,
        "--original",
        &live,
        "--patch",
        &change,
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
fn custom_resources_by_their_crd() {
    let schema = json!({ "type": "object", "properties": { "spec": {
        "type": "object", "x-kubernetes-patch-strategy": "retainKeys",
    }}});
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "as.example.com" },
        "spec": { "group": "example.com", "names": { "kind": "A", "plural": "as" }, "scope": "Namespaced",
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }] },
    });
    let crd = file("patch_crd.json", crd.to_string());
    let object = |name: &str, kind: &str, spec: &str| {
        let text = format!("apiVersion: example.com/v1\nkind: {kind}\nspec: {spec}\n");
        file(&format!("patch_crd_{name}.yaml"), text)
    };
    let (old, new) = (object("old", "A", "{x: 1}"), object("new", "A", "{z: 1}"));
    let diff = |new: &str| {
        run([
            "patch",
            "diff",
            "--crd",
            &crd,
            "--original",
            &old,
            "--modified",
            new,
            "-o",
            "json",
        ])
    };
    assert_eq!(
        diff(&new).json(),
        json!({ "spec": { "$retainKeys": ["z"], "x": null, "z": 1 } })
    );
    let other = object("other", "B", "{}");
    let expected =
        format!("{other}: {crd} does not define B of example.com/v1; it defines A of example.com");
    assert_eq!(diff(&other).problem(), expected);
}

#[test]
fn invalid_arguments_and_inputs_are_errors() {
    let live = sample("patch/live.yaml");
    for (args, expected) in [
        (
            vec!["patch", "apply", "--original", &live, "--patch", &live],
            "missing --schema or --crd",
        ),
        (vec!["patch", "--schema", &live], "missing subcommand"),
    ] {
        assert!(run(&args).problem().contains(expected), "{args:?}");
    }
    let list = file("patch_list.yaml", "[1]");
    let output = patch("apply", &["--original", &list, "--patch", "patch.yaml"]);
    assert_eq!(
        output.problem(),
        format!("{list}: expected an object, found a list")
    );
    let output = patch("apply", &["--original", "live.yaml", "--patch", "/nowhere"]);
    assert!(
        output
            .problem()
            .starts_with("/nowhere: cannot read the file (--patch): ")
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
        &live,
    ]);
    assert!(output.problem().contains("found an OpenAPI document"));
}

/// Writes the live object with this value of the last-applied annotation to a file, and returns its
/// path.
fn annotated(name: &str, annotation: &serde_json::Value) -> String {
    let live = std::fs::read_to_string(sample("patch/live.yaml")).unwrap();
    let mut live: serde_json::Value = serde_saphyr::from_str(&live).unwrap();
    live["metadata"]["annotations"] =
        json!({ "kubectl.kubernetes.io/last-applied-configuration": annotation });
    file(name, live.to_string())
}

#[test]
fn last_applied_reads_and_writes_the_annotation() {
    let applied = std::fs::read_to_string(sample("patch/applied.yaml")).unwrap();
    let applied: serde_json::Value = serde_saphyr::from_str(&applied).unwrap();
    let live = annotated("last_applied_live.json", &json!(format!("{applied}\n")));
    let by_annotation = [
        "--last-applied",
        "--modified",
        "modified.yaml",
        "--current",
        &live,
        "-o",
        "json",
    ];
    let by_file = [
        "--original",
        "applied.yaml",
        "--modified",
        "modified.yaml",
        "--current",
        &live,
        "-o",
        "json",
    ];
    let mut patched = patch("three-way", &by_annotation).json();
    let annotations = patched["metadata"]["annotations"].take();
    assert_eq!(patched["spec"], patch("three-way", &by_file).json()["spec"]);
    // The annotation has the form that kubectl writes: compact, with sorted keys, without the
    // annotation itself, and with a line break at the end.
    let text = annotations["kubectl.kubernetes.io/last-applied-configuration"]
        .as_str()
        .unwrap();
    assert!(
        text.ends_with("}\n") && text.contains("\"metadata\":{\"annotations\":{},"),
        "{text}"
    );
    let written: serde_json::Value = serde_json::from_str(text).unwrap();
    let modified = std::fs::read_to_string(sample("patch/modified.yaml")).unwrap();
    let modified: serde_json::Value = serde_saphyr::from_str(&modified).unwrap();
    assert_eq!(written["spec"], modified["spec"]);
    // A second patch, after the first one is applied, changes nothing.
    let path = file(
        "last_applied_patch.json",
        patch("three-way", &by_annotation).stdout,
    );
    let after = patch(
        "apply",
        &["--original", &live, "--patch", &path, "-o", "json"],
    );
    let object = after.json();
    let after = file("last_applied_after.json", after.stdout);
    let again = [
        "--last-applied",
        "--modified",
        "modified.yaml",
        "--current",
        &after,
        "-o",
        "json",
    ];
    let path = file("last_applied_again.json", patch("three-way", &again).stdout);
    let args = ["--original", &after, "--patch", &path, "-o", "json"];
    assert_eq!(patch("apply", &args).json(), object);
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
        let live = annotated(&format!("last_applied_{name}.json"), &annotation);
        let output = patch(
            "three-way",
            &[
                "--last-applied",
                "--modified",
                "modified.yaml",
                "--current",
                &live,
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
    for (name, modified, place) in [
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
        let modified = file(
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
        assert!(output.stderr.contains(place), "{}", output.stderr);
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
    let schema = file("numbers_schema.json", schema.to_string());
    let document = |name: &str, number: &str| {
        let text = format!("n: {number}\nset: [{number}]\nlist: [{{k: {number}, n: {number}}}]\n");
        file(name, text)
    };
    let mut compared = 0;
    for same in [
        &["1", "1.0", "1e0", "10e-1", "1.00"][..],
        &["0", "-0", "0.0", "-0.0", "0e5"],
        &["1000", "1e3", "1.0e+3"],
        &["0.5", "5e-1", "0.50"],
        &["9007199254740993"],
        &["18446744073709551615", "18446744073709552000"],
    ] {
        for original in same {
            for modified in same {
                let was = document("numbers_original.yaml", original);
                let is = document("numbers_modified.yaml", modified);
                let diff = [
                    "patch",
                    "diff",
                    "--schema",
                    &schema,
                    "--original",
                    &was,
                    "--modified",
                    &is,
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
                    &was,
                    "--modified",
                    &is,
                    "--current",
                    &was,
                    "--refuse-conflicts",
                    "-o",
                    "json",
                ];
                assert_eq!(run(three_way).json(), json!({}), "{original} {modified}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 25 + 25 + 9 + 9 + 1 + 4);
}
