//! Tests of `unionctl generate rust`.

use std::fs;

use crate::process::{file, run, sample};

#[test]
fn one_file_is_printed() {
    let ran = run([
        "generate",
        "rust",
        "--crd",
        &sample("database_crd.yaml"),
        "--module",
        "types",
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout
            .contains("pub mod types {\n    /// `Database` of"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("pub struct DatabaseSpec {"));
    let again = run([
        "generate",
        "rust",
        "--crd",
        &sample("database_crd.yaml"),
        "--module",
        "types",
    ]);
    assert_eq!(ran.stdout, again.stdout);
}

#[test]
fn a_folder_has_a_file_for_each_version() {
    let folder = std::env::temp_dir().join(format!("unionctl-generate-{}", std::process::id()));
    let out = folder.display().to_string();
    let ran = run([
        "generate",
        "rust",
        "--crd",
        &sample("database_crd.yaml"),
        "--out",
        &out,
    ]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "")
    );
    let modules = fs::read_to_string(folder.join("mod.rs")).unwrap();
    assert!(modules.contains("pub mod database {"), "{modules}");
    let types = fs::read_to_string(folder.join("database/v1.rs")).unwrap();
    assert!(types.contains("pub struct DatabaseSpec {"), "{types}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_not_a_crd_is_refused() {
    let ran = run([
        "generate",
        "rust",
        "--crd",
        &file("no_crd.json", r#"{"kind": "Pod"}"#),
    ]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("no CustomResourceDefinition found; pass a file with one to --crd")
    );
    let crd = r#"{"kind": "CustomResourceDefinition", "spec": {"group": "g", "names": {"kind": "K"}, "versions": [
        {"name": "v1", "served": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "text"}}}}}
    ]}}"#;
    let ran = run(["generate", "rust", "--crd", &file("bad_type.json", crd)]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("properties[spec].type: unknown type \"text\""),
        "{}",
        ran.stderr
    );
}

#[test]
fn types_of_kubernetes_are_those_of_a_version() {
    let text = r#"{"type": "string"}"#;
    let flag = r#"{"type": "boolean"}"#;
    let mount = format!(
        r#"{{"type": "object", "required": ["mountPath", "name"], "properties": {{
            "mountPath": {text}, "mountPropagation": {text}, "name": {text}, "readOnly": {flag}, "recursiveReadOnly": {text},
            "subPath": {text}, "subPathExpr": {text}, "bindMountOptions": {{"type": "array", "items": {text}}}
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
    let of = |version| run(["generate", "rust", "--crd", &crd, "--kubernetes", version]);
    assert!(of("1.37").stdout.contains("core::v1::VolumeMount>"));
    assert!(of("1.36").stdout.contains("pub struct KMount {"));
    let refused = of("1.20");
    assert_eq!(refused.code, 2);
    assert!(
        refused
            .stderr
            .contains("kubernetes: version \"1.20\" is not supported"),
        "{}",
        refused.stderr
    );
}
