//! Finds the requests that another version of Kubernetes answers differently, and the changes of
//! Kubernetes that cause the differences.
//!
//! ```
//! use k8s_upgrade::{Outcome, Request, Upgrade};
//! use serde_json::json;
//!
//! let crd = json!({
//!     "apiVersion": "apiextensions.k8s.io/v1",
//!     "kind": "CustomResourceDefinition",
//!     "metadata": {"name": "docs.example.com", "resourceVersion": "1"},
//!     "spec": {
//!         "group": "example.com", "scope": "Cluster",
//!         "names": {"kind": "Doc", "plural": "docs", "singular": "doc", "listKind": "DocList"},
//!         "versions": [{
//!             "name": "v1", "served": true, "storage": true,
//!             "schema": {"openAPIV3Schema": {"type": "object", "properties": {
//!                 "size": {"type": "integer", "format": "int32"},
//!             }}},
//!         }],
//!     },
//! });
//! let doc = json!({
//!     "apiVersion": "example.com/v1", "kind": "Doc",
//!     "metadata": {"name": "a", "resourceVersion": "1"},
//!     "size": 3_000_000_000_i64,
//! });
//! let upgrade = Upgrade::new("1.35".parse()?, "1.36".parse()?);
//! assert!(upgrade.compare_crd(&crd).is_empty());
//!
//! let findings = upgrade.schema(&crd, "v1")?.compare_object(&doc);
//! let [finding] = &*findings else { panic!("one finding") };
//! assert_eq!(
//!     finding.after.as_deref(),
//!     Some("<nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in size"),
//! );
//! assert_eq!(finding.causes[0].since().to_string(), "1.36");
//! let create = finding.change_of(Request::Create).expect("a change");
//! assert_eq!((create.before, create.after), (Outcome::Absent, Outcome::Rejected));
//! // An update that does not change the size is tolerated.
//! let unrelated = finding.change_of(Request::UnrelatedUpdate).expect("a change");
//! assert_eq!(unrelated.after, Outcome::Tolerated);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Upgrade::compare_crd`] compares the create and the unchanged update of a CRD.
//! [`SchemaPair::compare_object`] compares the [requests](Request) for a stored object. Both return
//! a [`Finding`] for each error, warning or cost that differs, and one for a stored object that
//! differs. A downgrade is an [`Upgrade`] to an older version.
//!
//! # Causes
//!
//! [`Finding::causes`] are rows of the table of [`Feature`]. To find the causes, the newer server
//! is evaluated again, with some features as in the older version. The causes are a minimal set of
//! features that removes the difference (the algorithm is `QuickXplain`, Junker 2004). The list is
//! empty if no set does.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

// Folders, lowest first: finding, answer, compare, requests, causes, upgrade
mod answer;
mod causes;
mod compare;
mod finding;
mod requests;
mod upgrade;

pub use finding::{Finding, Outcome, Request, RequestChange, Severity, Subject};
pub use k8s_crd_validation::{Feature, KubeVersion};
#[doc(hidden)]
pub use requests::{ObjectRequest, object_requests};
pub use upgrade::{SchemaPair, Upgrade};
