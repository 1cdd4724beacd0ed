//! Tests of type, const and lifetime parameters, with bounds in all positions.

use std::borrow::Cow;
use std::fmt::Debug;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::{cleared_paths, describe_union, error_paths};

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Copy)]
enum Kind {
    Alpha,
    Beta,
}

const DESCRIPTION: &str = r#"kind: alpha = "Alpha", beta = "Beta" optional"#;

/// A type that implements no trait, so the impl compiles only without bounds on member types.
struct NoTraits;

#[derive(Union, Serialize)]
struct TypeParameters<A, B: ?Sized + 'static> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<A>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<&'static B>,
}

#[test]
fn members_of_any_type_need_no_bounds() {
    let mut new = TypeParameters::<NoTraits, str> {
        kind: Kind::Beta,
        alpha: Some(NoTraits),
        beta: Some("beta"),
    };
    let old = TypeParameters {
        kind: Kind::Alpha,
        alpha: Some(NoTraits),
        beta: None,
    };
    assert_eq!(
        describe_union::<TypeParameters<NoTraits, str>>(),
        DESCRIPTION
    );
    assert_eq!(error_paths(&new), "alpha");
    assert_eq!(cleared_paths(&mut new, &old), "alpha");
    assert!(new.alpha.is_none());
    assert_eq!(error_paths(&new), "");
}

#[derive(Union, Serialize)]
struct AllParameters<'a, T, const N: usize>
where
    T: Clone + Debug,
    [T; N]: Debug,
{
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<Cow<'a, str>>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Wrapper<T, N>>,
}

#[derive(Serialize, JsonSchema, Debug)]
struct Wrapper<T, const N: usize>([T; 1]);

#[test]
fn a_struct_may_have_lifetimes_const_parameters_and_a_where_clause() {
    let text = String::from("alpha");
    let object = AllParameters::<u8, 3> {
        kind: Kind::Alpha,
        alpha: Some(Cow::Borrowed(&text)),
        beta: Some(Wrapper([0])),
    };
    assert_eq!(describe_union::<AllParameters<'_, u8, 3>>(), DESCRIPTION);
    assert_eq!(error_paths(&object), "beta");
}

#[derive(Union, Serialize)]
struct WithDefaults<T = u8, const N: usize = 2> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<T>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Wrapper<T, N>>,
}

#[test]
fn parameters_may_have_defaults() {
    assert_eq!(describe_union::<WithDefaults>(), DESCRIPTION);
    assert_eq!(describe_union::<WithDefaults<&str, 5>>(), DESCRIPTION);
}

#[derive(Union, Serialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Self>)]
struct WithSchema<T> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<T>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Vec<T>>,
}

#[test]
fn the_hook_of_a_generic_struct_names_self() {
    let schema = union_runtime::schema_for::<WithSchema<u8>>();
    assert_eq!(
        schema.pointer("/properties/kind/x-kubernetes-unions"),
        Some(&serde_json::json!({ "fieldMembers": {
            "Alpha": { "name": "alpha", "optional": false },
            "Beta": { "name": "beta", "optional": true },
        } }))
    );
}

#[derive(Union, Serialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<ConstWithSchema<N>>)]
struct ConstWithSchema<const N: usize> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<Wrapper<u8, N>>,
}

#[derive(Union, Serialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<LifetimeWithSchema<'_>>)]
struct LifetimeWithSchema<'a> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<&'a str>,
}

#[test]
fn the_hook_may_name_a_type_with_const_and_lifetime_arguments() {
    for schema in [
        union_runtime::schema_for::<ConstWithSchema<3>>(),
        union_runtime::schema_for::<LifetimeWithSchema<'_>>(),
    ] {
        assert_eq!(
            schema.pointer("/properties/kind/x-kubernetes-unions/fieldMembers/Alpha/name"),
            Some(&serde_json::json!("alpha"))
        );
    }
}

mod shadowing_parameters {
    //! Structs whose parameters have the names of items that generated code uses.

    use super::{Kind, Serialize, Union};

    #[derive(Union, Serialize)]
    pub(super) struct Shadow<Option, State, Selected> {
        #[union(discriminator)]
        pub(super) kind: Kind,
        #[union(member)]
        #[serde(skip_serializing_if = "std::option::Option::is_none")]
        pub(super) alpha: std::option::Option<Option>,
        #[union(member, optional)]
        #[serde(skip_serializing_if = "std::option::Option::is_none")]
        pub(super) beta: std::option::Option<(State, Selected)>,
    }
}

#[test]
fn parameters_may_have_names_of_the_prelude_and_of_the_runtime() {
    assert_eq!(
        describe_union::<shadowing_parameters::Shadow<u8, u8, u8>>(),
        DESCRIPTION
    );
    let object = shadowing_parameters::Shadow::<u8, u8, u8> {
        kind: Kind::Beta,
        alpha: Some(1),
        beta: Some((2, 3)),
    };
    assert_eq!(error_paths(&object), "alpha");
}
