#![cfg_attr(docsrs, feature(doc_cfg))]
//! Unions for Rust authors of Kubernetes API types: *of these fields, one may be set*.
//!
//! Put [`#[derive(Union)]`](macro@Union) on a struct and [`#[derive(EnumType)]`](macro@EnumType) on the enum of its
//! discriminator. What comes of it:
//!
//! - [`Union::normalize_unions`]: the object says what its client meant. A changed discriminator clears the members that
//!   the client did not know.
//! - [`Union::validate_unions`] and [`Union::validate_unions_update`]: [`Violations`] with Kubernetes' own texts and what
//!   to do; an update may keep what its old object had wrong for the same reason ([`Ratchet`]).
//! - [`admit`]: the flow of a whole request, by [`Settings`]; [`normalize_apply`] for server-side apply.
//! - `nested`, `inline` and `list_map_keys`: the same for all that an object holds, with new and old correlated as an API
//!   server does it, and paths such as `spec.volumes[2].hostPath`.
//! - [`engine`] (feature `engine`): the same for JSON objects, driven by a schema alone.
//! - [`crd`] (features `crd` and `cel`): whole custom resources, judged as an API server does it, with ratcheting.
//! - [`schema`] (feature `schemars`): the `x-kubernetes-unions` extension, enum values and their docs, CEL rules or
//!   `oneOf` ([`Enforce`]).
//! - [`kube`] (feature `kube`): the CRDs of kube-rs types; [`build`] (feature `build`) writes them in a build script.
//! - [`patch`] (feature `patch`): strategic merge patches with `$retainKeys`, and patches that switch a member.
//!
//! It implements [KEP-1027](https://kep.k8s.io/1027), the 2022 text and the 2019 one, [KEP-2887](https://kep.k8s.io/2887),
//! [KEP-4008](https://kep.k8s.io/4008), and the proposal of the `retainKeys` patch strategy. Where these pages name a section
//! of KEP-1027, it is one of the 2022 text, or they say "2019 text".
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use union_runtime::{EnumType, Union};
//!
//! #[derive(EnumType, Serialize, Deserialize)]
//! enum StrategyType {
//!     Recreate,
//!     RollingUpdate,
//! }
//!
//! #[derive(Union, Serialize, Deserialize)]
//! #[serde(rename_all = "camelCase")]
//! struct Strategy {
//!     #[union(discriminator)]
//!     r#type: StrategyType,
//!     #[union(member, optional)]
//!     #[serde(skip_serializing_if = "Option::is_none")]
//!     rolling_update: Option<u32>,
//! }
//!
//! let old = Strategy { r#type: StrategyType::RollingUpdate, rolling_update: Some(1) };
//! let mut new = Strategy { r#type: StrategyType::Recreate, rolling_update: Some(1) };
//!
//! let changes = new.normalize_unions(Some(&old));
//! assert_eq!(changes.cleared().collect::<Vec<_>>(), ["rollingUpdate"]);
//! assert!(new.validate_unions_update(&old).is_ok());
//! ```
//!
//! # How it works
//!
//! The derive describes, the runtime decides. A derived struct has a constant table ([`UnionSpec`]) and tells the
//! [`State`] of its unions: what is selected, what is set. Every rule is written once, on the object-safe view [`Node`]
//! of whatever holds unions. A valid object costs one comparison of bit masks a union, and no allocation.
//!
//! # Features
//!
//! - `derive` (default): the derives.
//! - `schemars` (default): schema output.
//! - `engine`: unions of JSON objects, driven by a schema alone.
//! - `crd`: whole custom resources, judged as an API server does it.
//! - `cel`: their CEL rules too, and [`crd::cost_report`]; it switches `crd` on.
//! - `kube`: CRDs of kube-rs types, for the cluster and for tools. The binary chooses the version of `k8s-openapi`.
//! - `build`: CRDs and documents written by a build script, linted; it switches `cel` and `kube` on.
//! - `patch`: strategic merge patches.
//!
//! What each costs: [`limits`](limits#what-a-feature-costs).
//!
//! Coming from serde enums, hand-written CEL rules or `Option`s: [`migration`]. What is refused, and where we differ from
//! Kubernetes on purpose: [`limits`].
//!
#![doc = include_str!("../docs/tour.md")]
#![forbid(unsafe_code)]
// Whatever a client sends is answered, never a panic. What is left is a compile error, or says why it cannot happen.
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

mod admit;
mod apply;
#[cfg(any(feature = "schemars", feature = "cel"))]
mod cel_name;
mod declare;
#[cfg(any(feature = "engine", feature = "schemars"))]
mod deep;
mod foreign;
mod forgotten;
mod index;
mod inline;
#[cfg(feature = "engine")]
mod json_key;
mod list_map;
mod lookup;
mod members;
mod message;
mod normalize;
#[cfg(any(feature = "crd", feature = "patch"))]
#[cfg_attr(
    not(feature = "crd"),
    expect(dead_code, reason = "what only custom resources need")
)]
mod number;
mod option_twice;
mod pair;
mod path;
mod probe;
mod ratchet;
mod restore;
mod same;
mod same_type;
#[cfg(any(feature = "engine", feature = "schemars"))]
mod schema_keys;
mod settled;
mod spec;
#[cfg(feature = "engine")]
mod table;
mod texts;
mod traits;
mod unknown;
mod validate;
mod view;
mod violation;
mod walk;
mod whole;

#[cfg(feature = "build")]
pub mod build;
#[cfg(feature = "crd")]
pub mod crd;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "kube")]
pub mod kube;
#[cfg(feature = "patch")]
pub mod patch;
#[cfg(feature = "schemars")]
pub mod schema;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use admit::{Admitted, Outcome, Settings, admit, normalize, validate, validate_update};
pub use apply::normalize_apply;
pub use inline::Inline;
pub use list_map::{Key, KeyField, Keyed, ListMap};
pub use members::Members;
pub use normalize::{Change, ChangeKind, Changes, RestoreUnaware};
pub use ratchet::Ratchet;
#[cfg(feature = "schemars")]
pub use schema::{PruneEnums, add_enum, add_rules, add_unions, schema_for};
pub use spec::{
    Arity, DiscriminatorFacts, DiscriminatorSpec, Enforce, MemberSpec, Shape, UnionSpec,
};
pub use texts::Texts;
pub use traits::{DeducedDiscriminator, Discriminator, EnumType, EnumValue, Union, UnionMember};
#[cfg(feature = "derive")]
pub use union_derive::{EnumType, Union};
pub use unknown::UnknownMembers;
pub use view::{NoText, Node, NodeMut, Selected, State};
pub use violation::{Violation, ViolationKind, Violations};
pub use walk::{Nested, Place, Visitor, VisitorMut};

/// The README's example, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

#[cfg(any(doc, doctest))]
#[doc = include_str!("../docs/migration.md")]
pub mod migration {}

#[cfg(any(doc, doctest))]
#[doc = include_str!("../docs/limits.md")]
pub mod limits {}
