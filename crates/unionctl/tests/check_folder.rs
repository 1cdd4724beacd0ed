//! Tests of `unionctl check` with folders.

use serde_json::json;

use crate::check::{check, database, folder};
use crate::hints::{farm, farm_crd};
use crate::process::{run, sample};

#[test]
fn the_report_on_a_folder_ends_with_a_summary() {
    let output = check(&["--new", &sample("databases")]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    let (_, summary) = output.stdout.split_once("\n\n").unwrap();
    assert_eq!(
        summary,
        "kind      objects  accepted  tolerated  warned  rejected\n\
         Database        2         1          0       0         1\n\
         skipped: 1 object without a matching CRD\nrejected\n"
    );
}

#[test]
fn objects_of_two_folders_are_matched_by_namespace_and_name() {
    let legacy = database(
        "legacy",
        &json!({ "engine": "Ingres", "owner": "alice", "replicas": 2 }),
    );
    let new_database = database("new", &json!({ "engine": "MySQL" }));
    let mut other_namespace = legacy.clone();
    other_namespace["metadata"]["namespace"] = json!("elsewhere");
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": [legacy, other_namespace] });
    let helm_values = "engine: MySQL\n".to_owned();
    let files = [
        ("a.json", list.to_string()),
        ("deep/er/b.yml", new_database.to_string()),
        ("values.yaml", helm_values),
        ("notes.txt", "{".to_owned()),
    ];
    let folder = folder("check_pairs", &files);
    let output = check(&[
        "--old",
        &sample("databases"),
        "--new",
        &folder,
        "-o",
        "json",
    ]);
    let json = output.json();
    let objects = json["objects"].as_array().unwrap();
    let namespaces_and_operations: Vec<_> = objects
        .iter()
        .map(|object| {
            (
                object["namespace"].as_str().unwrap(),
                object["op"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        namespaces_and_operations,
        [
            ("default", "update"),
            ("elsewhere", "create"),
            ("default", "create")
        ]
    );
    assert_eq!(
        (&json["accepted"], &json["refused"], &json["skipped"]),
        (&json!(2), &json!(1), &json!(1))
    );
    assert_eq!(output.code, 1);
}

#[test]
fn an_invalid_file_does_not_stop_the_check() {
    let valid_database = database("good", &json!({})).to_string();
    let folder = folder(
        "check_unread",
        &[("a.yaml", "a: [".to_owned()), ("b.yaml", valid_database)],
    );
    let output = check(&["--new", &folder]);
    assert_eq!(output.code, 2);
    assert!(
        output.stdout.contains("Database        1         1"),
        "{}",
        output.stdout
    );
    assert!(
        output.stdout.contains("not read: 1 file\n"),
        "{}",
        output.stdout
    );
    assert!(
        output
            .stderr
            .starts_with(&format!("error: {folder}/a.yaml:")),
        "{}",
        output.stderr
    );
}

/// Writes folders of CRDs and objects, and returns the folder around them.
fn folders_of_crds(name: &str) -> String {
    let farm_spec = json!({"type": "object", "properties": {"soil": {"type": "string"}}});
    let farms = farm_crd(&farm_spec);
    let plots = farms
        .to_string()
        .replace("Farm", "Plot")
        .replace("farm", "plot");
    let plot = farm(&json!({"soil": 3}))
        .to_string()
        .replace("Farm", "Plot");
    let files = [
        ("crds/farm.yaml", farms.to_string()),
        ("crds/deep/plot.json", plots),
        ("crds/notes.txt", "{".to_owned()),
        ("crds/values.yaml", "a: 1".to_owned()),
        (
            "objects/farm.yaml",
            farm(&json!({"soil": "clay"})).to_string(),
        ),
        ("objects/plot.yaml", plot),
        ("twice/a.json", farms.to_string()),
        ("twice/b.json", farms.to_string()),
        ("none/a.yaml", "a: 1".to_owned()),
        ("broken/a.json", farms.to_string()),
        ("broken/b.json", "{".to_owned()),
    ];
    folder(name, &files)
}

#[test]
fn a_folder_of_crds_is_read_like_a_folder_of_objects() {
    let folder = folders_of_crds("crds_objects");
    let path = |name: &str| format!("{folder}/{name}");
    let output = run(["check", "--crd", &path("crds"), "--new", &path("objects")]);
    assert_eq!(output.code, 1, "{output:?}");
    let error = "spec.soil: Invalid value: \"integer\": spec.soil in body must be of type string: \"integer\"";
    assert!(output.stdout.contains(error), "{}", output.stdout);
    assert!(
        output.stdout.contains("Farm        1         1"),
        "{}",
        output.stdout
    );
}

#[test]
fn each_crd_of_a_folder_is_reported_with_its_file() {
    let folder = folders_of_crds("crds_alone");
    let path = |name: &str| format!("{folder}/{name}");
    // The CRDs alone, each with its file.
    let output = run(["check", "--crd", &path("crds")]);
    let (deep, flat) = (path("crds/deep/plot.json"), path("crds/farm.yaml"));
    assert_eq!(
        output.stdout,
        format!(
            "{deep}: CustomResourceDefinition \"plots.acre.example.com\"\nno errors\naccepted\n\n\
             {flat}: CustomResourceDefinition \"farms.acre.example.com\"\nno errors\naccepted\n"
        )
    );
}

#[test]
fn other_flags_and_commands_read_folders_of_crds() {
    let folder = folders_of_crds("crds_flags");
    let path = |name: &str| format!("{folder}/{name}");
    // The same folder as both CRDs of an update, and for the unions of an object.
    let output = run(["check", "--crd", &path("crds"), "--old-crd", &path("crds")]);
    assert_eq!(output.code, 0, "{output:?}");
    let output = run([
        "unions",
        "--crd",
        &path("crds"),
        "--new",
        &path("objects/farm.yaml"),
    ]);
    assert_eq!(output.code, 0, "{output:?}");
    let tighten = [
        "tighten",
        "--crd",
        &path("crds"),
        "--crd-new",
        &path("crds"),
    ];
    let output = run(tighten
        .into_iter()
        .chain(["--objects", &path("objects/farm.yaml")]));
    assert_eq!(output.code, 0, "{output:?}");
}

#[test]
fn crds_of_a_folder_have_different_names() {
    let folder = folders_of_crds("crds_errors");
    let path = |name: &str| format!("{folder}/{name}");
    for (folder, message) in [
        (
            "twice",
            "b.json: duplicate CustomResourceDefinition \"farms.acre.example.com\", also in ",
        ),
        ("none", "none: no CustomResourceDefinition found"),
        ("broken", "broken/b.json:1:"),
        ("empty", "empty: cannot read the file (--crd)"),
    ] {
        let output = run(["check", "--crd", &path(folder), "--new", &path("objects")]);
        let error = output.error_message();
        assert!(error.contains(message), "{error}");
    }
}
