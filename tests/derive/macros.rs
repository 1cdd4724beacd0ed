//! Tests of types that `macro_rules` declares.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::{declared, wrong};

/// Declares types whose parts come from the caller, each as a fragment of its own kind.
macro_rules! from_parts {
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

from_parts! {
    Parts { One, Two }
    OfParts<T> { kind, first: Option<T> = "One", second: Option<Vec<T>> = "Two" }
}

/// Declares a union whose field names belong to the macro and so have its hygiene.
macro_rules! from_nothing {
    ($name:ident) => {
        #[derive(Union, Serialize, Deserialize)]
        struct $name {
            #[union(discriminator)]
            kind: Parts,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            one: Option<u8>,
            #[union(member, optional)]
            #[serde(skip_serializing_if = "Option::is_none")]
            two: Option<u8>,
        }
    };
}

from_nothing!(OfNothing);

/// Declares a union whose discriminator has a type from a `ty` fragment, which comes in invisible
/// delimiters.
macro_rules! from_types {
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

from_types!(OfTypes, Option<Parts>, Vec<Box<str>>);

#[test]
fn a_macro_may_declare_a_struct() {
    assert_eq!(
        declared::<OfParts<u8>>(),
        r#"kind: first = "One", second = "Two""#
    );
    assert_eq!(
        declared::<OfNothing>(),
        r#"kind: one = "One", two = "Two" optional"#
    );
    assert_eq!(declared::<OfTypes>(), r#"kind: one = "One""#);
}

#[test]
fn its_fields_are_reached() {
    let object = OfParts {
        kind: Parts::Two,
        first: Some(1),
        second: None,
    };
    assert_eq!(wrong(&object), "first second");
    let object: OfNothing =
        serde_json::from_str(r#"{"kind": "One", "two": 1}"#).expect("a readable value");
    assert_eq!(wrong(&object), "one two");
    let object: OfTypes = serde_json::from_str(r#"{"one": []}"#).expect("a readable value");
    assert_eq!(wrong(&object), "one");
}
