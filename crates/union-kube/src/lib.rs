//! CRDs of kube-rs types, one for the cluster and one for tools (feature `kube`).
//!
//! kube's own [`CustomResourceExt::crd`] is typed, and the type knows no key of ours; nor does an API server, whose strict
//! field validation refuses such a key. So there are two outputs of a type:
//!
//! - [`Crd::cluster`], which goes to the cluster: enum types with the docs of their values, CEL rules or `oneOf`, list types.
//!   Its annotation [`ANNOTATION`](union_runtime::engine::ANNOTATION) carries the unions, so that a webhook needs only the cluster;
//! - [`Crd::full`], the same with `x-kubernetes-unions` and the keys of strategic merge patch, for tools and documents.
//!
//! ```
//! use kube::CustomResource;
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use union_runtime::{EnumType, Union, kube::Crd};
//!
//! #[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
//! enum Audience {
//!     Public,
//!     Users,
//! }
//!
//! #[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
//! #[kube(group = "docs.example.com", version = "v1", kind = "Document", namespaced)]
//! #[schemars(transform = union_runtime::add_unions::<DocumentSpec>)]
//! struct DocumentSpec {
//!     #[union(discriminator)]
//!     audience: Audience,
//!     #[union(member)]
//!     #[serde(skip_serializing_if = "Option::is_none")]
//!     users: Option<Vec<String>>,
//! }
//!
//! let crd = Crd::of::<Document>()?;
//! assert!(!crd.cluster().pointer("/spec/versions").unwrap().to_string().contains("x-kubernetes-unions"));
//! assert!(crd.full().to_string().contains("x-kubernetes-unions"));
//! # Ok::<(), union_kube::CrdError>(())
//! ```
//!
//! [`CustomResourceExt::crd`]: https://docs.rs/kube-core/5/kube_core/crd/v1/trait.CustomResourceExt.html#tymethod.crd

#![forbid(unsafe_code)]
// Whatever a client sends is answered, never a panic. What is left says why it cannot happen.
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

pub mod build;
mod crd;
mod document;
mod error;
mod graft;
mod merge;

pub use crd::Crd;
pub use document::openapi;
pub use error::CrdError;

use serde_json::Value;

/// A document as text: JSON with two spaces, its keys sorted, ended by a line break. The same document gives the same bytes,
/// whatever else is compiled in.
///
/// ```
/// let document = serde_json::json!({"kind": "K", "apiVersion": "v1"});
/// assert_eq!(union_kube::to_json(&document), "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"K\"\n}\n");
/// ```
#[must_use]
pub fn to_json(document: &Value) -> String {
    format!("{:#}\n", sorted(document.clone()))
}

/// The same value with its keys sorted: `serde_json` keeps the order of insertion, if anything in the build asks it to.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<(String, Value)> = object.into_iter().collect();
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            let entries = entries.into_iter();
            Value::Object(entries.map(|(key, value)| (key, sorted(value))).collect())
        }
        Value::Array(values) => values.into_iter().map(sorted).collect(),
        scalar => scalar,
    }
}
