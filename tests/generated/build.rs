//! Writes the types of every CRD in `crds`, and of those of the Gateway API where they are at hand.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crd_to_rust::{Settings, generate};
use serde_json::Value;

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
    let crds: Vec<Value> = crds.into_iter().filter(is_crd).collect();
    let generated = generate(&crds, &Settings::default()).unwrap();
    fs::write(out.join("types.rs"), generated.text().unwrap()).unwrap();

    let mut registry = String::from("pub(crate) fn kinds() -> Vec<Kind> {\n    vec![\n");
    for kind in generated.kinds() {
        let path = format!("union_tests_generated::types::{}", kind.path);
        let (group, version, name) = (&kind.group, &kind.version, &kind.kind);
        writeln!(registry, "        Kind::of::<{path}>({group:?}, {version:?}, {name:?}),").unwrap();
    }
    registry.push_str("    ]\n}\n");
    fs::write(out.join("registry.rs"), registry).unwrap();
    fs::write(out.join("crds.json"), serde_json::to_string(&crds).unwrap()).unwrap();
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
