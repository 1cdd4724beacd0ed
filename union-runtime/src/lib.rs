// Folders, lowest first: union_spec, generated, path, view, report, rules, comparator, typed,
// schema

#![cfg_attr(docsrs, feature(doc_cfg))]
//! Unions for Rust authors of Kubernetes API types: *at most one of these fields may be set*.
//!
//! There are two forms, with the same JSON and the same rules:
//!
//! - The enum form: [`#[derive(UnionEnum)]`](macro@UnionEnum) turns a Rust enum into a union, with
//!   one variant per member. An object that fits no variant, such as an object with a value that
//!   only a newer server knows, is kept and written back unchanged.
//! - The struct form: [`#[derive(Union)]`](macro@Union) is for a struct whose fields are the
//!   members. Its discriminator is an enum with [`#[derive(EnumType)]`](macro@EnumType).
//!
//! Both forms have:
//!
//! - [`Union::normalize_unions`]: changes the object to what the client meant. If the discriminator
//!   changed, all members except the selected member are cleared, because a client cannot clear
//!   members that it does not know.
//! - [`Union::validate_unions`] and [`Union::validate_unions_update`]: return a [`Report`] with
//!   Kubernetes' own messages and a remedy. An update may keep an error that the old object has for
//!   the same reason ([`Ratchet`]).
//! - [`Union::admit_unions`]: normalizes and validates the object of a request.
//!   [`Union::normalize_unions_apply`] is for server-side apply.
//! - The attributes `nested`, `inline` and `list_map_keys`: apply the rules to all unions inside an
//!   object. New and old values are correlated as on an API server, and errors have paths such as
//!   `spec.volumes[2].hostPath`.
//! - [`spec`]: applies the rules to a representation of your own.
//!   [`union-json`](https://docs.rs/union-json) applies them to JSON objects, by a schema alone.
//! - [`comparator`]: finds the parts of a new object that are unchanged (KEP-4008), for your own
//!   validators.
//! - [`schema`] (feature `schemars`): the `x-kubernetes-unions` extension, enum values and their
//!   docs, CEL rules or `oneOf` ([`Enforcement`]).
//!
//! Other crates of the project:
//!
//! - [`union-kube`](https://docs.rs/union-kube): CRDs of kube-rs types;
//! - [`k8s-crd-validation`](https://docs.rs/k8s-crd-validation): validation of CRDs and custom
//!   resources, as on an API server;
//! - [`crd-unions`](https://docs.rs/crd-unions): unions that the rules of third-party CRDs imply;
//! - [`union-policy`](https://docs.rs/union-policy): admission policies that replace a webhook;
//! - [`k8s-upgrade`](https://docs.rs/k8s-upgrade): requests that another version of Kubernetes
//!   answers differently;
//! - [`union-compat`](https://docs.rs/union-compat): effects of a changed union on objects and
//!   clients;
//! - [`k8s-cel`](https://docs.rs/k8s-cel) and
//!   [`k8s-strategic-merge-patch`](https://docs.rs/k8s-strategic-merge-patch).
//!
//! The crates implement [KEP-1027](https://kep.k8s.io/1027) in its 2022 text and in its 2019 text,
//! [KEP-2887](https://kep.k8s.io/2887), [KEP-4008](https://kep.k8s.io/4008), and the proposal of
//! the `retainKeys` patch strategy. References to sections of KEP-1027 mean the 2022 text, unless
//! "2019 text" is added.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use union_runtime::{EnumType, Settings, Union};
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
//! let report = new.admit_unions(Some(&old), &Settings::default());
//! assert_eq!(report.changes().cleared().collect::<Vec<_>>(), ["rollingUpdate"]);
//! assert!(report.is_accepted());
//! ```
//!
//! The same union in the enum form, which also reads unknown values:
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
//! let stored = concat!(
//!     r#"[{"type":"RollingUpdate","rollingUpdate":1},"#,
//!     r#"{"canary":{"steps":3},"type":"Canary"}]"#,
//! );
//! let strategies: Vec<Strategy> = serde_json::from_str(stored)?;
//! assert_eq!(strategies[0], Strategy::RollingUpdate(Some(1)));
//! assert_eq!(strategies[1].discriminator(), Some("Canary"));
//! assert!(!strategies[1].validate_unions().is_accepted());
//! assert_eq!(serde_json::to_string(&strategies)?, stored);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # How it works
//!
//! The derive describes, the runtime decides. A derived type has a constant table ([`UnionSpec`])
//! and returns the [`State`] of each union: the selected value and the set members. Every rule is
//! written once, against an object-safe view that structs, enums and JSON objects share. Checking a
//! valid object takes one comparison of bit masks per union, and does not allocate.
//!
//! # Features
//!
//! - `derive` (default): the derives.
//! - `schemars` (default): schema output.
//!
//! [`limits`](limits#what-a-feature-costs) has the cost of each feature.
//!
//! # Guides
//!
//! - [`how_unions_work`]: the use of a discriminator, and skew between versions.
//! - [`with_kube`]: CRDs, schema hooks and webhooks.
//! - [`migration`]: from serde enums, hand-written CEL rules or `Option`s.
//! - [`limits`]: rejected types, and intended differences from Kubernetes.
//!
// tests/pages compiles and runs the code of the pages, so doc tests leave the pages out.
#![cfg_attr(not(doctest), doc = include_str!("../docs/tour.md"))]
#![forbid(unsafe_code)]
// Input of a client must not cause a panic. Each remaining `panic` is a compile error, or states
// why it cannot happen.
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
mod typed;
mod union_spec;
mod view;

#[cfg(feature = "schemars")]
pub mod schema;

pub mod spec {
    //! The data and traits that the derives use, for tools, generators, hand-written
    //! implementations and representations of your own.
    //!
    //! - Data: a [`UnionSpec`] describes a union, an [`OwnedUnionSpec`] describes a union that was
    //!   read at run time, and a [`State`] has the selected value and the set members of a value.
    //! - Traits that the derives implement or require of fields, and that compile errors name:
    //!   [`UnionType`], [`UnionMember`], [`Discriminator`], [`KeyField`] and others.
    //! - A view of objects in a representation of your own, such as a YAML tree with positions. A
    //!   [`Node`] is an object with unions. A walk passes each node to a [`Visitor`], with the
    //!   correlated old node and the [`Cursor`]. [`Requests`] runs the rules over the walk. The
    //!   example `yaml_tree` reports the lines of errors.

    pub use crate::report::report::ReportParts;
    pub use crate::rules::requests::{Baseline, Requests};
    pub use crate::typed::discriminator::{DeducedDiscriminator, Discriminator};
    pub use crate::typed::inline::Inline;
    pub use crate::typed::list_map::{KeyField, Keyed, ListMap};
    pub use crate::typed::members::UnionMember;
    pub use crate::typed::union::UnionType;
    pub use crate::typed::unknown::UnknownMembers;
    pub use crate::union_spec::owned::{OwnedDiscriminator, OwnedUnionSpec};
    pub use crate::union_spec::{
        DiscriminatorFacts, DiscriminatorSpec, DiscriminatorValues, Enforcement, EnumValue,
        ExtensionShape, MAX_VALUES, MemberSpec, OwnedMember, UnionModel, UnionSpec, schema_keys,
    };
    pub use crate::view::{
        Cursor, Nested, Node, NodeMut, Selected, State, StateBuilder, Visitor, VisitorMut, Walk,
        WalkMut,
    };
    pub use k8s_json_internals::{key::Key, non_string::NonStringValue};
}

/// The items that generated code uses. They change with every version.
#[doc(hidden)]
pub mod __private {
    pub use crate::__if_schema as if_schema;
    pub use crate::__reset as reset;
    pub use crate::__values as values;
    pub use crate::generated::declaration::{
        allow_unknown, check_unmarked_field, deduced, discriminator, member, member_by_two_names,
        member_with_value, reject_if, undiscriminated, union, union_with,
    };
    pub use crate::generated::enum_form::{EnumForm, FlattenedFields};
    pub use crate::generated::flattened::{check_flattened_enum, require_enum};
    pub use crate::generated::lookup::key_position;
    pub use crate::generated::message::Message;
    #[cfg(feature = "schemars")]
    pub use crate::schema::enum_form::{accept_any_json, enum_schema, preserve_unknown_fields};
    pub use crate::typed::enum_form::{
        CurrentVariant, EnumMember, deserialize_enum, enum_reread, enum_reset, enum_state,
        enum_unions, enum_unknown_members,
    };
    pub use crate::typed::members::{MemberList, RestoreMember, RestoreNothing};
    pub use crate::typed::probes::{Identity, Probe, ProbeDefaults, assert_hook_type};
    pub use crate::typed::union::{member_spec, state};
    pub use crate::union_spec::MemberRow;
    pub use crate::view::{Descent, UnionNodes};
    pub use k8s_json_internals::read::FieldValue;
    #[cfg(feature = "schemars")]
    pub use schemars;
    pub use serde;
    pub use serde_json;
    pub use std::{borrow::Cow, string::String};
}

pub use report::changes::{Change, ChangeKind, Changes};
pub use report::report::{ObjectRef, Report};
pub use report::violation::{BadValue, Violation, ViolationKind};
pub use rules::settings::{Ratchet, RestoreUnaware, Settings};
pub use rules::union::Union;
#[cfg(feature = "schemars")]
pub use schema::{add_enum, add_rules, add_unions, schema_for};
pub use typed::enum_form::UnionEnum;
pub use typed::raw_union::{RawUnion, RawUnionReason};
#[cfg(feature = "derive")]
pub use union_derive::{EnumType, Union, UnionEnum};
pub use union_spec::enum_type::EnumType;

// The names that generated code uses. Users find these items in `spec`.
#[doc(hidden)]
pub use spec::{
    Cursor, DeducedDiscriminator, Discriminator, DiscriminatorFacts, DiscriminatorSpec,
    DiscriminatorValues, Enforcement, EnumValue, ExtensionShape, Inline, Key, KeyField, Keyed,
    ListMap, MemberSpec, Nested, ReportParts, Selected, State, UnionMember, UnionModel, UnionSpec,
    UnknownMembers, Visitor, VisitorMut, schema_keys,
};

// The items that other crates of the workspace use, and that users do not need.
#[doc(hidden)]
pub use rules::validate::{is_union_message, needed_one_of, needed_when, only_one_of, only_when};

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
