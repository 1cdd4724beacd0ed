//! Tests of `unionctl check` with folders.

use serde_json::json;

use crate::check::{check, database, folder};
use crate::process::sample;

#[test]
fn a_folder_is_summed_up() {
    let ran = check(&["--new", &sample("databases")]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let (_, summary) = ran.stdout.split_once("\n\n").unwrap();
    assert_eq!(
        summary,
        "kind      objects  accepted  tolerated  warned  rejected\n\
         Database        2         1          0       0         1\n\
         skipped: 1 object without a matching CRD\nrejected\n"
    );
}

#[test]
fn objects_of_folders_are_paired_and_the_rest_is_created() {
    let legacy = database(
        "legacy",
        &json!({ "engine": "Ingres", "owner": "alice", "replicas": 2 }),
    );
    let new = database("new", &json!({ "engine": "MySQL" }));
    let mut elsewhere = legacy.clone();
    elsewhere["metadata"]["namespace"] = json!("elsewhere");
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": [legacy, elsewhere] });
    let values = "engine: MySQL\n".to_owned();
    let files = [
        ("a.json", list.to_string()),
        ("deep/er/b.yml", new.to_string()),
        ("values.yaml", values),
        ("notes.txt", "{".to_owned()),
    ];
    let folder = folder("check_pairs", &files);
    let ran = check(&[
        "--old",
        &sample("databases"),
        "--new",
        &folder,
        "-o",
        "json",
    ]);
    let json = ran.json();
    let objects = json["objects"].as_array().unwrap();
    let found: Vec<_> = objects
        .iter()
        .map(|object| {
            (
                object["namespace"].as_str().unwrap(),
                object["op"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        found,
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
    assert_eq!(ran.code, 1);
}

#[test]
fn a_file_that_cannot_be_read_does_not_hide_the_others() {
    let good = database("good", &json!({})).to_string();
    let folder = folder(
        "check_unread",
        &[("a.yaml", "a: [".to_owned()), ("b.yaml", good)],
    );
    let ran = check(&["--new", &folder]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stdout.contains("Database        1         1"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("not read: 1 file\n"), "{}", ran.stdout);
    assert!(
        ran.stderr.starts_with(&format!("error: {folder}/a.yaml:")),
        "{}",
        ran.stderr
    );
}
