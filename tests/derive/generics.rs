//! Tests of type, const and lifetime parameters, with bounds in all positions.

use std::borrow::Cow;
use std::fmt::Debug;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::{cleared, declared, wrong};

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Copy)]
enum Kind {
    Alpha,
    Beta,
}

const DECLARED: &str = r#"kind: alpha = "Alpha", beta = "Beta" optional"#;

/// A type without any trait, so a bound on the type of a member would not be met.
struct Nothing;

#[derive(Union, Serialize)]
struct OfTypes<A, B: ?Sized + 'static> {
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
    let mut new = OfTypes::<Nothing, str> {
        kind: Kind::Beta,
        alpha: Some(Nothing),
        beta: Some("beta"),
    };
    let old = OfTypes {
        kind: Kind::Alpha,
        alpha: Some(Nothing),
        beta: None,
    };
    assert_eq!(declared::<OfTypes<Nothing, str>>(), DECLARED);
    assert_eq!(wrong(&new), "alpha");
    assert_eq!(cleared(&mut new, &old), "alpha");
    assert!(new.alpha.is_none());
    assert_eq!(wrong(&new), "");
}

#[derive(Union, Serialize)]
struct OfAll<'a, T, const N: usize>
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
fn lifetimes_constants_and_where_clauses_are_carried_over() {
    let text = String::from("alpha");
    let object = OfAll::<u8, 3> {
        kind: Kind::Alpha,
        alpha: Some(Cow::Borrowed(&text)),
        beta: Some(Wrapper([0])),
    };
    assert_eq!(declared::<OfAll<'_, u8, 3>>(), DECLARED);
    assert_eq!(wrong(&object), "beta");
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
fn parameters_with_defaults_are_carried_over() {
    assert_eq!(declared::<WithDefaults>(), DECLARED);
    assert_eq!(declared::<WithDefaults<&str, 5>>(), DECLARED);
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
#[schemars(transform = union_runtime::add_unions::<OfConstWithSchema<N>>)]
struct OfConstWithSchema<const N: usize> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<Wrapper<u8, N>>,
}

#[derive(Union, Serialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<OfLifetimeWithSchema<'_>>)]
struct OfLifetimeWithSchema<'a> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<&'a str>,
}

#[test]
fn the_hook_serves_constants_and_lifetimes_too() {
    for schema in [
        union_runtime::schema_for::<OfConstWithSchema<3>>(),
        union_runtime::schema_for::<OfLifetimeWithSchema<'_>>(),
    ] {
        assert_eq!(
            schema.pointer("/properties/kind/x-kubernetes-unions/fieldMembers/Alpha/name"),
            Some(&serde_json::json!("alpha"))
        );
    }
}

mod names_that_shadow {
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
fn parameters_may_shadow_names_of_the_prelude_and_of_the_runtime() {
    assert_eq!(
        declared::<names_that_shadow::Shadow<u8, u8, u8>>(),
        DECLARED
    );
    let object = names_that_shadow::Shadow::<u8, u8, u8> {
        kind: Kind::Beta,
        alpha: Some(1),
        beta: Some((2, 3)),
    };
    assert_eq!(wrong(&object), "alpha");
}
