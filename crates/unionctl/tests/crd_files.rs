//! Tests of many files, such as the files of a commit, of which only some contain CRDs.

use serde_json::json;

use crate::check::folder;
use crate::process::{run, sample};
use crate::sarif::assert_sarif;
use std::fs;

/// Writes a CRD with a strong finding, an invalid CRD, an object, a template and other files, and
/// returns the folder.
fn mixed_files(name: &str) -> String {
    let read = |file: &str| fs::read_to_string(sample(file)).unwrap();
    let invalid_crd = read("database_crd.yaml").replace("scope: Namespaced", "scope: Galaxy");
    folder(
        name,
        &[
            ("crds/pipeline.yaml", read("pipeline_crd.yaml")),
            ("crds/database.yaml", invalid_crd),
            ("database.yaml", read("scaled.yaml")),
            (
                "template.yaml",
                "{{- if .Values.a }}\nkind: Pod\n{{- end }}\n".to_owned(),
            ),
            (
                "tsconfig.json",
                "{\n  // strict\n  \"strict\": true\n}\n".to_owned(),
            ),
            ("empty.yaml", String::new()),
        ]
        .each_ref()
        .map(|(name, content)| (*name, content.clone())),
    )
}

#[test]
fn crds_among_other_files_are_checked() {
    let folder = mixed_files("crd_files_check");
    let files = [
        "crds/pipeline.yaml",
        "database.yaml",
        "template.yaml",
        "tsconfig.json",
        "empty.yaml",
    ];
    let mut files: Vec<String> = files
        .iter()
        .map(|file| format!("{folder}/{file}"))
        .collect();
    let output = run(["check"]
        .iter()
        .map(|arg| (*arg).to_owned())
        .chain(files.clone()));
    assert_eq!(
        (output.code, output.stdout, output.stderr),
        (
            0,
            format!(
                "{folder}/crds/pipeline.yaml: CustomResourceDefinition \"pipelines.ci.example.com\"\nno errors\naccepted\n"
            ),
            String::new()
        )
    );
    files.push(format!("{folder}/crds/database.yaml"));
    let args = || ["check".to_owned()].into_iter().chain(files.clone());
    let output = run(args());
    assert_eq!(output.code, 1);
    let rejected = format!(
        "{folder}/crds/database.yaml: CustomResourceDefinition \"databases.db.example.com\"\nerrors:\n"
    );
    assert!(output.stdout.contains(&rejected), "{output:?}");
    let output = run(args().chain(["-o".to_owned(), "json".to_owned()]));
    assert_eq!(output.json()["crds"][0]["errors"], json!([]));
    assert_eq!(output.json()["crds"].as_array().unwrap().len(), 2);
    let output = run(args().chain(["-o".to_owned(), "sarif".to_owned()]));
    let results = assert_sarif(&output, "crds");
    assert_eq!(results.len(), 1, "{results:?}");
    // A folder has the same result.
    let of_folder = run(["check", &folder]);
    assert_eq!(
        (of_folder.code, of_folder.stdout.matches("accepted").count()),
        (1, 1)
    );
}

#[test]
fn unions_of_crds_among_other_files_are_listed() {
    let folder = mixed_files("crd_files_unions");
    let output = run(["unions", "--list", "--strict", &folder]);
    assert_eq!(output.code, 1);
    let heading = format!("{folder}/crds/pipeline.yaml:\nPipeline v1\n");
    assert!(output.stdout.contains(&heading), "{output:?}");
    let output = run(["unions", "--list", "--strict", &folder, "-o", "json"]);
    let files = &output.json()["files"];
    assert_eq!(files[0]["file"], format!("{folder}/crds/database.yaml"));
    assert_eq!(files[1]["findings"]["strong"], 1);
    let output = run(["unions", "--list", "--strict", &folder, "-o", "sarif"]);
    let results = assert_sarif(&output, "unions");
    assert_eq!((output.code, results.len()), (1, 1), "{results:?}");
    let database = format!("{folder}/crds/database.yaml");
    let output = run(["unions", "--list", "--strict", &database]);
    assert_eq!(output.code, 0, "{output:?}");
}

/// A commit may change no CRD.
#[test]
fn files_without_a_crd_are_accepted() {
    let folder = mixed_files("crd_files_none");
    for file in [
        "database.yaml",
        "template.yaml",
        "tsconfig.json",
        "empty.yaml",
    ] {
        let file = format!("{folder}/{file}");
        for (args, category) in [
            (&["check"][..], "crds"),
            (&["unions", "--list", "--strict"], "unions"),
        ] {
            let args = [args, &[&file]].concat();
            let output = run(&args);
            let output_parts = (output.code, &*output.stdout, &*output.stderr);
            assert_eq!(output_parts, (0, "0 CRDs\n", ""), "{args:?}");
            let output = run(args.iter().chain(&["-o", "sarif"]));
            assert_eq!(assert_sarif(&output, category), []);
        }
    }
}

/// The other files are checked, and the exit code says that the verdict is incomplete.
#[test]
fn an_invalid_file_with_a_crd_is_an_error() {
    let folder = mixed_files("crd_files_invalid");
    let broken = format!("{folder}/broken.yaml");
    fs::write(&broken, "kind: CustomResourceDefinition\nspec: [\n").unwrap();
    for args in [&["check"][..], &["unions", "--list"]] {
        let output = run(args.iter().chain(&[&*folder]));
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.stdout.contains("pipeline.yaml"), "{output:?}");
        let [first, last] = output.stderr.lines().collect::<Vec<_>>()[..] else {
            panic!("two lines: {}", output.stderr);
        };
        assert!(first.starts_with(&format!("error: {broken}:")), "{first}");
        assert_eq!(
            last,
            "error: the files: no verdict, because of 1 error; see above"
        );
    }
    let missing = format!("{folder}/missing.yaml");
    let output = run(["check", &missing]);
    assert_eq!(output.code, 2, "{output:?}");
}

#[test]
fn files_and_other_inputs_exclude_each_other() {
    let crd = sample("crd.yaml");
    let crd = crd.as_str();
    for args in [
        &["check", crd, "--crd", crd][..],
        &["check", crd, "-f", crd],
        &["check", crd, "--old-crd", crd],
        &["check", crd, "--version", "v1"],
        &["check", crd, "--jsonl"],
        &["unions", crd],
        &["unions", "--list", crd, "--crd", crd],
        &["unions", "--list", crd, "--name", "Backup"],
        &["unions", "--list", crd, "-f", crd],
        &["unions", "--list", crd, "--jsonl"],
        &["unions", "--as", "rust", crd],
        &["compat", "--crd", crd, "--base", "HEAD", "--crd-new", crd],
        &["compat", "--base", "HEAD"],
    ] {
        let output = run(args);
        assert_eq!((output.code, &*output.stdout), (2, ""), "{args:?}");
        assert!(output.stderr.contains("Usage: "), "{args:?}: {output:?}");
    }
}
