//! Tests of lists, of objects that no CRD describes, and of files with many documents.

use std::io::Write as _;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::check::folder;
use crate::process::{ProgramOutput, run, run_with_stdin, sample, write_file};

/// Returns the path of a CRD.
fn shop_crd() -> String {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(write_shop_crd).clone()
}

fn write_shop_crd() -> String {
    let schema = json!({
        "type": "object",
        "properties": { "spec": { "type": "object", "properties": {
            "engine": { "type": "string", "enum": ["postgres", "mysql"] },
        } } },
    });
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "databases.shop.example.com" },
        "spec": {
            "group": "shop.example.com",
            "names": { "kind": "Database", "listKind": "DatabaseList", "plural": "databases", "singular": "database" },
            "scope": "Namespaced",
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    });
    write_file("lists_crd.json", crd.to_string())
}

/// Returns an object without a type.
fn untyped(name: &str, engine: &str) -> Value {
    json!({ "metadata": { "name": name }, "spec": { "engine": engine } })
}

fn typed(api_version: &str, kind: &str, name: &str, engine: &str) -> Value {
    let mut object = untyped(name, engine);
    object["apiVersion"] = json!(api_version);
    object["kind"] = json!(kind);
    object
}

fn database(name: &str, engine: &str) -> Value {
    typed("shop.example.com/v1", "Database", name, engine)
}

fn list(api_version: &str, kind: &str, items: &Value) -> Value {
    json!({ "apiVersion": api_version, "kind": kind, "metadata": { "resourceVersion": "7" }, "items": items })
}

fn database_list(items: &Value) -> Value {
    list("shop.example.com/v1", "DatabaseList", items)
}

/// A document, and the results for it.
struct ListCase {
    document: Value,
    /// The numbers of checked and of rejected objects.
    counts: [usize; 2],
    /// The reason for which objects are named and not checked.
    reason: Option<&'static str>,
}

const UNKNOWN_KIND: &str = "no CRD defines this kind";
const NO_KIND: &str = "`kind` is missing, or is not a string";
const NO_VERSION: &str = "`apiVersion` is missing, or is not a string";

/// The numbers of checked and of rejected objects, and the reason for which objects are named.
type ListResult = ([usize; 2], Option<&'static str>);

fn list_cases() -> Vec<ListCase> {
    let cases = typed_lists()
        .into_iter()
        .chain(lists_of_kubectl())
        .chain(single_objects());
    let cases = cases.map(|(document, (counts, reason))| ListCase {
        document,
        counts,
        reason,
    });
    cases.collect()
}

fn without_field(mut object: Value, field: &str) -> Value {
    object.as_object_mut().unwrap().remove(field);
    object
}

fn good() -> Value {
    database("one", "postgres")
}

fn bad() -> Value {
    database("two", "oracle")
}

/// Lists as an API server writes them.
fn typed_lists() -> Vec<(Value, ListResult)> {
    let untyped_items = json!([untyped("one", "mysql"), untyped("two", "oracle")]);
    let items_without_version = json!([without_field(bad(), "apiVersion")]);
    let cache = || typed("shop.example.com/v1", "Cache", "c", "none");
    let without_items = without_field(database_list(&Value::Null), "items");
    let caches = list(
        "shop.example.com/v1",
        "CacheList",
        &json!([untyped("c", "none")]),
    );
    let deployments = list(
        "apps/v1",
        "DeploymentList",
        &json!([untyped("web", "none")]),
    );
    let other_version = list("shop.example.com/v9", "DatabaseList", &json!([bad()]));
    vec![
        (database_list(&json!([good(), bad()])), ([2, 1], None)),
        (database_list(&untyped_items), ([2, 1], None)),
        (database_list(&json!([])), ([0, 0], None)),
        (database_list(&Value::Null), ([0, 0], None)),
        (without_items, ([0, 0], Some("a list must have `items`"))),
        (
            database_list(&json!([good(), cache()])),
            ([1, 0], Some(UNKNOWN_KIND)),
        ),
        (
            database_list(&items_without_version),
            ([0, 0], Some(NO_VERSION)),
        ),
        (deployments, ([0, 0], None)),
        (caches, ([0, 0], Some(UNKNOWN_KIND))),
        (other_version, ([0, 0], Some("the CRD defines only v1"))),
    ]
}

/// Lists of the kind `List`.
fn lists_of_kubectl() -> Vec<(Value, ListResult)> {
    let kubectl_list = |items: &Value| list("v1", "List", items);
    let inner_list = json!([database_list(&json!([bad()]))]);
    let nested_list = "kubectl does not read a list inside of a list";
    let null_item = "an element of a list must be an object, not null";
    vec![
        (kubectl_list(&json!([good(), bad()])), ([2, 1], None)),
        (kubectl_list(&json!([])), ([0, 0], None)),
        (kubectl_list(&Value::Null), ([0, 0], None)),
        (kubectl_list(&inner_list), ([0, 0], Some(nested_list))),
        (
            kubectl_list(&json!([null, good()])),
            ([1, 0], Some(null_item)),
        ),
        (
            kubectl_list(&json!([without_field(bad(), "kind")])),
            ([0, 0], Some(NO_KIND)),
        ),
    ]
}

fn single_objects() -> Vec<(Value, ListResult)> {
    let other_version = typed("shop.example.com/v9", "Database", "one", "mysql");
    let other_case = typed("shop.example.com/v1", "database", "one", "mysql");
    let other_kind = typed("shop.example.com/v1", "Cache", "c", "none");
    let other_group = typed("else.example.net/v1", "Database", "one", "oracle");
    vec![
        (bad(), ([1, 1], None)),
        (other_version, ([1, 1], None)),
        (other_kind, ([0, 0], Some(UNKNOWN_KIND))),
        (other_case, ([0, 0], Some("write the kind as Database"))),
        (other_group, ([0, 0], None)),
        (without_field(bad(), "kind"), ([0, 0], Some(NO_KIND))),
        (
            without_field(bad(), "apiVersion"),
            ([0, 0], Some(NO_VERSION)),
        ),
        (json!({ "kind": "Values", "items": [1] }), ([0, 0], None)),
    ]
}

#[test]
fn lists_in_folders_are_checked_and_what_is_not_checked_is_named() {
    let crd = shop_crd();
    for (index, case) in list_cases().iter().enumerate() {
        let folder = folder(
            &format!("lists_{index}"),
            &[
                ("case.json", case.document.to_string()),
                ("good.json", database("good", "mysql").to_string()),
            ],
        );
        let check = |flags: &[&str]| {
            run(["check", "--crd", &crd, "--new", &folder]
                .iter()
                .chain(flags))
        };
        let document = &case.document;
        let output = check(&["-o", "json"]);
        let json = output.json();
        let [checked, rejected] = case.counts;
        let counts = json!([json["objects"].as_array().unwrap().len(), json["refused"]]);
        assert_eq!(counts, json!([checked + 1, rejected]), "{document}");
        let unchecked = &json["unchecked"];
        assert_eq!(unchecked[0]["reason"].as_str(), case.reason, "{document}");
        assert_eq!(output.code, i32::from(rejected > 0), "{document}");
        let text = check(&[]).stdout;
        if let Some(reason) = case.reason {
            assert!(
                text.contains("not checked:\n") && text.contains(reason),
                "{text}"
            );
        }
        let strict_output = check(&["--strict-kinds"]);
        let is_rejected = rejected > 0 || case.reason.is_some();
        assert_eq!(strict_output.code, i32::from(is_rejected), "{document}");
        let verdict = if is_rejected {
            "rejected\n"
        } else {
            "accepted\n"
        };
        assert!(
            strict_output.stdout.ends_with(verdict),
            "{}",
            strict_output.stdout
        );
        check_tighten(&crd, &folder, case);
    }
}

/// Asserts that `tighten` evaluates and names the same objects.
#[track_caller]
fn check_tighten(crd: &str, folder: &str, case: &ListCase) {
    let tighten = |flags: &[&str]| {
        let args = [
            "tighten",
            "--crd",
            crd,
            "--crd-new",
            crd,
            "--objects",
            folder,
        ];
        run(args.iter().chain(flags))
    };
    let document = &case.document;
    let json = tighten(&["-o", "json"]).json();
    assert_eq!(
        json["summary"]["objects"],
        json!(case.counts[0] + 1),
        "{document}"
    );
    assert_eq!(
        json["unchecked"][0]["reason"].as_str(),
        case.reason,
        "{document}"
    );
    let output = tighten(&["--strict-kinds"]);
    if let Some(reason) = case.reason {
        assert_eq!(output.code, 1, "{document}");
        assert!(output.stdout.contains(reason), "{}", output.stdout);
        assert!(output.stdout.ends_with("rejected\n"), "{}", output.stdout);
    }
}

#[test]
fn a_list_may_be_a_single_file() {
    let crd = shop_crd();
    let check = |document: &Value| {
        run_with_stdin(["check", "--crd", &crd, "--new", "-"], document.to_string())
    };
    let output = check(&database_list(&json!([])));
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, "0 objects\naccepted\n")
    );
    let output = check(&database_list(&json!([untyped("two", "oracle")])));
    assert_eq!(output.code, 1);
    assert!(
        output
            .stdout
            .starts_with("creation of Database \"default/two\"\nerrors:\n"),
        "{}",
        output.stdout
    );
    for (document, message) in [
        (
            list("shop.example.com/v9", "DatabaseList", &json!([])),
            format!(
                "stdin: {crd} does not define DatabaseList of shop.example.com/v9 (the CRD defines only v1); it defines Database of shop.example.com"
            ),
        ),
        (
            list(
                "shop.example.com/v1",
                "CacheList",
                &json!([untyped("a", "x"), untyped("b", "x")]),
            ),
            format!(
                "stdin: {crd} does not define the kind of any of the 2 objects; it defines Database of shop.example.com; \
                 not checked: stdin: Cache \"a\" of shop.example.com/v1: no CRD defines this kind (and 1 object like this)"
            ),
        ),
    ] {
        assert_eq!(check(&document).error_message(), message);
    }
}

#[test]
fn several_files_and_folders_may_be_passed() {
    let crd = shop_crd();
    let folder = folder(
        "lists_several",
        &[("good.json", database("good", "mysql").to_string())],
    );
    let file = write_file(
        "lists_several.json",
        database_list(&json!([untyped("two", "oracle")])).to_string(),
    );
    let invalid_file = write_file("lists_several_invalid.json", "{");
    let check = |files: &[&str]| {
        let flags = files.iter().flat_map(|file| ["-f", file]);
        run(["check", "--crd", &crd, "-o", "json"]
            .into_iter()
            .chain(flags))
    };
    let json = check(&[&folder, &file]).json();
    assert_eq!([&json["accepted"], &json["refused"]], [1, 1]);
    let output = check(&[&file, &invalid_file]);
    assert_eq!((output.code, &output.json()["not_read"]), (2, &json!(1)));
    let args = [
        "tighten",
        "--crd",
        &crd,
        "--crd-new",
        &crd,
        "-o",
        "json",
        "-f",
        &folder,
        "-f",
        &file,
    ];
    assert_eq!(run(args).json()["summary"]["objects"], 2);
    let output = run(["check", "--crd", &folder, "-f", &file]);
    let message =
        format!("{folder}: no CustomResourceDefinition found; pass a file with one to --crd");
    assert_eq!(output.error_message(), message);
}

/// A kind whose name ends with `List` may have a field `items`.
#[test]
fn an_object_with_a_name_is_not_a_list() {
    let crd = std::fs::read_to_string(shop_crd()).unwrap();
    let crd = write_file("lists_allow_crd.json", crd.replace("Database", "AllowList"));
    let mut object = typed("shop.example.com/v1", "AllowList", "one", "mysql");
    object["items"] = json!([{ "a": 1 }]);
    let output = run_with_stdin(
        ["check", "--validate=ignore", "--crd", &crd, "--new", "-"],
        object.to_string(),
    );
    assert_eq!(
        output.stdout,
        "creation of AllowList \"default/one\"\nno errors\naccepted\n"
    );
}

#[test]
fn positions_and_duplicate_keys_of_objects_without_a_type_are_reported() {
    let source = "apiVersion: shop.example.com/v1\nkind: DatabaseList\nitems:\n- metadata:\n    name: one\n  spec:\n    engin: mysql\n    engine: mysql\n    engine: mysql\n";
    let file = write_file("lists_positions.yaml", source);
    let output = run(["check", "--crd", &shop_crd(), "--new", &file]);
    assert_eq!(output.code, 1);
    for line in [
        format!("{file}:7:5: unknown field \"spec.engin\"; did you mean \"engine\"?"),
        format!("{file}:9:5: duplicate key \"engine\""),
    ] {
        assert!(output.stdout.contains(&line), "{}", output.stdout);
    }
}

#[test]
fn stored_objects_of_lists_are_matched() {
    let old = write_file(
        "lists_old.json",
        database_list(&json!([untyped("one", "oracle")])).to_string(),
    );
    let new = write_file(
        "lists_new.json",
        database_list(&json!([untyped("one", "oracle"), untyped("two", "mysql")])).to_string(),
    );
    let args = [
        "check",
        "--crd",
        &shop_crd(),
        "--old",
        &old,
        "--new",
        &new,
        "-o",
        "json",
    ];
    let json = run(args).json();
    let operations = json["objects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|object| &object["op"]);
    assert_eq!(operations.collect::<Vec<_>>(), ["update", "create"]);
    assert_eq!(json["refused"], 0);
    // An empty list of stored objects makes each request a create.
    let old = write_file("lists_no_old.json", database_list(&Value::Null).to_string());
    let args = [
        "check",
        "--crd",
        &shop_crd(),
        "--old",
        &old,
        "--new",
        &new,
        "-o",
        "json",
    ];
    assert_eq!(run(args).json()["refused"], 1);
}

#[test]
fn unions_and_patch_read_the_object_of_a_list() {
    let backup = json!({ "metadata": { "name": "nightly" }, "spec": { "target": { "type": "S3", "s3": { "bucket": "b" } } } });
    let backup_list = list("db.example.com/v1", "BackupList", &json!([backup]));
    let output = run_with_stdin(
        ["unions", "--crd", &sample("crd.yaml"), "--new", "-"],
        backup_list.to_string(),
    );
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output.stdout.contains("  kind: Backup\n"),
        "{}",
        output.stdout
    );
    let deployment = json!({ "metadata": { "name": "web" }, "spec": { "replicas": 2 } });
    let deployment_list = list("apps/v1", "DeploymentList", &json!([deployment]));
    let schema = sample("patch/openapi.yaml");
    let name = "io.k8s.api.apps.v1.Deployment";
    let output = run_with_stdin(
        [
            "patch",
            "diff",
            "--schema",
            &schema,
            "--name",
            name,
            "--modified",
            "-",
            "-o",
            "json",
        ],
        deployment_list.to_string(),
    );
    let expected = json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web" }, "spec": { "replicas": 2 } });
    assert_eq!(output.json(), expected);
}

/// A CRD may be in a list, as `kubectl get --raw` writes it.
#[test]
fn crds_are_read_from_a_list() {
    let mut crd: Value =
        serde_json::from_str(&std::fs::read_to_string(shop_crd()).unwrap()).unwrap();
    let fields = crd.as_object_mut().unwrap();
    fields.remove("apiVersion");
    fields.remove("kind");
    let crd_list = list(
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinitionList",
        &json!([crd]),
    );
    let crd_list = write_file("lists_crds.json", crd_list.to_string());
    let output = run_with_stdin(
        ["check", "--crd", &crd_list, "--new", "-"],
        database("one", "mysql").to_string(),
    );
    assert_eq!(output.code, 0, "{output:?}");
}

fn gzip(content: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content.as_ref()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn files_that_are_compressed_with_gzip_are_read() {
    let crd = std::fs::read(shop_crd()).unwrap();
    let compressed_crd = write_file("lists_crd.json.gz", gzip(crd));
    let documents = format!(
        "{}\n---\n{}\n",
        database("one", "mysql"),
        database("two", "oracle")
    );
    // A file of several gzip streams has the content of all.
    let (start, end) = documents.split_at(40);
    let content = [gzip(start), gzip(end)].concat();
    let folder = folder(
        "lists_gzip",
        &[("good.yaml", database("good", "mysql").to_string())],
    );
    for name in ["a.yaml.gz", "b.json.GZ", "ignored.gz", "ignored.txt.gz"] {
        std::fs::write(format!("{folder}/{name}"), &content).unwrap();
    }
    let counts = |output: &ProgramOutput| {
        let json = output.json();
        [
            json["accepted"].as_u64().unwrap(),
            json["refused"].as_u64().unwrap(),
        ]
    };
    let output = run([
        "check",
        "--crd",
        &compressed_crd,
        "--new",
        &folder,
        "-o",
        "json",
    ]);
    assert_eq!(counts(&output), [3, 2]);
    let output = run_with_stdin(
        [
            "check",
            "--crd",
            &compressed_crd,
            "--new",
            "-",
            "-o",
            "json",
        ],
        content,
    );
    assert_eq!(counts(&output), [1, 1]);
}

#[test]
fn compressed_files_that_cannot_be_read_are_errors() {
    let crd = shop_crd();
    let incomplete = gzip(database("one", "mysql").to_string());
    let bomb = gzip(vec![b'['; 70 << 20]);
    let documents = "a: 1\n---\n".repeat(1000);
    for (content, message) in [
        (
            &incomplete[..incomplete.len() / 2],
            "stdin: cannot read the file (--filename): ",
        ),
        (
            b"\x1f\x8bnot gzip",
            "stdin: cannot read the file (--filename): ",
        ),
        (
            &bomb,
            "stdin:1:1: the document exceeds the limit of 64 MiB; write its objects as separate documents",
        ),
        (
            b"\x28\xb5\x2f\xfd",
            "stdin: cannot read the file (--filename): the file is compressed with zstd; decompress it, or compress it with gzip",
        ),
        (
            b"BZh91AY&SY",
            "stdin: cannot read the file (--filename): the file is compressed with bzip2; decompress it, or compress it with gzip",
        ),
        (
            b"PK\x03\x04",
            "stdin: cannot read the file (--filename): the file is compressed with zip; decompress it, or compress it with gzip",
        ),
        (
            b"\xfd7zXZ\0",
            "stdin: cannot read the file (--filename): the file is compressed with xz; decompress it, or compress it with gzip",
        ),
        (
            documents.as_bytes(),
            "-: no objects found; pass a file or folder with objects to --filename",
        ),
    ] {
        let output = run_with_stdin(["check", "--crd", &crd, "--new", "-"], content);
        let error = output.error_message();
        assert!(
            error.starts_with(message) || error.contains("does not define the kind"),
            "{error}"
        );
    }
    // The limit of other files is the same after decompression.
    let output = run_with_stdin(["check", "--crd", "-"], bomb);
    assert_eq!(
        output.error_message(),
        "stdin: the file exceeds the limit of 64 MiB"
    );
}

#[test]
fn the_number_of_documents_is_not_limited() {
    let crd = shop_crd();
    let document = format!("{}\n---\n", database("one", "mysql"));
    let output = run_with_stdin(
        ["check", "--crd", &crd, "--new", "-"],
        document.repeat(3_000),
    );
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert!(
        output.stdout.contains("Database     3000      3000"),
        "{}",
        output.stdout
    );
    // There is no verdict before the last document is read.
    let output = run_with_stdin(
        ["check", "--crd", &crd, "--new", "-"],
        document.repeat(3_000) + "a: [",
    );
    assert_eq!(
        output.error_message(),
        "stdin:6001:4: invalid YAML: `]` is missing"
    );
}

/// The documents exceed the limit of the address space.
#[test]
#[cfg(target_os = "linux")]
fn the_memory_does_not_depend_on_the_number_of_documents() {
    let mut object = database("one", "mysql");
    object["metadata"]["annotations"] = json!({ "note": "x".repeat(20 << 10) });
    let documents = format!("{object}\n").repeat(6_000);
    let file = write_file("lists_many_documents.json", documents);
    let limit_kib = 100 << 10;
    assert!(std::fs::metadata(&file).unwrap().len() > limit_kib << 10);
    let script = format!("ulimit -v {limit_kib}; exec \"$0\" check --crd \"$1\" --new \"$2\"");
    let args = [
        "-c",
        &script,
        env!("CARGO_BIN_EXE_unionctl"),
        &shop_crd(),
        &file,
    ];
    let output = std::process::Command::new("sh").args(args).output();
    std::fs::remove_file(&file).unwrap();
    let output = crate::process::program_output(&output.unwrap());
    assert_eq!(output.code, 0, "{output:?}");
}
