//! Whole custom resources, judged as an API server does it, with ratcheting (feature `crd`).
//!
//! Nobody needs a cluster to know what a cluster will say: [`StructuralSchema`] compiles the schema of a CRD once and
//! answers creates, updates and updates of the status as `apiextensions-apiserver` does, in its words: it prunes, drops
//! nulls, fills in defaults, validates, and tolerates what is wrong with values that an update does not change (KEP-4008).
//! So a CRD's author can check before a rollout which stored objects a tightened schema would block, and a webhook can
//! apply new rules without breaking old objects.
//!
//! ```
//! use serde_json::json;
//! use k8s_crd_validation::{Settings, StructuralSchema};
//!
//! // The schema was tightened: names have three letters now.
//! let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
//!     "spec": {"type": "object", "properties": {
//!         "name": {"type": "string", "minLength": 3},
//!         "replicas": {"type": "integer", "default": 1},
//!     }},
//! }}))?;
//! let settings = Settings::default();
//! let old = json!({"spec": {"name": "x", "replicas": 1}});
//!
//! // An update that has nothing to do with the name goes on.
//! let mut new = json!({"spec": {"name": "x", "replicas": 2, "typo": true}});
//! let outcome = schema.update(&mut new, &old, &settings);
//! assert!(outcome.is_accepted());
//! assert_eq!(outcome.ratcheted[0].path(), "spec.name");
//! assert_eq!(new, json!({"spec": {"name": "x", "replicas": 2}}));
//!
//! // One that changes it does not.
//! let outcome = schema.update(&mut json!({"spec": {"name": "y"}}), &old, &settings);
//! assert_eq!(
//!     outcome.errors[0].to_string(),
//!     "spec.name: Invalid value: \"y\": spec.name in body should be at least 3 chars long",
//! );
//! # Ok::<(), union_runtime::Violations>(())
//! ```
//!
//! # What is kept
//!
//! Nothing is kept between requests but the compiled schema, and it is the same with ratcheting on and off. A valid object
//! is walked once, without the old one, and allocates nothing beyond what pruning and defaulting change, and a table for a
//! long list of type set or map; equality is asked for only where something is wrong, and only once for a value. CEL rules
//! take what they need, within the costs that a server counts.
//!
//! # Policies
//!
//! [`Policy::ApiServer`] answers what a real server answers. [`Policy::Kep4008`] is the text as it is written: it
//! tolerates less under combinators, and more where a server's equality is stricter than deep equality.
//!
//! The comparator on its own, for validators of yours, is [`union_runtime::comparator`].

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

mod compile;
mod correlate;
mod cost;
mod decode;
mod lint;
mod meta;
mod print;
#[doc(hidden)]
pub mod reference;
mod request;
mod rules;
mod schema;
mod settings;
mod validate;

pub use correlate::SchemaAt;
pub use cost::{Bound, CostReport, Multiplier, RuleCost, cost_report};
pub use k8s_cel::Version;
pub use k8s_cel::format::Formats;
pub use request::Outcome;
pub use schema::StructuralSchema;
pub use settings::{Policy, Settings};
