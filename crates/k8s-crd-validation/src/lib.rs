//! Validation of `CustomResourceDefinition`s and custom resources, with the results of a
//! Kubernetes API server.
//!
//! [`StructuralSchema`] compiles the schema of a CRD without a cluster, or returns the errors for
//! which a server rejects the CRD. The compiled schema answers creates, updates and updates of the
//! status as `apiextensions-apiserver` does, with the same messages: it prunes, drops nulls, fills
//! in defaults, validates, evaluates CEL rules within their cost limits, and tolerates errors in
//! values that an update does not change ([KEP-4008](https://kep.k8s.io/4008), *ratcheting*).
//!
//! ```
//! use k8s_crd_validation::{ServerSettings, StructuralSchema};
//! use serde_json::json;
//!
//! // A stricter schema: names have at least three letters now.
//! let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
//!     "spec": {"type": "object", "properties": {
//!         "name": {"type": "string", "minLength": 3},
//!         "replicas": {"type": "integer", "default": 1},
//!     }},
//! }}))?;
//! let server = ServerSettings::default();
//! let old = json!({"spec": {"name": "x", "replicas": 1}});
//!
//! // An update that does not change the name is accepted.
//! let mut new = json!({"spec": {"name": "x", "replicas": 2, "typo": true}});
//! let report = schema.update(&mut new, &old, &server);
//! assert!(report.is_accepted());
//! assert_eq!(report.tolerated()[0].path(), "spec.name");
//! assert_eq!(new, json!({"spec": {"name": "x", "replicas": 2}}));
//!
//! // An update that changes the name is rejected.
//! let report = schema.update(&mut json!({"spec": {"name": "y"}}), &old, &server);
//! assert_eq!(
//!     report.errors()[0].to_string(),
//!     "spec.name: Invalid value: \"y\": spec.name in body should be at least 3 chars long",
//! );
//! # Ok::<(), k8s_crd_validation::Report>(())
//! ```
//!
//! # Overview
//!
//! - [`Compiler::crd`] compiles the schema of a version of a CRD, or returns the [`Report`] for
//!   which a server rejects the schema.
//! - [`Compiler::stored`] returns a compiler for CRDs that a server has stored. The compiler also
//!   accepts schemas that a server would reject today.
//! - [`StructuralSchema::compile`] and [`Compiler::schema`] compile a schema without a CRD, for
//!   objects of any kind.
//! - [`create`](StructuralSchema::create), [`update`](StructuralSchema::update) and
//!   [`update_status`](StructuralSchema::update_status) answer a request with a [`Report`]:
//!   errors, warnings and tolerated errors. The methods change the object to the object that a
//!   server would store.
//! - [`ServerSettings::field_validation`] makes unknown fields warnings or an error. [`Request`]
//!   returns the unknown fields as data, and accepts the duplicate keys of the body.
//! - [`crd::Review`] answers the create or update of a whole CRD with a [`Report`]: the errors
//!   and warnings of a server.
//! - [`ServerSettings`] selects the version, the policies and the formats of the server.
//! - [`cost_report`] estimates the worst-case cost of each CEL rule of a schema, and suggests
//!   bounds that reduce the cost.
//! - [`comparator`], with [`StructuralSchema::root`], separates the new errors of your own
//!   validator from the errors that ratcheting tolerates.
//! - [`metadata`] decodes and validates metadata without an object.
//!
//! A request is processed in the order of a server: decode, prune, drop nulls, fill in defaults,
//! normalize unions (only if [`ServerSettings::unions`] is set), validate. The messages are those
//! of `apiextensions-apiserver` v0.37. Tests run its code and this crate on random input, and
//! compare the messages.
//!
//! # Memory
//!
//! Only the compiled schema is kept between requests. A valid object is walked once, without the
//! old object. The walk allocates only what pruning and defaulting change, and a table for each
//! long list of type set or map. New and old values are compared only if there is an error, and
//! each pair only once. CEL rules allocate what they need, within the server's cost limits.
//!
//! # Policies
//!
//! [`RatchetingPolicy::ApiServer`] tolerates the errors that a real server tolerates.
//! [`RatchetingPolicy::Kep4008`] tolerates the errors that KEP-4008 specifies: fewer errors under
//! combinators (`allOf`, `anyOf`, `oneOf`, `not`), and more errors in values that are deeply equal
//! but that a server compares more strictly.

#![forbid(unsafe_code)]
// A request of a client must never cause a panic. An exception to these lints states a reason.
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

pub use compile::compiler::{Compiler, StatusHandling};
pub use compile::cost::{Cardinality, CostReport, RuleCost, SuggestedBound, cost_report};
pub use decode::ratchet::ComparatorSchema;
pub use decode::strict::DuplicateKey;
pub use k8s_cel::format::Formats;
pub use k8s_cel::{Feature, FeatureKind, KubeVersion};
pub use request::{Advice, RULES_NOT_CHECKED, Request, is_rules_not_checked};
pub use schema::StructuralSchema;
pub use schema::unknown::near_name::near_name;
pub use schema::unknown::unknown_fields::UnknownField;
pub use settings::{FieldValidation, RatchetingPolicy, ServerSettings};
pub use union_json::{SchemaError, normalize_numbers};
pub use union_runtime::comparator;
pub use union_runtime::{Changes, ObjectRef, Report, Violation, ViolationKind};
pub use validate::errors::origin::ErrorOrigin;
