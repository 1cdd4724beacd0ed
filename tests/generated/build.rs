//! Writes the types of every CRD in `crds`, and of those of the Gateway API where they are at hand.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crd_to_rust::{Settings, generate};
use serde_json::{Map, Value, json};

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let mut files = files(&here.join("crds"));
    println!("cargo::rerun-if-env-changed=SHARED_CASES");
    let shared = env::var("SHARED_CASES").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|_| here.join("../../../shared/cases"));
    let gateway = shared.join("gateway/crds");
    println!("cargo::rerun-if-changed=crds");
    println!("cargo::rerun-if-changed={}", gateway.display());
    files.extend(self::files(&gateway));

    let crds: Vec<Value> = files.iter().flat_map(|file| documents(file)).collect();
    let mut crds: Vec<Value> = crds.into_iter().filter(is_crd).collect();
    let foreign = shared.join("foreign_unions.json");
    println!("cargo::rerun-if-changed={}", foreign.display());
    if let Ok(text) = fs::read_to_string(&foreign) {
        crds.push(foreign_unions(&serde_json::from_str(&text).unwrap()));
    }
    let generated = generate(&crds, &Settings::default()).unwrap();
    fs::write(out.join("types.rs"), generated.text().unwrap()).unwrap();

    let mut registry = String::from("pub(crate) fn kinds() -> Vec<Kind> {\n    vec![\n");
    for kind in generated.kinds() {
        let path = format!("union_tests_generated::types::{}", kind.path);
        let (group, version, name) = (&kind.group, &kind.version, &kind.kind);
        writeln!(
            registry,
            "        Kind::of::<{path}>({group:?}, {version:?}, {name:?}),"
        )
        .unwrap();
    }
    registry.push_str("    ]\n}\n");
    fs::write(out.join("registry.rs"), registry).unwrap();
    fs::write(out.join("crds.json"), serde_json::to_string(&crds).unwrap()).unwrap();
}

/// One kind of all object schemas of other people's CRDs: `spec.case0` and so on.
fn foreign_unions(cases: &Value) -> Value {
    let cases = cases["cases"].as_array().unwrap().iter().enumerate();
    let properties = cases.map(|(at, case)| (format!("case{at}"), case["schema"].clone()));
    let spec = json!({ "type": "object", "properties": properties.collect::<Map<_, _>>() });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "foreigns.tests.example.com" },
        "spec": {
            "group": "tests.example.com",
            "scope": "Cluster",
            "names": { "kind": "Foreign", "plural": "foreigns", "singular": "foreign", "listKind": "ForeignList" },
            "versions": [{
                "name": "v1",
                "served": true,
                "storage": true,
                "schema": { "openAPIV3Schema": {
                    "type": "object", "required": ["spec"], "properties": { "spec": spec },
                } },
            }],
        },
    })
}

fn is_crd(document: &Value) -> bool {
    document["kind"] == "CustomResourceDefinition"
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn documents(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    serde_saphyr::from_multiple(&text).unwrap()
}
