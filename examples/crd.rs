//! Writes the CRD of a type to a file: `cargo run --example crd -- deploy/crd.yaml`.
//!
//! The file contains the CRD for the cluster. A second path, as in
//! `-- deploy/crd.yaml docs/crd.yaml`, is the file of the full CRD for tools, with the extension
//! `x-kubernetes-unions`. Without a path, the program prints the CRD for the cluster. The program
//! fails if an API server would reject the CRD.

use std::error::Error;
use std::path::Path;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_kube::Crd;
use union_runtime::{EnumType, Union};

/// The readers of a document.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
enum Audience {
    /// Everyone may read the document.
    Public,
    /// The people in the list `users` may read the document.
    Users,
    /// The members of one group may read the document.
    Group,
}

/// The access to a document: at most one of `users` and `group` may be set.
#[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Access>)]
struct Access {
    #[union(discriminator)]
    audience: Audience,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    users: Option<Vec<String>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(
    group = "docs.example.com",
    version = "v1",
    kind = "Document",
    namespaced
)]
struct DocumentSpec {
    access: Access,
}

fn main() -> Result<(), Box<dyn Error>> {
    let crd = Crd::from_type::<Document>()?;
    crd.lint().into_result()?;
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        print!("{}", serde_saphyr::to_string(crd.for_cluster())?);
    }
    for (file, content) in files.iter().zip([crd.for_cluster(), crd.with_extensions()]) {
        write(Path::new(file), content)?;
    }
    if let Some(file) = files.first() {
        println!("kubectl apply -f {}", Path::new(file).display());
    }
    Ok(())
}

fn write(file: &Path, crd: &Value) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, serde_saphyr::to_string(crd)?)?;
    println!("wrote {}", file.display());
    Ok(())
}
