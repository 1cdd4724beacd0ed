//! Writes a CRD to a file, as people do in their own repos: `cargo run --example crd -- deploy/crd.yaml`.
//!
//! Without an argument it prints it.

use kube::{CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

/// Who may read.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
enum Audience {
    /// Everybody.
    Public,
    /// Those in the list.
    Users,
    /// Members of one group.
    Group,
}

/// Who may read a document: of `users` and `group`, one may be set.
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let yaml = serde_saphyr::to_string(&Document::crd())?;
    let Some(file) = std::env::args_os().nth(1) else {
        print!("{yaml}");
        return Ok(());
    };
    let file = std::path::PathBuf::from(file);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(&file, yaml)?;
    println!("wrote {}; kubectl apply -f {0}", file.display());
    Ok(())
}
