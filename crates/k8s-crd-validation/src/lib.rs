//! `CustomResourceDefinition`s and custom resources, judged as a Kubernetes API server does it.
//!
//! You do not need a cluster to know what a cluster will say. [`StructuralSchema`] compiles the schema of a CRD, or says why a
//! server refuses it. Then it answers creates, updates and updates of the status as `apiextensions-apiserver` does, with its error
//! texts: it prunes, drops nulls, fills in defaults, validates, evaluates CEL rules within their costs, and tolerates errors in
//! values that an update does not change ([KEP-4008](https://kep.k8s.io/4008), *ratcheting*).
//!
//! ```
//! use k8s_crd_validation::{ServerSettings, StructuralSchema};
//! use serde_json::json;
//!
//! // The schema was tightened: names have three letters now.
//! let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
//!     "spec": {"type": "object", "properties": {
//!         "name": {"type": "string", "minLength": 3},
//!         "replicas": {"type": "integer", "default": 1},
//!     }},
//! }}))?;
//! let server = ServerSettings::default();
//! let old = json!({"spec": {"name": "x", "replicas": 1}});
//!
//! // An update that has nothing to do with the name goes on.
//! let mut new = json!({"spec": {"name": "x", "replicas": 2, "typo": true}});
//! let outcome = schema.update(&mut new, &old, &server);
//! assert!(outcome.is_accepted());
//! assert_eq!(outcome.ratcheted[0].path(), "spec.name");
//! assert_eq!(new, json!({"spec": {"name": "x", "replicas": 2}}));
//!
//! // One that changes it does not.
//! let outcome = schema.update(&mut json!({"spec": {"name": "y"}}), &old, &server);
//! assert_eq!(
//!     outcome.errors[0].to_string(),
//!     "spec.name: Invalid value: \"y\": spec.name in body should be at least 3 chars long",
//! );
//! # Ok::<(), k8s_crd_validation::Violations>(())
//! ```
//!
//! # What there is
//!
//! | you have | you ask | you get |
//! | --- | --- | --- |
//! | a CRD | [`Compiler::crd`] | the schema of a version; or [`Violations`], as a server refuses the CRD |
//! | a CRD | [`crd::Review`] | an [`Outcome`]: what a server says of all of it |
//! | a CRD that a server has stored | [`Compiler::stored`] | the same, whatever a server would refuse today |
//! | a schema alone | [`StructuralSchema::compile`], [`Compiler::schema`] | the same, for objects of any kind |
//! | a request | [`create`](StructuralSchema::create), [`update`](StructuralSchema::update), [`update_status`](StructuralSchema::update_status) | an [`Outcome`]: errors, warnings, and what was tolerated; the object as it would be stored |
//! | a server of another version, other formats | [`ServerSettings`] | the answers of that one |
//! | a schema with CEL rules | [`cost_report`] | what each rule may cost, and the bounds that a schema lacks |
//! | a validator of your own | [`comparator`], over [`StructuralSchema::root`] | which of its errors are new |
//! | metadata alone | [`metadata`] | what a server reads, refuses and drops |
//!
//! A request is answered in the order of a server: read, prune, drop nulls, fill in defaults, (normalize unions, where
//! [`ServerSettings::unions`] asks for it), validate. Every text is that of `apiextensions-apiserver` v0.36, compared with its
//! code on random input.
//!
//! # Memory
//!
//! Only the compiled schema is kept between requests, and it is the same with ratcheting on and off. A valid object is walked
//! once, without the old one. It allocates only what pruning and defaulting change, and a table for a long list of type set or map.
//! Values are compared only where there is an error, and each only once. CEL rules take what they need, within the costs that a
//! server counts.
//!
//! # Policies
//!
//! [`Policy::ApiServer`] answers as a real server does. [`Policy::Kep4008`] follows the text of the KEP: it
//! tolerates less under combinators, and more where a server's equality is stricter than deep equality.

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

// Folders, lowest first: settings, schema, decode, metadata, validate, rules, compile, request, crd
mod compile;
pub mod crd;
mod decode;
pub mod metadata;
mod request;
mod rules;
mod schema;
mod settings;
mod validate;

pub use compile::compiler::{Compiler, Status};
pub use compile::cost::{Bound, CostReport, Multiplier, RuleCost, cost_report};
pub use decode::correlate::SchemaAt;
pub use k8s_cel::Version;
pub use k8s_cel::format::Formats;
pub use request::{Outcome, RULES_NOT_CHECKED, as_stored};
pub use schema::StructuralSchema;
pub use settings::{Policy, ServerSettings};
pub use union_json::SchemaError;
pub use union_runtime::comparator;
pub use union_runtime::{Changes, Violation, ViolationKind, Violations};
