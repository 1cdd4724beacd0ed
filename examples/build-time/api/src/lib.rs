//! Documents, and who may read them.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, add_unions};

/// Who may read.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
pub enum Audience {
    /// Everybody.
    Public,
    /// Those in the list.
    Users,
    /// Members of one group.
    Group,
}

/// Who may read a document: at most one of `users` and `group` may be set.
#[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = add_unions::<Access>)]
pub struct Access {
    /// Which of them counts.
    #[union(discriminator)]
    pub audience: Audience,
    /// Their names.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<Vec<String>>,
    /// Its name.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// A document.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(
    group = "docs.example.com",
    version = "v1",
    kind = "Document",
    namespaced,
    doc = "A document."
)]
pub struct DocumentSpec {
    /// What it says.
    pub text: String,
    /// Who may read it.
    pub access: Access,
}
