//! Tests of types that `macro_rules` declares.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::{describe_union, error_paths};

/// Declares types whose parts come from the caller, each as a fragment of its own kind.
macro_rules! declare_from_parts {
    ($kind:ident { $($variant:ident),* } $name:ident<$($p:ident),*> { $tag:ident, $($field:ident: $ty:ty = $value:literal),* }) => {
        #[derive(EnumType, Serialize, Deserialize)]
        enum $kind { $($variant),* }

        #[derive(Union, Serialize, Deserialize)]
        struct $name<$($p),*> {
            #[union(discriminator)]
            $tag: $kind,
            $(
                #[union(member = $value)]
                #[serde(skip_serializing_if = "Option::is_none")]
                $field: $ty,
            )*
        }
    };
}

declare_from_parts! {
    Kind { One, Two }
    FromParts<T> { kind, first: Option<T> = "One", second: Option<Vec<T>> = "Two" }
}

/// Declares a union whose field names are tokens of the macro, so they have its hygiene.
macro_rules! declare_with_own_names {
    ($name:ident) => {
        #[derive(Union, Serialize, Deserialize)]
        struct $name {
            #[union(discriminator)]
            kind: Kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            one: Option<u8>,
            #[union(member, optional)]
            #[serde(skip_serializing_if = "Option::is_none")]
            two: Option<u8>,
        }
    };
}

declare_with_own_names!(WithOwnNames);

/// Declares a union whose discriminator has a type from a `ty` fragment, which is a group with
/// invisible delimiters.
macro_rules! declare_from_types {
    ($name:ident, $kind:ty, $member:ty) => {
        #[derive(Union, Serialize, Deserialize)]
        struct $name {
            #[union(discriminator)]
            #[serde(skip_serializing_if = "Option::is_none")]
            kind: $kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            one: Option<$member>,
        }
    };
}

declare_from_types!(FromTypes, Option<Kind>, Vec<Box<str>>);

#[test]
fn a_macro_may_declare_a_union() {
    assert_eq!(
        describe_union::<FromParts<u8>>(),
        r#"kind: first = "One", second = "Two""#
    );
    assert_eq!(
        describe_union::<WithOwnNames>(),
        r#"kind: one = "One", two = "Two" optional"#
    );
    assert_eq!(describe_union::<FromTypes>(), r#"kind: one = "One""#);
}

#[test]
fn the_members_of_a_union_that_a_macro_declares_are_validated() {
    let object = FromParts {
        kind: Kind::Two,
        first: Some(1),
        second: None,
    };
    assert_eq!(error_paths(&object), "first second");
    let object: WithOwnNames =
        serde_json::from_str(r#"{"kind": "One", "two": 1}"#).expect("a readable value");
    assert_eq!(error_paths(&object), "one two");
    let object: FromTypes = serde_json::from_str(r#"{"one": []}"#).expect("a readable value");
    assert_eq!(error_paths(&object), "one");
}
