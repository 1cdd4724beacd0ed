//! Tests of `unionctl check` with folders.

use serde_json::json;

use crate::check::{check, database, folder};
use crate::process::sample;

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
