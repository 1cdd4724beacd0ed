//! What is generated triggers no lint of the author's, however strict they are.
#![deny(
    warnings,
    clippy::all,
    clippy::nursery,
    clippy::pedantic,
    deprecated,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    let_underscore_drop,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_pub,
    unsafe_code,
    unused,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![deny(
    clippy::allow_attributes,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_trait_methods,
    clippy::panic,
    clippy::shadow_unrelated,
    clippy::unreachable,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
// All that generated code names is in scope, so that a qualification of it is one too many.
use union_runtime::spec::{
    Discriminator, EnumValue, Selected, UnionMember, UnionSpec, UnionType, UnknownMembers,
};
use union_runtime::{DiscriminatorFacts, EnumType, RawUnion, Union, UnionEnum};

use crate::declared;

/// Values.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
#[schemars(transform = union_runtime::add_enum::<Kind>)]
enum Kind {
    /// Documented.
    Alpha,
    /// Not to be used any more.
    #[deprecated(note = "use Alpha")]
    Beta,
    /// The rest.
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A union.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
#[schemars(transform = union_runtime::add_unions::<Strict>)]
struct Strict {
    /// Selects.
    #[union(discriminator)]
    kind: Kind,
    /// A member.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    /// Not to be used any more.
    #[deprecated(note = "use alpha")]
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

/// A union without a schema, whose discriminator may be absent, with parameters of all kinds.
#[derive(Union, Serialize, Clone, Debug, PartialEq, Eq)]
struct Parameters<'a, T, const N: usize>
where
    T: Clone,
{
    /// Selects, by default.
    #[union(discriminator)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    /// A member.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<&'a T>,
    /// No member.
    rest: Vec<T>,
}

/// A union that keeps unknown members.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
#[schemars(transform = union_runtime::add_unions::<Keeping>)]
struct Keeping {
    /// Selects.
    #[union(discriminator)]
    kind: Kind,
    /// A member.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    /// Members of newer servers.
    #[deprecated(note = "all is known now")]
    #[union(unknown)]
    #[serde(flatten)]
    #[schemars(skip)]
    rest: BTreeMap<String, Value>,
}

/// A struct that flattens it.
#[derive(Union, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
struct Flattening {
    /// The union.
    #[union(inline)]
    #[serde(flatten)]
    keeping: Keeping,
}

/// A struct that flattens two others, where neither may keep anything.
#[derive(Union, Serialize, Clone, Debug, PartialEq, Eq)]
struct FlatteningTwo {
    /// A union.
    #[union(inline)]
    #[serde(flatten)]
    strict: Strict,
    /// Another one.
    #[union(inline)]
    #[serde(flatten)]
    other: Group,
}

/// A union without a discriminator.
#[derive(Union, Serialize, Clone, Debug, PartialEq, Eq)]
struct Group {
    /// A member.
    #[union(member, group = letters, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
}

/// What an enum with `nested` holds.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Hash)]
#[schemars(transform = union_runtime::add_unions::<One>)]
struct One {
    /// A member.
    #[union(member, group = letters, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
}

/// A union that is an enum.
#[derive(UnionEnum, Clone, Debug, PartialEq, Eq, Hash)]
#[union(discriminator = "kind")]
enum Enumerated<T, const N: usize>
where
    T: Clone,
{
    /// Nothing.
    None,
    /// A member.
    One(T),
    /// Not to be used any more.
    #[deprecated(note = "use One")]
    Two(Option<Box<Two<N>>>),
    /// Is descended into.
    #[union(nested)]
    Three(One),
    /// The rest.
    #[union(other)]
    Other(RawUnion),
}

/// A member with a parameter.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Two<const N: usize> {
    /// Something.
    two: u8,
}

/// A union that is an enum, has no discriminator, and fails to be read.
#[derive(UnionEnum, Clone, Copy, Debug, PartialEq, Eq)]
#[union(undiscriminated, strict)]
enum Undiscriminated {
    /// The first.
    One(Two<1>),
    /// The second.
    #[union(field = "second")]
    Two(Two<2>),
}

/// Values that are deprecated together.
#[deprecated(note = "there are better ones")]
#[derive(EnumType, Clone, Copy, Debug, PartialEq, Eq)]
enum OldKind {
    /// The only one.
    Alpha,
}

/// A type that is deprecated itself.
#[deprecated(note = "there is a better one")]
#[derive(Union, Serialize, Clone, Debug, PartialEq, Eq)]
struct Old {
    /// Selects.
    #[union(discriminator)]
    kind: Kind,
    /// A member.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

/// Only those who name them are told.
#[allow(deprecated, clippy::allow_attributes)] // That it is an error elsewhere is the point.
const fn old() -> (OldKind, Old) {
    let old = Old {
        kind: Kind::Alpha,
        alpha: None,
    };
    (OldKind::Alpha, old)
}

fn state<U: UnionType>(object: &U) -> (&'static [UnionSpec<'static>], u64) {
    let state = object.union_state(0).map(|state| state.members_set());
    (U::unions(), state.unwrap_or_default())
}

fn kinds<D: Discriminator>(discriminator: &D) -> (&'static DiscriminatorFacts, Selected<'_>) {
    (D::FACTS, discriminator.selected())
}

#[test]
fn strict_lints_are_content() {
    let kind = Kind::Unknown(String::from("Alpha"));
    assert_eq!(kind.value(), EnumValue::Known(0));
    assert_eq!(kinds(&kind).1, Selected::Known(0));
    assert!(Some(0).is_set());
    let object = Parameters::<'_, _, 3> {
        kind: Some(kind),
        alpha: Some(&1),
        rest: vec![1],
    };
    assert_eq!(state(&object).1, 1);
    assert_eq!((old().0.as_str(), state(&old().1).1), ("Alpha", 0));
    assert!(BTreeMap::<String, Value>::new().take_named("a").is_empty());
    assert_eq!(declared::<Keeping>(), r#"kind: alpha = "Alpha""#);
    assert!(Flattening::unions().is_empty() && FlatteningTwo::unions().is_empty());
    assert_eq!(
        declared::<Strict>(),
        r#"kind: alpha = "Alpha", beta = "Beta" optional"#
    );
    assert_eq!(
        declared::<Parameters<'_, u8, 0>>(),
        r#"kind: alpha = "Alpha""#
    );
    assert_eq!(
        declared::<Enumerated<u8, 1>>(),
        r#"kind: one = "One", two = "Two" optional, three = "Three""#
    );
    assert_eq!(Enumerated::<u8, 1>::One(1).discriminator(), Some("One"));
    assert!(Undiscriminated::Two(Two { two: 2 }).raw().is_none());
}
