//! Tests of `unionctl generate rust`.

use std::fs;

use crate::process::{run, sample, write_file};

#[test]
fn the_source_is_printed_as_one_file_and_is_reproducible() {
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
    let second_output = run([
        "generate",
        "rust",
        "--crd",
        &sample("database_crd.yaml"),
        "--module",
        "types",
    ]);
    assert_eq!(output.stdout, second_output.stdout);
}

#[test]
fn a_folder_has_a_file_for_each_version() {
    let folder = std::env::temp_dir().join(format!("unionctl-generate-{}", std::process::id()));
    let folder_path = folder.display().to_string();
    let output = run([
        "generate",
        "rust",
        "--crd",
        &sample("database_crd.yaml"),
        "--out",
        &folder_path,
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
fn files_without_crds_and_invalid_schemas_are_errors() {
    let output = run([
        "generate",
        "rust",
        "--crd",
        &write_file("no_crd.json", r#"{"kind": "Pod"}"#),
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
    let output = run([
        "generate",
        "rust",
        "--crd",
        &write_file("bad_type.json", crd),
    ]);
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
fn the_version_decides_which_kubernetes_types_are_used() {
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
    let crd_file = write_file("mounts.json", &crd);
    let generate_for = |version| {
        run([
            "generate",
            "rust",
            "--crd",
            &crd_file,
            "--kubernetes",
            version,
        ])
    };
    assert!(
        generate_for("1.37")
            .stdout
            .contains("core::v1::VolumeMount>")
    );
    assert!(generate_for("1.36").stdout.contains("pub struct KMount {"));
    let output = generate_for("1.30");
    assert_eq!(output.code, 2);
    assert!(
        output
            .stderr
            .contains("--kube-version: version \"1.30\" is not supported"),
        "{}",
        output.stderr
    );
}

#[test]
fn kinds_without_a_schema_are_notes() {
    let crd = |kind: &str, version: &str| {
        format!(
            r#"{{"kind": "CustomResourceDefinition", "spec": {{"group": "g", "names": {{"kind": "{kind}"}}, "versions": [{version}]}}}}"#
        )
    };
    let bare = crd("Bare", r#"{"name": "v1", "served": true}"#);
    let schema = r#"{"type": "object", "properties": {"spec": {"type": "object"}}}"#;
    let full = crd(
        "Full",
        &format!(r#"{{"name": "v1", "served": true, "schema": {{"openAPIV3Schema": {schema}}}}}"#),
    );
    let file = write_file("bare.yaml", format!("{bare}\n---\n{full}\n"));
    let output = run(["generate", "rust", "--crd", &file, "--root", "fields"]);
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (
            0,
            "note: left out: Bare of g, version v1: spec.versions[0].schema.openAPIV3Schema: missing schema; types cannot be generated without it\n"
        )
    );
    assert!(
        output
            .stdout
            .contains("// Left out: Bare of g, version v1: ")
    );
    assert!(output.stdout.contains("pub spec: Option<FullSpec>,"));
    let output = run(["generate", "rust", "--crd", &write_file("bare.json", &bare)]);
    assert_eq!(output.code, 2);
    assert!(
        output.stderr.contains("missing schema"),
        "{}",
        output.stderr
    );
}
