//! Writes CRDs and documents in a build script. The build fails if an API server would reject a
//! CRD.
//!
//! A build script cannot use the types of its own package. The types must be in a separate package,
//! on which the build script depends:
//!
//! ```toml
//! [build-dependencies]
//! docs-api = { path = "api" }
//! k8s-openapi = { version = "0.29", features = ["v1_37"] }
//! union-kube = "0.1"
//! ```
//!
//! ```no_run
//! # mod docs_api {
//! #     use kube::CustomResource;
//! #     use schemars::JsonSchema;
//! #     use serde::{Deserialize, Serialize};
//! #     #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
//! #     #[kube(group = "docs.example.com", version = "v1", kind = "Document", namespaced)]
//! #     pub struct DocumentSpec { text: String }
//! # }
//! use union_kube::build::Output;
//! use union_kube::Crd;
//!
//! Output::in_out_dir()
//!     .crd(Crd::from_type::<docs_api::Document>())
//!     .openapi("docs", "v1")
//!     .finish();
//! ```
//!
//! Files are JSON; [`Output::print`] sets another format, such as YAML by a crate of your choice.

mod check;
mod output;
mod sample;

pub use self::output::Output;
