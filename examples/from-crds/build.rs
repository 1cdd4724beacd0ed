//! Generates Rust types from the CRDs in a file. The environment variable `GATEWAY_API_CRDS`
//! selects the file. The default is `crds/routes.yaml`, a part of the Gateway API for this example.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use crd_to_rust::{Settings, generate};
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=GATEWAY_API_CRDS");
    let file = env::var("GATEWAY_API_CRDS").unwrap_or_else(|_| "crds/routes.yaml".to_owned());
    println!("cargo::rerun-if-changed={file}");
    let documents: Vec<Value> = serde_saphyr::from_multiple(&fs::read_to_string(file)?)?;
    let crds: Vec<Value> = documents
        .into_iter()
        .filter(|document| document["kind"] == "CustomResourceDefinition")
        .collect();
    let source = generate(&crds, &Settings::default())?.to_source()?;
    fs::write(
        PathBuf::from(env::var("OUT_DIR")?).join("gateway.rs"),
        source,
    )?;
    Ok(())
}
