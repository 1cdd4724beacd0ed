//! Tests of the commands that read from a cluster.

use serde_json::{Value, json};

use crate::fake_cluster::{CONTEXT_CALL, CRDS, DATABASES, FakeCluster, sample_object};
use crate::process::{kubectl_union, unionctl, write_file};

const ONE_CRD: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/databases.db.example.com";

/// A command, its exit code, a line of its output, and the requests that it sends.
type CommandCase<'c> = (&'c [&'c str], i32, &'c str, &'c [&'c str]);

const COMMANDS: [CommandCase<'static>; 14] = [
    (
        &["check", "-f", "scaled.yaml"],
        0,
        "update of Database \"default/legacy\"",
        &[
            "/version",
            "/apis/db.example.com/v1",
            ONE_CRD,
            "/apis/db.example.com/v1/namespaces/default/databases/legacy",
        ],
    ),
    (
        &["check", "-f", "switched.yaml", "--kube-version", "1.35"],
        1,
        "  spec.target.s3: Invalid value: may only be specified when `type` is \"S3\"",
        &[
            "/apis/db.example.com/v1",
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/backups.db.example.com",
            "/apis/db.example.com/v1/namespaces/default/backups/nightly",
        ],
    ),
    (
        &["check", "-f", "databases", "--old", "databases"],
        0,
        "skipped: 1 object without a matching CRD",
        &["/version", "/apis/db.example.com/v1", ONE_CRD],
    ),
    (
        &[
            "check",
            "--from-cluster",
            "--crd",
            "database_crd_tight.yaml",
        ],
        0,
        "accepted",
        &["/version", ONE_CRD],
    ),
    (
        &["check", "--from-cluster"],
        0,
        "CustomResourceDefinition \"pipelines.ci.example.com\"",
        &["/version", CRDS],
    ),
    (
        &["tighten", "--crd", "database_crd_tight.yaml"],
        0,
        "cluster: Database \"default/legacy\"",
        &["/version", ONE_CRD, DATABASES],
    ),
    (
        &[
            "tighten",
            "--crd-new",
            "database_crd_tight.yaml",
            "-f",
            "databases",
        ],
        0,
        "checked: 2 objects, skipped: 1 without a matching CRD",
        &["/version", ONE_CRD],
    ),
    (
        &[
            "tighten",
            "--crd",
            "database_crd.yaml",
            "--crd-new",
            "database_crd_tight.yaml",
            "-n",
            "default",
        ],
        0,
        "checked: 2 objects",
        &[
            "/version",
            "/apis/db.example.com/v1/namespaces/default/databases",
        ],
    ),
    (
        &["upgrade", "--to", "1.36"],
        0,
        "1.37 -> 1.36: 0 breaking, 0 changed, 0 notices",
        &[
            "/version",
            CRDS,
            "/apis/db.example.com/v1/backups",
            DATABASES,
            "/apis/ci.example.com/v1/pipelines",
        ],
    ),
    (
        &[
            "upgrade",
            "--from",
            "1.30",
            "--to",
            "1.36",
            "-f",
            "databases",
        ],
        0,
        "checked: 3 CRDs, 2 objects; skipped: 1 without a matching CRD",
        &[CRDS],
    ),
    (
        &["compat", "--crd-new", "crd_next.yaml"],
        1,
        "1 breaking, 1 notice",
        &["/apis/apiextensions.k8s.io/v1/customresourcedefinitions/backups.db.example.com"],
    ),
    (
        &["compat", "--from-cluster"],
        0,
        "found no two versions to compare",
        &[CRDS],
    ),
    (
        &["unions", "--list", "--name", "Backup"],
        0,
        "no strong finding",
        &[CRDS],
    ),
    (
        &["unions", "-f", "switched.yaml"],
        0,
        "  spec.target.s3: cleared",
        &[
            "/apis/db.example.com/v1",
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/backups.db.example.com",
            "/apis/db.example.com/v1/namespaces/default/backups/nightly",
        ],
    ),
];

#[test]
fn commands_read_what_no_flag_names() {
    for (index, (args, code, line, requests)) in COMMANDS.into_iter().enumerate() {
        let cluster = FakeCluster::of_samples(&format!("commands_{index}"));
        let output = cluster.union(args);
        assert_eq!(
            (output.code, &*output.stderr),
            (code, ""),
            "{args:?}: {output:?}"
        );
        let lines: Vec<&str> = output.stdout.lines().collect();
        assert!(lines.contains(&line), "{args:?}: {}", output.stdout);
        assert_eq!(cluster.requests(), requests, "{args:?}");
    }
}

#[test]
fn unionctl_reads_a_cluster_only_with_the_flag() {
    for (index, (args, code, line, _)) in COMMANDS.into_iter().enumerate() {
        let cluster = FakeCluster::of_samples(&format!("unionctl_{index}"));
        if !args.contains(&"--from-cluster") {
            let output = cluster.run(unionctl(args));
            assert_eq!((output.code, &*output.stdout), (2, ""), "{args:?}");
            assert_eq!(cluster.calls(), [""; 0], "{args:?}");
        }
        let flags = args.iter().copied().chain(["--from-cluster"]);
        let flags = flags.take(args.len() + usize::from(!args.contains(&"--from-cluster")));
        let output = cluster.run(unionctl(flags));
        assert_eq!(output.code, code, "{args:?}: {output:?}");
        assert!(output.stdout.lines().any(|other| other == line), "{args:?}");
    }
}

#[test]
fn commands_whose_inputs_are_files_read_no_cluster() {
    let databases = ["--crd", "database_crd.yaml"];
    let tight = ["--crd-new", "database_crd_tight.yaml"];
    let commands: [Vec<&str>; 8] = [
        [&["check", "-f", "databases"][..], &databases].concat(),
        [&["check"][..], &databases].concat(),
        [&["tighten", "-f", "databases"][..], &databases, &tight].concat(),
        [&["compat"][..], &databases, &tight].concat(),
        [&["compat"][..], &databases].concat(),
        [
            &["upgrade", "--from", "1.30", "--to", "1.36"][..],
            &databases,
        ]
        .concat(),
        [&["unions", "--list"][..], &databases].concat(),
        vec![
            "unions",
            "-f",
            "switched.yaml",
            "--crd",
            "crd.yaml",
            "--old",
            "stored.yaml",
        ],
    ];
    let cluster = FakeCluster::new("files");
    for args in commands {
        let [plugin, standalone] =
            [kubectl_union(&args), unionctl(&args)].map(|command| cluster.run(command));
        assert_ne!(plugin.code, 2, "{args:?}: {plugin:?}");
        assert_eq!(
            (plugin.code, plugin.stdout, plugin.stderr),
            (standalone.code, standalone.stdout, standalone.stderr),
            "{args:?}"
        );
        assert_eq!(cluster.calls(), [""; 0], "{args:?}");
        let output = cluster.union(args.iter().copied().chain(["--context", "prod"]));
        assert_eq!(
            output.error_message(),
            "the command line: --context has no effect, because all inputs are files; remove it, or add --from-cluster"
        );
    }
}

#[test]
fn commands_without_inputs_are_usage_errors() {
    for args in [&["check"][..], &["tighten"], &["compat"], &["upgrade"]] {
        let cluster = FakeCluster::new("usage");
        let output = cluster.union(args);
        assert_eq!(output.code, 2, "{args:?}");
        assert!(output.stderr.contains("Usage: kubectl union"), "{output:?}");
        assert_eq!(cluster.calls(), [""; 0], "{args:?}");
    }
}

/// Values that a shell would interpret, or that could be flags, reach kubectl unchanged.
#[test]
fn flags_are_passed_to_kubectl() {
    let cluster = FakeCluster::of_samples("flags");
    let values = ["--server=http://evil", "$(touch pwned); `id` \"' *", "-1s"];
    let flags = ["--context", "--kubeconfig", "--request-timeout"];
    let flags = flags.into_iter().zip(values);
    let flags: Vec<String> = flags
        .map(|(flag, value)| format!("{flag}={value}"))
        .collect();
    let args = ["check", "-f", "scaled.yaml"].map(str::to_owned);
    let output = cluster.union(args.iter().chain(&flags));
    assert_eq!(output.code, 0, "{output:?}");
    let calls = cluster.calls();
    let flags = format!("[{}]", flags.join("]["));
    for call in &calls {
        assert!(call.ends_with(&flags), "{call}");
    }
    assert_eq!(calls[3], format!("{CONTEXT_CALL}{flags}"));
    assert_eq!(calls.len(), 5);
}

#[test]
fn the_selector_and_the_namespace_are_part_of_the_request() {
    let selector = "app in (a,b),tier!=x&limit=1";
    let parameter = "labelSelector=app%20in%20%28a%2Cb%29%2Ctier%21%3Dx%26limit%3D1";
    for (flags, path) in [
        (&["-l", selector][..], format!("{DATABASES}?{parameter}")),
        (&["-A"], DATABASES.to_owned()),
        (
            &["-n", "default"],
            "/apis/db.example.com/v1/namespaces/default/databases".to_owned(),
        ),
    ] {
        let cluster = FakeCluster::of_samples("selector");
        cluster.answer_list(&format!("{DATABASES}?{parameter}"), &[]);
        let args = ["tighten", "--crd", "database_crd_tight.yaml"];
        let output = cluster.union(args.iter().chain(flags));
        assert_eq!(
            (output.code, &*output.stderr),
            (0, ""),
            "{flags:?}: {output:?}"
        );
        assert_eq!(cluster.requests().pop(), Some(path));
    }
    let cluster = FakeCluster::of_samples("namespace");
    for namespace in ["..", "a/../b", "", "-x y"] {
        let output = cluster.union(["upgrade", "--to", "1.36", &format!("-n={namespace}")]);
        assert_eq!(output.code, 3, "{namespace}: {output:?}");
        let message = "not read from the cluster: databases.db.example.com: the namespace, or a name in the CRD, is not a valid name";
        assert!(output.stderr.contains(message), "{namespace}: {output:?}");
    }
}

/// Writes a manifest, and checks it against the cluster of the samples.
#[track_caller]
fn check_manifest(name: &str, manifest: &Value) -> (crate::process::ProgramOutput, Vec<String>) {
    let cluster = FakeCluster::of_samples(name);
    let file = write_file(&format!("cluster_{name}.json"), manifest.to_string());
    let output = cluster.union(["check", "-f", &file]);
    (output, cluster.requests())
}

#[test]
fn names_of_files_cannot_lead_to_other_requests() {
    for (group, version, kind) in [
        ("..", "v1", "Secret"),
        ("a.b/../..", "..", "Secret"),
        ("a.b?x=1", "v1", "Secret"),
        ("--a.b", "v1", "Secret"),
        ("db.example.com", "v1/../v1", "Database"),
        ("db.example.com", "v1", "../Database"),
    ] {
        let manifest = json!({"apiVersion": format!("{group}/{version}"), "kind": kind, "metadata": {"name": "a"}});
        let (output, requests) = check_manifest("hostile_kinds", &manifest);
        assert!(matches!(output.code, 2 | 3), "{output:?}");
        for request in requests {
            let is_harmless = !request.contains("..") && !request.contains('?');
            assert!(is_harmless, "{group} {version} {kind}: {request}");
        }
    }
    for name in [
        "..",
        "../../../../api/v1/secrets",
        "a?b",
        "a%2fb",
        "",
        "-x",
        "a b",
    ] {
        let mut manifest = sample_object("scaled.yaml");
        manifest["metadata"] = json!({"name": name, "namespace": "default"});
        let (output, requests) = check_manifest("hostile_names", &manifest);
        assert!(
            output.stdout.starts_with("creation of"),
            "{name}: {output:?}"
        );
        let last_request = requests.last().unwrap();
        let is_read = last_request.ends_with("/databases/-x");
        assert_eq!(is_read, name == "-x", "{name}: {last_request}");
    }
}

#[test]
fn objects_without_a_namespace_are_in_that_of_the_context() {
    let manifest = sample_object("scaled.yaml");
    assert_eq!(manifest["metadata"].get("namespace"), None);
    let file = write_file("cluster_namespace.json", manifest.to_string());
    for (context, namespace) in [("team-a", "team-a"), ("", "default")] {
        let cluster = FakeCluster::of_samples("context");
        cluster.write("context.json", context);
        let output = cluster.union(["check", "-f", &file]);
        assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
        let title = format!("Database \"{namespace}/legacy\"");
        assert!(output.stdout.contains(&title), "{output:?}");
    }
    let cluster = FakeCluster::of_samples("no_context");
    cluster.fail(
        "context",
        "error: current-context must exist in order to minify",
    );
    let output = cluster.union(["check", "-f", &file]);
    assert_eq!(
        output.stderr,
        "note: kubectl has no context; objects without a namespace are in \"default\", or in the namespace of --namespace\n"
    );
    let cluster = FakeCluster::of_samples("namespace_flag");
    let output = cluster.union(["check", "-f", &file, "-n", "team-b"]);
    assert!(output.stdout.contains("\"team-b/legacy\""), "{output:?}");
    assert!(!cluster.calls().contains(&CONTEXT_CALL.to_owned()));
}

#[test]
fn the_version_is_that_of_the_server() {
    let file = write_file(
        "cluster_old_version.yaml",
        "apiVersion: db.example.com/v1\nkind: Database\nmetadata: {name: a}\nspec: {replicas: 3000000000}\n",
    );
    let mut crd = sample_object("database_crd.yaml");
    let replicas = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/replicas";
    *crd.pointer_mut(replicas).unwrap() = json!({"type": "integer", "format": "int32"});
    for (version, flags, code) in [
        (
            json!({"gitVersion": "v1.35.1-gke.1", "minor": "35+"}),
            &[][..],
            0,
        ),
        (json!({"gitVersion": "v1.36.0", "minor": "36"}), &[], 1),
        (
            json!({"gitVersion": "v1.36.0", "minor": "36", "emulationMinor": "35"}),
            &[],
            0,
        ),
        (
            json!({"gitVersion": "v1.36.0", "minor": "36"}),
            &["--kube-version", "1.35"],
            0,
        ),
        (json!({"gitVersion": "v1.99.0", "minor": "99"}), &[], 1),
        (json!({}), &[], 2),
    ] {
        let cluster = FakeCluster::of_samples("server_version");
        cluster.answer("/version", &version);
        cluster.answer(ONE_CRD, &crd);
        let output = cluster.union(["check", "-f", &file].iter().chain(flags));
        assert_eq!(output.code, code, "{version}: {output:?}");
        let is_noted = output.stderr.contains("it counts as 1.37");
        assert_eq!(is_noted, version["minor"] == "99", "{output:?}");
    }
}

const DEPLOYMENT: &str = "io.k8s.api.apps.v1.Deployment";

/// Returns a cluster with the Deployment of the samples and its `OpenAPI` document, the path of the
/// Deployment, and the Deployment.
fn cluster_with_deployment(name: &str) -> (FakeCluster, String, Value) {
    let cluster = FakeCluster::of_samples(name);
    let mut openapi = sample_object("patch/openapi.yaml");
    let pointer = ["/components/schemas/", DEPLOYMENT].concat();
    let schema = openapi.pointer_mut(&pointer).expect("the schema");
    schema["x-kubernetes-group-version-kind"] =
        json!([{"group": "apps", "version": "v1", "kind": "Deployment"}]);
    cluster.answer("/openapi/v3/apis/apps/v1", &openapi);
    cluster.answer(
        "/apis/apps/v1",
        &json!({"resources": [{"kind": "Deployment", "name": "deployments", "namespaced": true}]}),
    );
    let mut live = sample_object("patch/live.yaml");
    live["metadata"]["namespace"] = json!("default");
    let path = "/apis/apps/v1/namespaces/default/deployments/web";
    cluster.answer(path, &live);
    (cluster, path.to_owned(), live)
}

/// The schema of a built-in kind is the `OpenAPI` document of the cluster.
#[test]
fn a_three_way_patch_uses_the_schema_and_the_live_object_of_the_cluster() {
    let (cluster, path, live) = cluster_with_deployment("three_way");
    let three_way = ["patch", "three-way", "--last-applied", "-f"];
    let output = cluster.union(three_way.iter().chain(&["patch/modified.yaml"]));
    assert_eq!(output.code, 0, "{output:?}");
    // kubectl adds the namespace to the manifest before it computes the patch.
    let mut modified = sample_object("patch/modified.yaml");
    modified["metadata"]["namespace"] = json!("default");
    let modified = write_file("cluster_modified.json", modified.to_string());
    let live = write_file("cluster_live.json", live.to_string());
    let files = [
        &modified,
        "--schema",
        "patch/openapi.yaml",
        "--name",
        DEPLOYMENT,
        "--current",
        &live,
    ];
    let expected = cluster.union(three_way.iter().chain(&files));
    assert_eq!(output.stdout, expected.stdout);

    for (message, reason) in [
        (
            "Error from server (NotFound): deployments.apps \"web\" not found",
            "would create it",
        ),
        ("Error from server (Forbidden): no", "could not be read"),
    ] {
        cluster.fail(&path, message);
        let output = cluster.union(three_way.iter().chain(&["patch/modified.yaml"]));
        assert_eq!((output.code, &*output.stdout), (2, ""));
        assert!(output.stderr.contains(reason), "{output:?}");
    }
}

#[test]
fn a_patch_of_two_files_uses_the_schema_of_the_cluster() {
    let (cluster, path, _) = cluster_with_deployment("diff");
    let original = ["--original", "patch/applied.yaml"];
    let diff = ["patch", "diff", "-f", "patch/modified.yaml"];
    let diff = diff.iter().chain(&original);
    let output = cluster.union(diff.clone());
    let files = ["--schema", "patch/openapi.yaml", "--name", DEPLOYMENT];
    let expected = cluster.union(diff.chain(&files));
    assert_eq!((output.code, output.stdout), (0, expected.stdout));
    assert!(!cluster.requests().contains(&path));
}

/// An API server has no strategic merge patch of a custom resource, and `kubectl apply` sends
/// another patch.
#[test]
fn patches_of_custom_resources_are_rejected() {
    let cluster = FakeCluster::of_samples("patch_of_resource");
    for command in ["diff", "three-way"] {
        let output = cluster.union(["patch", command, "-f", "switched.yaml"]);
        assert_eq!(
            output.error_message(),
            "cluster: API servers do not support strategic merge patches of custom resources; pass --crd for a client that applies the patch itself"
        );
    }
}

#[test]
fn a_crd_that_is_not_stored_is_new() {
    let crd = sample_object("database_crd_tight.yaml").to_string();
    let file = write_file("cluster_new_crd.json", crd.replace("databases", "stores"));
    for args in [
        &["tighten", "--crd", &file][..],
        &["compat", "--crd-new", &file],
        &["check", "--from-cluster", "--crd", &file],
    ] {
        let cluster = FakeCluster::of_samples("new_crd");
        let output = cluster.union(args);
        assert_eq!(output.code, 0, "{output:?}");
        let note = "CustomResourceDefinition \"stores.db.example.com\" is not stored in the cluster; it is new\n";
        assert_eq!(output.stderr, format!("note: {file}: {note}"));
    }
}

/// The stored objects of a kind that the new CRD renames have no schema.
#[test]
fn objects_of_another_kind_than_the_new_crd_are_an_error() {
    let crd = sample_object("database_crd_tight.yaml").to_string();
    let file = write_file(
        "cluster_renamed_kind.json",
        crd.replace("\"Database\"", "\"Store\""),
    );
    let output = FakeCluster::of_samples("renamed").union(["tighten", "--crd", &file]);
    let message = output.error_message();
    assert!(
        message.contains("does not define Database \"legacy\""),
        "{message}"
    );
}
