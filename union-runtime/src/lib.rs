// Folders, lowest first: spec, generated, path, view, report, rules, comparator, typed, schema

#![cfg_attr(docsrs, feature(doc_cfg))]
//! Unions for Rust authors of Kubernetes API types: *at most one of these fields may be set*.
//!
//! There are two forms, with the same JSON and the same rules.
//! [`#[derive(UnionEnum)]`](macro@UnionEnum) makes a union of a Rust enum, with one variant per
//! member. An object that fits no variant, such as a value that only a newer server knows, is read
//! into a variant too, and written back unchanged. Or put [`#[derive(Union)]`](macro@Union) on a
//! struct whose fields are the members, and [`#[derive(EnumType)]`](macro@EnumType) on the enum of
//! its discriminator. What you get:
//!
//! - [`Union::normalize_unions`]: makes the object say what the client meant. A changed
//!   discriminator clears the members that the client did not know.
//! - [`Union::validate_unions`] and [`Union::validate_unions_update`]: [`Violations`] with
//!   Kubernetes' own texts and a remedy. An update may keep an error that the old object has for
//!   the same reason ([`Ratchet`]).
//! - [`admit`]: the whole request, by [`Settings`]; [`normalize_apply`] for server-side apply.
//! - `nested`, `inline` and `list_map_keys`: the same for all unions inside an object, with new and
//!   old correlated as an API server does it, and paths such as `spec.volumes[2].hostPath`.
//! - [`view`]: the same for a representation of your own.
//!   [`union-json`](https://docs.rs/union-json) has JSON objects, driven by a schema alone.
//! - [`comparator`]: which parts of a new object are unchanged against the old one (KEP-4008), for
//!   your own validators.
//! - [`schema`] (feature `schemars`): the `x-kubernetes-unions` extension, enum values and their
//!   docs, CEL rules or `oneOf` ([`Enforce`]).
//!
//! Other crates of the project answer one question each: [`union-kube`](https://docs.rs/union-kube)
//! (CRDs of kube-rs types), [`k8s-crd-validation`](https://docs.rs/k8s-crd-validation) (CRDs and
//! custom resources judged as an API server does it), [`crd-unions`](https://docs.rs/crd-unions)
//! (unions that CRDs of other people declare), [`union-policy`](https://docs.rs/union-policy)
//! (unions without a webhook), [`union-compat`](https://docs.rs/union-compat) (what a changed union
//! does to objects and clients), [`k8s-cel`](https://docs.rs/k8s-cel),
//! [`k8s-strategic-merge-patch`](https://docs.rs/k8s-strategic-merge-patch).
//!
//! It implements [KEP-1027](https://kep.k8s.io/1027), the 2022 text and the 2019 one,
//! [KEP-2887](https://kep.k8s.io/2887), [KEP-4008](https://kep.k8s.io/4008), and the proposal of
//! the `retainKeys` patch strategy. Where these pages name a section of KEP-1027, they mean the
//! 2022 text, unless they say "2019 text".
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
//! The same as an enum, which also reads values that it does not know:
//!
//! ```
//! use union_runtime::{RawUnion, Union, UnionEnum};
//!
//! #[derive(UnionEnum, Debug, PartialEq)]
//! #[union(discriminator = "type")]
//! enum Strategy {
//!     Recreate,
//!     RollingUpdate(Option<u32>),
//!     #[union(other)]
//!     Other(RawUnion),
//! }
//!
//! let stored = r#"[{"type":"RollingUpdate","rollingUpdate":1},{"canary":{"steps":3},"type":"Canary"}]"#;
//! let strategies: Vec<Strategy> = serde_json::from_str(stored)?;
//! assert_eq!(strategies[0], Strategy::RollingUpdate(Some(1)));
//! assert_eq!(strategies[1].discriminator(), Some("Canary"));
//! assert!(strategies[1].validate_unions().is_err());
//! assert_eq!(serde_json::to_string(&strategies)?, stored);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # How it works
//!
//! The derive describes, the runtime decides. A derived type has a constant table ([`UnionSpec`])
//! and tells the [`State`] of its unions: what is selected, what is set. Every rule is written
//! once, on an object-safe view of whatever holds unions, a struct, an enum or a JSON object. A
//! valid object costs one comparison of bit masks a union, and no allocation.
//!
//! # Features
//!
//! - `derive` (default): the derives.
//! - `schemars` (default): schema output.
//!
//! What each costs: [`limits`](limits#what-a-feature-costs).
//!
//! What a discriminator is for, and what happens between versions: [`how_unions_work`]. CRDs, hooks
//! and webhooks: [`with_kube`]. Coming from serde enums, hand-written CEL rules or `Option`s:
//! [`migration`]. What is refused, and where we differ from Kubernetes on purpose: [`limits`].
//!
// The code of pages is run by tests/pages, which shows and hides no lines.
#![cfg_attr(not(doctest), doc = include_str!("../docs/tour.md"))]
#![forbid(unsafe_code)]
// Whatever a client sends is answered, never a panic. What is left is a compile error, or says why
// it cannot happen.
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

pub mod comparator;
mod generated;
pub mod path;
mod report;
mod rules;
mod spec;
mod typed;
pub mod view;

#[cfg(feature = "schemars")]
pub mod schema;

/// The items that generated code names. They change with every version.
#[doc(hidden)]
pub mod __private {
    pub use crate::__are_set as are_set;
    pub use crate::__if_schema as if_schema;
    pub use crate::__reset as reset;
    pub use crate::__values as values;
    pub use crate::generated::declaration::{
        beside_field, beside_unknown, deduced, discriminator, member, member_as, member_of_either,
        refuse_if, undiscriminated, union, union_as,
    };
    pub use crate::generated::enum_form::EnumForm;
    pub use crate::generated::inlined::{check_inlined, require_enum};
    pub use crate::generated::lookup::key_position;
    pub use crate::generated::message::Message;
    #[cfg(feature = "schemars")]
    pub use crate::schema::enum_form::enum_schema;
    pub use crate::spec::members::Row;
    pub use crate::typed::enum_form::{
        EnumMember, Held, enum_reread, enum_reset, enum_state, enum_unions, enum_unknown, read_enum,
    };
    pub use crate::typed::members::{OrClear, OrNothing, Reset};
    pub use crate::typed::probes::{Itself, Otherwise, Probe, hook_is_for};
    pub use crate::typed::union::{member_at, state};
    pub use crate::view::descent::Descent;
    pub use crate::view::nested::Unions;
    #[cfg(feature = "schemars")]
    pub use schemars;
    pub use serde;
    pub use serde_json;
    pub use std::borrow::Cow;
}

pub use k8s_json_internals::key::Key;
pub use report::changes::{Change, ChangeKind, Changes};
pub use report::violation::{Found, Violation, ViolationKind};
pub use report::violations::{Accepted, Admitted, Violations};
pub use rules::admit::{admit, normalize, normalize_apply, validate, validate_update};
pub use rules::requests::{Against, Requests};
pub use rules::settings::{Ratchet, RestoreUnaware, Settings};
#[cfg(feature = "schemars")]
pub use schema::{add_enum, add_rules, add_unions, schema_for};
pub use spec::discriminator::DiscriminatorSpec;
pub use spec::enum_type::{EnumType, EnumValue};
pub use spec::members::MemberSpec;
pub use spec::schema_keys;
pub use spec::values::DiscriminatorValues;
pub use spec::{Arity, Enforce, Shape, UnionSpec};
pub use typed::discriminator::{DeducedDiscriminator, Discriminator};
pub use typed::enum_form::UnionEnum;
pub use typed::list_map::{KeyField, Keyed};
pub use typed::members::UnionMember;
pub use typed::raw_union::{RawUnion, Why};
pub use typed::union::Union;
pub use typed::unknown::UnknownMembers;
#[cfg(feature = "derive")]
pub use union_derive::{EnumType, Union, UnionEnum};
pub use view::nested::Nested;
pub use view::state::{Selected, State};

// What generated code names, and nobody can use: the derive writes it, and it may change with every
// version.
#[doc(hidden)]
pub use spec::discriminator::DiscriminatorFacts;
#[doc(hidden)]
pub use typed::inline::Inline;
#[doc(hidden)]
pub use typed::list_map::ListMap;
#[doc(hidden)]
pub use view::node::{Node, NodeMut, Visitor, VisitorMut};
#[doc(hidden)]
pub use view::place::Place;

// What the crates beside this one use, and users do not need.
#[doc(hidden)]
pub use rules::validate::{is_union_text, needed_one_of, needed_when, only_one_of, only_when};

#[cfg(all(doc, not(doctest)))]
#[doc = include_str!("../docs/unions.md")]
pub mod how_unions_work {}

#[cfg(all(doc, not(doctest)))]
#[doc = include_str!("../docs/kube.md")]
pub mod with_kube {}

#[cfg(all(doc, not(doctest)))]
#[doc = include_str!("../docs/migration.md")]
pub mod migration {}

#[cfg(all(doc, not(doctest)))]
#[doc = include_str!("../docs/limits.md")]
pub mod limits {}
