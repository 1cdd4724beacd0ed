//! Validation of `CustomResourceDefinition`s and custom resources, with the results of a
//! Kubernetes API server.
//!
//! [`StructuralSchema`] compiles the schema of a CRD without a cluster, or returns the errors for
//! which a server rejects the CRD. The compiled schema answers creates, updates and updates of the
//! status as `apiextensions-apiserver` does, with the same messages: it prunes, drops nulls, fills
//! in defaults, validates, evaluates CEL rules within their costs, and tolerates errors in values
//! that an update does not change ([KEP-4008](https://kep.k8s.io/4008), *ratcheting*).
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
//! - [`ServerSettings`] selects another version of a server, or other formats.
//! - [`cost_report`] returns the cost of each CEL rule of a schema at worst, and the missing
//!   bounds.
//! - [`comparator`], with [`StructuralSchema::root`], returns the new errors among the errors of
//!   your own validator.
//! - [`metadata`] decodes metadata without an object, and returns the errors of the metadata.
//!
//! A request is processed in the order of a server: decode, prune, drop nulls, fill in defaults,
//! normalize unions (only if [`ServerSettings::unions`] is set), validate. The messages are the
//! messages of `apiextensions-apiserver` v0.37, and tests compare the messages with the
//! messages of its code on random input.
//!
//! # Memory
//!
//! Only the compiled schema is kept between requests. Ratcheting does not affect this schema.
//! A valid object is walked once, without the old object. The walk allocates only what pruning and
//! defaulting change, and a table for each long list of type set or map. Values are compared only
//! if there is an error, and each value only once. CEL rules allocate what they need, within the
//! costs that a server counts.
//!
//! # Policies
//!
//! [`RatchetingPolicy::ApiServer`] answers as a real server does. [`RatchetingPolicy::Kep4008`]
//! follows the KEP: the policy tolerates fewer errors under combinators, and more errors if a
//! server's equality is stricter than deep equality.

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
pub use request::{RULES_NOT_CHECKED, Request};
pub use schema::StructuralSchema;
pub use schema::unknown::near_name::near_name;
pub use schema::unknown::unknown_fields::UnknownField;
pub use settings::{FieldValidation, RatchetingPolicy, ServerSettings};
pub use union_json::{SchemaError, normalize_numbers};
pub use union_runtime::comparator;
pub use union_runtime::{Changes, ObjectRef, Report, Violation, ViolationKind};
