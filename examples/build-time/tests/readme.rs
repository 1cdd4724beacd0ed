//! Tests of the statements in the README about the files that the build script writes.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use k8s_crd_validation::{Report, ServerSettings, StructuralSchema};
use serde_json::Value;
use union_json::{SchemaSource, Unions};

const README: &str = include_str!("../README.md");

fn read(file: &str) -> String {
    let path = Path::new(env!("OUT_DIR")).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn yaml(file: &str) -> Value {
    serde_saphyr::from_str(&read(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn validated_file(file: &str) -> (Value, Report) {
    let crd = yaml("documents.docs.example.com.yaml");
    let schema = StructuralSchema::compiler().crd(&crd, None);
    let schema = schema.unwrap_or_else(|errors| panic!("{errors}"));
    let mut object = yaml(file);
    // kubectl sends the object with the namespace of its context.
    object["metadata"]["namespace"] = "default".into();
    let report = schema.create(&mut object, &ServerSettings::default());
    (object, report)
}

#[test]
fn the_output_folder_has_exactly_the_files_of_the_readme() {
    let mut files: Vec<String> = fs::read_dir(env!("OUT_DIR"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    let mut documented: Vec<&str> = README
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(file, _)| file)
        .collect();
    documented.sort_unstable();
    assert_eq!(files, documented);
}

#[test]
fn the_valid_sample_is_accepted() {
    let (_, report) = validated_file("valid.yaml");
    assert!(report.is_accepted(), "{report}");
}

#[test]
fn the_invalid_sample_has_the_error_of_the_readme() {
    let (object, report) = validated_file("invalid.yaml");
    let [error] = report.errors() else {
        panic!("{:?}", report.errors());
    };
    let kubectl = format!(
        "The {} {} is invalid: {error}",
        object["kind"].as_str().unwrap_or_default(),
        object["metadata"]["name"]
    );
    if env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let is_shown = |line: &&str| line.starts_with("The ") && line.contains(" is invalid: ");
        let shown = README.lines().find(is_shown).unwrap();
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
        fs::write(page, README.replacen(shown, &kubectl, 1)).unwrap();
        return;
    }
    assert!(
        README.contains(&kubectl),
        "{kubectl}\nUPDATE_SNAPSHOTS=1 writes the line again"
    );
}

#[test]
fn the_document_and_the_full_crd_have_the_union() {
    let document: Value = serde_json::from_str(&read("openapi.json")).unwrap_or_default();
    let schema = &document["components"]["schemas"]["com.example.docs.v1.Document"];
    let full = yaml("documents.docs.example.com.full.yaml");
    for unions in [
        Unions::compile(SchemaSource::Schema(schema)),
        Unions::compile(SchemaSource::Crd(&full, None)),
    ] {
        let unions = unions.unwrap_or_else(|error| panic!("{error}"));
        let report = unions.admit(
            &mut yaml("invalid.yaml"),
            None,
            &union_runtime::Settings::default(),
        );
        assert!(!report.is_accepted());
    }
}

#[test]
fn the_program_prints_the_paths() {
    let output = Command::new(env!("CARGO_BIN_EXE_union-build-time")).output();
    let output = output.map(|output| output.stdout).unwrap_or_default();
    let output = String::from_utf8_lossy(&output);
    let files: Vec<&str> = output.lines().collect();
    assert_eq!(files.len(), 5, "{output}");
    assert!(
        files.iter().all(|file| Path::new(file).is_file()),
        "{output}"
    );
}
