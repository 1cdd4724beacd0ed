//! Validation of a created or updated `CustomResourceDefinition`, as an API server does it.
//!
//! [`Review`] checks names, versions, schemas, columns, subresources and conversion: everything
//! that `apiextensions-apiserver` v0.37 checks (in its packages `pkg/apis/apiextensions/validation`
//! and `pkg/registry/customresourcedefinition`). It returns the same messages, and tolerates the
//! same errors in an update if the stored CRD has them too.
//!
//! ```
//! use k8s_crd_validation::crd;
//! use serde_json::json;
//!
//! let mut new = json!({
//!     "apiVersion": "apiextensions.k8s.io/v1",
//!     "kind": "CustomResourceDefinition",
//!     "metadata": {"name": "docs.example.com", "resourceVersion": "7"},
//!     "spec": {
//!         "group": "example.com",
//!         "names": {"kind": "Doc", "plural": "docs"},
//!         "scope": "Galaxy",
//!         "versions": [{
//!             "name": "v1", "served": true, "storage": true,
//!             "schema": {"openAPIV3Schema": {"type": "object"}},
//!         }],
//!     },
//! });
//! let report = crd::Review::new().create(&new);
//! assert_eq!(
//!     report.errors()[0].to_string(),
//!     r#"spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced""#,
//! );
//!
//! new["spec"]["scope"] = json!("Cluster");
//! let old = new.clone();
//! new["spec"]["group"] = json!("example.org");
//! let report = crd::Review::new().update(&new, &old);
//! assert_eq!(
//!     report.errors()[0].to_string(),
//!     r#"spec.group: Invalid value: "example.org": field is immutable"#,
//! );
//! ```

mod api_approval;
mod ca_bundle;
mod conversion;
mod definition;
mod go_types;
mod metadata;
mod names;
mod paths;
mod printer_columns;
mod review;
mod schemas;
mod selectable_fields;
mod stored_form;
mod strip_old_self;
mod subresources;
mod update;
mod versions;

pub use review::Review;
pub use stored_form::{remove_unstored_fields, to_stored_form};
pub use strip_old_self::place_rules;
