//! Tests of `unionctl generate rust`.

use std::fs;

use crate::process::{file, run, sample};

#[test]
fn the_source_is_printed_as_one_file() {
    let output = run([
        "generate",
        "rust",
        "--crd",
        &sample("database_crd.yaml"),
        "--module",
        "types",
    ]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert!(
        output
            .stdout
            .contains("pub mod types {\n    /// `Database` of"),
        "{}",
        output.stdout
    );
    assert!(output.stdout.contains("pub struct DatabaseSpec {"));
    let again = run([
        "generate",
        "rust",
        "--crd",
        &sample("database_crd.yaml"),
        "--module",
        "types",
    ]);
    assert_eq!(output.stdout, again.stdout);
}

#[test]
fn a_folder_has_a_file_for_each_version() {
    let folder = std::env::temp_dir().join(format!("unionctl-generate-{}", std::process::id()));
    let out = folder.display().to_string();
    let output = run([
        "generate",
        "rust",
        "--crd",
        &sample("database_crd.yaml"),
        "--out",
        &out,
    ]);
    assert_eq!(
        (output.code, output.stdout.as_str(), output.stderr.as_str()),
        (0, "", "")
    );
    let modules = fs::read_to_string(folder.join("mod.rs")).unwrap();
    assert!(modules.contains("pub mod database {"), "{modules}");
    let types = fs::read_to_string(folder.join("database/v1.rs")).unwrap();
    assert!(types.contains("pub struct DatabaseSpec {"), "{types}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn other_objects_and_invalid_crds_are_errors() {
    let output = run([
        "generate",
        "rust",
        "--crd",
        &file("no_crd.json", r#"{"kind": "Pod"}"#),
    ]);
    assert_eq!(output.code, 2);
    assert!(
        output
            .stderr
            .contains("no CustomResourceDefinition found; pass a file with one to --crd")
    );
    let crd = r#"{"kind": "CustomResourceDefinition", "spec": {"group": "g", "names": {"kind": "K"}, "versions": [
        {"name": "v1", "served": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "text"}}}}}
    ]}}"#;
    let output = run(["generate", "rust", "--crd", &file("bad_type.json", crd)]);
    assert_eq!(output.code, 2);
    assert!(
        output
            .stderr
            .contains("properties[spec].type: unknown type \"text\""),
        "{}",
        output.stderr
    );
}

#[test]
fn types_of_kubernetes_depend_on_the_version() {
    let string_schema = r#"{"type": "string"}"#;
    let boolean_schema = r#"{"type": "boolean"}"#;
    let mount = format!(
        r#"{{"type": "object", "required": ["mountPath", "name"], "properties": {{
            "mountPath": {string_schema}, "mountPropagation": {string_schema}, "name": {string_schema}, "readOnly": {boolean_schema}, "recursiveReadOnly": {string_schema},
            "subPath": {string_schema}, "subPathExpr": {string_schema}, "bindMountOptions": {{"type": "array", "items": {string_schema}}}
        }}}}"#
    );
    let crd = format!(
        r#"{{"kind": "CustomResourceDefinition", "spec": {{"group": "g", "names": {{"kind": "K"}}, "versions": [
            {{"name": "v1", "served": true, "schema": {{"openAPIV3Schema": {{
                "type": "object", "required": ["spec"],
                "properties": {{"spec": {{"type": "object", "properties": {{"mount": {mount}}}}}}}
            }}}}}}
        ]}}}}"#
    );
    let crd = file("mounts.json", &crd);
    let generate_for = |version| run(["generate", "rust", "--crd", &crd, "--kubernetes", version]);
    assert!(
        generate_for("1.37")
            .stdout
            .contains("core::v1::VolumeMount>")
    );
    assert!(generate_for("1.36").stdout.contains("pub struct KMount {"));
    let unsupported = generate_for("1.20");
    assert_eq!(unsupported.code, 2);
    assert!(
        unsupported
            .stderr
            .contains("kubernetes: version \"1.20\" is not supported"),
        "{}",
        unsupported.stderr
    );
}
