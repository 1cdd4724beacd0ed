// Folders, lowest first: admission, error, print, extensions, crd, document, merge, policies, build

//! The CRDs of [kube-rs](https://docs.rs/kube) types with unions of [`union_runtime`]: one for the
//! cluster and one for tools.
//!
//! kube's own [`CustomResourceExt::crd`] is typed, and the type does not have the extension keys:
//! `x-kubernetes-unions` and the keys of patches. An API server does not know these keys either,
//! and rejects them in strict field validation. So this crate builds two CRDs for a type with
//! `#[derive(CustomResource)]`:
//!
//! - [`Crd::for_cluster`] is for the cluster. It contains enum types with the docs of their values,
//!   CEL rules or `oneOf`, and list types. Its annotation [`ANNOTATION`](union_json::ANNOTATION)
//!   contains the unions, so that a webhook needs only the cluster.
//! - [`Crd::with_extensions`] is for tools and documents. It also contains `x-kubernetes-unions`
//!   and the keys of strategic merge patches.
//!
//! [`Crd::merge`] returns one CRD with several versions of a kind. [`Crd::lint`] checks that an API
//! server would accept the CRD, including the costs of its CEL rules. [`Crd::mutating_policies`]
//! returns policies that normalize without a webhook. [`openapi`] returns one document for several
//! CRDs, and [`build`] writes all outputs in a build script.
//!
//! ```
//! use kube::CustomResource;
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use union_kube::Crd;
//! use union_runtime::{EnumType, Union};
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
//! let crd = Crd::from_type::<Document>()?;
//! assert!(
//!     !crd.for_cluster()
//!         .pointer("/spec/versions")
//!         .unwrap()
//!         .to_string()
//!         .contains("x-kubernetes-unions")
//! );
//! assert!(crd.with_extensions().to_string().contains("x-kubernetes-unions"));
//! # Ok::<(), union_kube::CrdError>(())
//! ```
//!
//! # The version of Kubernetes
//!
//! kube's types need `k8s-openapi`, which needs exactly one of its features `v1_*`. As with kube
//! itself, the binary or the package of the build script selects this feature, not this crate:
//!
//! ```toml
//! [dependencies]
//! k8s-openapi = { version = "0.29", features = ["v1_37"] }
//! kube = { version = "5", default-features = false, features = ["derive"] }
//! union-kube = "0.1"
//! union-runtime = "0.1"
//! ```
//!
//! # Features
//!
//! - `admission`: the responses of admission webhooks ([`admission::response`]). The feature adds
//!   the crate `json-patch`.
//! - `__kubernetes_version` is only for the documentation of this crate.
//!
//! [`CustomResourceExt::crd`]:
//! https://docs.rs/kube-core/5/kube_core/crd/v1/trait.CustomResourceExt.html#tymethod.crd

#![forbid(unsafe_code)]
// The input may be any JSON, so the crate must not panic. Each exception states why it cannot
// panic.
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

#[cfg(feature = "admission")]
pub mod admission;
pub mod build;
mod crd;
mod document;
mod error;
mod extensions;
mod merge;
mod policies;
mod print;

pub use crd::Crd;
pub use document::openapi;
pub use error::CrdError;
pub use print::to_json_string;
