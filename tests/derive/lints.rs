//! Test that generated code triggers no lint, even if an author enables all of them.
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
// Every name that generated code uses is in scope, so that an unnecessary qualification would
// trigger a lint.
use union_runtime::spec::{
    Discriminator, EnumValue, Selected, UnionMember, UnionSpec, UnionType, UnknownMembers,
};
use union_runtime::{DiscriminatorFacts, EnumType, RawUnion, Union, UnionEnum};

use crate::describe_union;

/// An enum type.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
#[schemars(transform = union_runtime::add_enum::<Kind>)]
enum Kind {
    /// A value with a doc comment.
    Alpha,
    /// A deprecated value.
    #[deprecated(note = "use Alpha")]
    Beta,
    /// Any other value.
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A union.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
#[schemars(transform = union_runtime::add_unions::<Strict>)]
struct Strict {
    /// The discriminator.
    #[union(discriminator)]
    kind: Kind,
    /// A member.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    /// A deprecated member.
    #[deprecated(note = "use alpha")]
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

/// A union without a schema, with an optional discriminator and with parameters of all kinds.
#[derive(Union, Serialize, Clone, Debug, PartialEq, Eq)]
struct Parameters<'a, T, const N: usize>
where
    T: Clone,
{
    /// The discriminator, with a default.
    #[union(discriminator)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    /// A member.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<&'a T>,
    /// A field that is not a member.
    rest: Vec<T>,
}

/// A union that keeps unknown members.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
#[schemars(transform = union_runtime::add_unions::<Keeping>)]
struct Keeping {
    /// The discriminator.
    #[union(discriminator)]
    kind: Kind,
    /// A member.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    /// The members of newer servers.
    #[deprecated(note = "all is known now")]
    #[union(unknown)]
    #[serde(flatten)]
    #[schemars(skip)]
    rest: BTreeMap<String, Value>,
}

/// A struct that flattens `Keeping`.
#[derive(Union, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
struct Flattening {
    /// The flattened union.
    #[union(inline)]
    #[serde(flatten)]
    keeping: Keeping,
}

/// A struct that flattens two structs, neither of which keeps unknown members.
#[derive(Union, Serialize, Clone, Debug, PartialEq, Eq)]
struct FlatteningTwo {
    /// The first union.
    #[union(inline)]
    #[serde(flatten)]
    strict: Strict,
    /// The second union.
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

/// A member of an enum with `nested`.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Hash)]
#[schemars(transform = union_runtime::add_unions::<One>)]
struct One {
    /// A member.
    #[union(member, group = letters, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
}

/// A union enum.
#[derive(UnionEnum, Clone, Debug, PartialEq, Eq, Hash)]
#[union(discriminator = "kind")]
enum Enumerated<T, const N: usize>
where
    T: Clone,
{
    /// No member.
    None,
    /// A member.
    One(T),
    /// A deprecated member.
    #[deprecated(note = "use One")]
    Two(Option<Box<Two<N>>>),
    /// A member with a union of its own.
    #[union(nested)]
    Three(One),
    /// Any other object.
    #[union(other)]
    Other(RawUnion),
}

/// A member type with a parameter.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Two<const N: usize> {
    /// A field.
    two: u8,
}

/// A union enum without a discriminator and without a variant for unknown objects.
#[derive(UnionEnum, Clone, Copy, Debug, PartialEq, Eq)]
#[union(undiscriminated, strict)]
enum Undiscriminated {
    /// The first member.
    One(Two<1>),
    /// The second member.
    #[union(field = "second")]
    Two(Two<2>),
}

/// A deprecated enum type.
#[deprecated(note = "there are better ones")]
#[derive(EnumType, Clone, Copy, Debug, PartialEq, Eq)]
enum OldKind {
    /// The only value.
    Alpha,
}

/// A deprecated union.
#[deprecated(note = "there is a better one")]
#[derive(Union, Serialize, Clone, Debug, PartialEq, Eq)]
struct OldUnion {
    /// The discriminator.
    #[union(discriminator)]
    kind: Kind,
    /// A member.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

/// Uses the deprecated types, which warns only the code that names them.
#[allow(
    deprecated,
    clippy::allow_attributes,
    reason = "the lint is an error in the rest of the file"
)]
const fn deprecated_values() -> (OldKind, OldUnion) {
    let union = OldUnion {
        kind: Kind::Alpha,
        alpha: None,
    };
    (OldKind::Alpha, union)
}

/// Returns the unions of the type, and the set members of the first union as bits.
fn unions_and_set_members<U: UnionType>(object: &U) -> (&'static [UnionSpec<'static>], u64) {
    let set_members = object.union_state(0).map(|state| state.members_set());
    (U::unions(), set_members.unwrap_or_default())
}

fn facts_and_selected<D: Discriminator>(
    discriminator: &D,
) -> (&'static DiscriminatorFacts, Selected<'_>) {
    (D::FACTS, discriminator.selected())
}

#[test]
fn generated_code_triggers_no_lint() {
    let kind = Kind::Unknown(String::from("Alpha"));
    assert_eq!(kind.value(), EnumValue::Known(0));
    assert_eq!(facts_and_selected(&kind).1, Selected::Known(0));
    assert!(Some(0).is_set());
    let object = Parameters::<'_, _, 3> {
        kind: Some(kind),
        alpha: Some(&1),
        rest: vec![1],
    };
    assert_eq!(unions_and_set_members(&object).1, 1);
    assert_eq!(
        (
            deprecated_values().0.as_str(),
            unions_and_set_members(&deprecated_values().1).1
        ),
        ("Alpha", 0)
    );
    assert!(BTreeMap::<String, Value>::new().take_named("a").is_empty());
    assert_eq!(describe_union::<Keeping>(), r#"kind: alpha = "Alpha""#);
    assert!(Flattening::unions().is_empty() && FlatteningTwo::unions().is_empty());
    assert_eq!(
        describe_union::<Strict>(),
        r#"kind: alpha = "Alpha", beta = "Beta" optional"#
    );
    assert_eq!(
        describe_union::<Parameters<'_, u8, 0>>(),
        r#"kind: alpha = "Alpha""#
    );
    assert_eq!(
        describe_union::<Enumerated<u8, 1>>(),
        r#"kind: one = "One", two = "Two" optional, three = "Three""#
    );
    assert_eq!(Enumerated::<u8, 1>::One(1).discriminator(), Some("One"));
    assert!(Undiscriminated::Two(Two { two: 2 }).raw().is_none());
}
