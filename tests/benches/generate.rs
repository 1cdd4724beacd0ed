//! A bench that counts the instructions of generating types for a CRD of 90 kB.
//!
//! The command is `cargo bench -p union-benches --features generate --bench generate`. The bench
//! needs valgrind and gungraun-runner. The CRD is `HTTPRoute` of the Gateway API in `$SHARED_CASES`
//! or `../shared/cases`. Without these files, the bench makes a CRD of the same size.
#![expect(missing_docs, reason = "gungraun's macros write public items")]

use std::{env, fs};

use crd_to_rust::{Settings, generate};
use gungraun::{library_benchmark, library_benchmark_group, main};
use serde_json::{Value, json};

fn crd() -> Value {
    let package_folder = env!("CARGO_MANIFEST_DIR");
    let shared_cases = env::var("SHARED_CASES")
        .unwrap_or_else(|_| format!("{package_folder}/../../../shared/cases"));
    let Ok(text) = fs::read_to_string(format!("{shared_cases}/gateway/crds/standard-install.yaml"))
    else {
        return synthetic_crd();
    };
    let documents: Vec<Value> =
        serde_saphyr::from_multiple(&text).expect("the shared CRDs are YAML");
    let mut documents = documents.into_iter();
    documents
        .find(|document| document["spec"]["names"]["kind"] == "HTTPRoute")
        .expect("HTTPRoute is among the shared CRDs")
}

/// Returns a CRD of the same size, which has objects with unions and long descriptions.
fn synthetic_crd() -> Value {
    let union_schema = |index: usize| {
        json!({
            "type": "object", "required": ["type"], "description": "Selects a form. ".repeat(20),
            "properties": {
                "type": {"type": "string", "enum": ["A", "B"]},
                "a": {"type": "string", "maxLength": index, "description": "Selects a form. ".repeat(20)},
                "b": {"type": "object", "properties": {"c": {"type": "integer", "maximum": index}}},
            },
            "x-kubernetes-validations": [
                {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
                {"rule": "self.type == 'B' ? has(self.b) : !has(self.b)"},
            ],
        })
    };
    let properties = (0..80).map(|index| (format!("a{index}"), union_schema(index)));
    let spec =
        json!({"type": "object", "properties": properties.collect::<serde_json::Map<_, _>>()});
    json!({"spec": {
        "group": "example.com", "names": {"kind": "Large", "plural": "larges"}, "scope": "Namespaced",
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
            "type": "object", "required": ["spec"], "properties": {"spec": spec},
        }}}],
    }})
}

#[library_benchmark]
#[bench::of_90_kb(crd())]
fn types(crd: Value) -> String {
    let mut settings = Settings::default();
    settings.versions = vec!["v1".to_owned()];
    let generated = generate(&[crd], &settings).expect("the CRD has types");
    generated.to_source().expect("valid Rust")
}

library_benchmark_group!(name = rows, benchmarks = types);

main!(library_benchmark_groups = rows);
