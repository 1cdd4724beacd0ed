//! The resource of the example: a document, and the people who may read it.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, add_unions};

/// The readers of a document.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
pub enum Audience {
    /// Everyone may read the document.
    Public,
    /// The people in the list `users` may read the document.
    Users,
    /// The members of one group may read the document.
    Group,
}

/// The access to a document: at most one of `users` and `group` may be set.
#[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = add_unions::<Access>)]
pub struct Access {
    /// Selects the member: `users`, `group`, or none.
    #[union(discriminator)]
    pub audience: Audience,
    /// The names of the people who may read the document.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<Vec<String>>,
    /// The name of the group whose members may read the document.
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
    /// The content of the document.
    pub text: String,
    /// The access to the document.
    pub access: Access,
}
