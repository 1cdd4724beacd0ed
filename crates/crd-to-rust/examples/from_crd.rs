//! Generates types from a CRD, as a build script does:
//! `cargo run -p crd-to-rust --example from_crd`.
//!
//! A build script writes the types to a file of `OUT_DIR`, and the crate includes the file:
//!
//! ```text
//! fs::write(out_dir.join("types.rs"), generate(&crds, &Settings::default())?.to_source()?)?;
//!
//! pub mod types {
//!     include!(concat!(env!("OUT_DIR"), "/types.rs"));
//! }
//! ```
//!
//! With the path of a file, the example reads the CRDs in the file, for example the CRDs of the
//! Gateway API: `... --example from_crd -- standard-install.yaml`.

use std::error::Error;
use std::{env, fs};

use crd_to_rust::{Settings, generate};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let crds: Vec<Value> = match env::args().nth(1) {
        Some(file) => {
            let documents: Vec<Value> = serde_saphyr::from_multiple(&fs::read_to_string(file)?)?;
            let crds = documents.into_iter();
            crds.filter(|document| document["kind"] == "CustomResourceDefinition")
                .collect()
        }
        None => vec![routes()],
    };
    let generated = generate(&crds, &Settings::default())?;
    print!("{}", generated.to_source()?);
    for omitted_kind in generated.omitted_kinds() {
        eprintln!("left out: {omitted_kind}");
    }
    for kind in generated.kinds() {
        eprintln!(
            "{} {}/{}: {}",
            kind.kind, kind.group, kind.version, kind.path
        );
    }
    Ok(())
}

/// Returns a CRD like those of the Gateway API: a filter is a union that CEL rules define.
fn routes() -> Value {
    let filter = json!({
        "description": "What happens to a request.",
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {"type": "string", "enum": ["RequestRedirect", "URLRewrite", "CORS"]},
            "requestRedirect": {"type": "object", "properties": {"statusCode": {"type": "integer", "format": "int32"}}},
            "urlRewrite": {"type": "object", "properties": {"hostname": {"type": "string", "maxLength": 253}}},
            "cors": {"type": "object", "properties": {"allowOrigins": {"type": "array", "items": {"type": "string"}}}},
        },
        "x-kubernetes-validations": [
            {"rule": "self.type == 'RequestRedirect' ? has(self.requestRedirect) : !has(self.requestRedirect)"},
            {"rule": "self.type == 'URLRewrite' ? has(self.urlRewrite) : !has(self.urlRewrite)"},
            {"rule": "self.type == 'CORS' ? has(self.cors) : !has(self.cors)"},
        ],
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "routes.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Route", "plural": "routes", "singular": "route"},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object",
                "required": ["spec"],
                "properties": {"spec": {"type": "object", "properties": {
                    "hostnames": {"type": "array", "maxItems": 16, "items": {"type": "string"}},
                    "filters": {"type": "array", "maxItems": 16, "items": filter},
                }}},
            }}}],
        },
    })
}
