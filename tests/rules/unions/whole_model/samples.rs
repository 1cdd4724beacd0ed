//! Unions of one to four members, in each form of the 2019 model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::unions::whole_model::model::{Absence, Discriminator, Model};
use crate::unions::whole_model::states::Sample;

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<Two>)]
pub(crate) enum Two {
    A,
    B,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// An enum type that cannot hold unknown values.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub(crate) enum Closed {
    A,
    B,
    C,
}

/// An enum type with the value `""`, and with values in another order than the members.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, Default, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<WithEmpty>)]
pub(crate) enum WithEmpty {
    C,
    #[default]
    #[serde(rename = "")]
    Empty,
    B,
    A,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// An enum type whose first value clears all members.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<WithNothing>)]
pub(crate) enum WithNothing {
    Nothing,
    A,
    B,
    C,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<WithAll>)]
pub(crate) enum WithAll {
    D,
    Nothing,
    C,
    #[serde(rename = "")]
    Empty,
    B,
    A,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

const MEMBERS: &[(&str, &str)] = &[("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")];

macro_rules! deduced {
    (
        $(#[doc = $doc:literal])*
        $name:ident { $(#[serde($($serde:tt)*)])? kind: $ty:ty; $($member:ident)+ }
        values: $values:expr, absence: $absence:ident, is_lenient: $is_lenient:literal
    ) => {
        $(#[doc = $doc])*
        #[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
        #[schemars(transform = union_runtime::add_unions::<$name>)]
        pub(crate) struct $name {
            #[union(discriminator, deduce)]
            $(#[serde($($serde)*)])?
            pub(crate) kind: $ty,
            $(
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                pub(crate) $member: Option<u8>,
            )+
        }

        impl Sample for $name {
            const MODEL: Model = Model {
                discriminator: Some(Discriminator {
                    field: "kind",
                    values: $values,
                    absence: Absence::$absence,
                    is_lenient: $is_lenient,
                }),
                members: MEMBERS.split_at([$(stringify!($member)),+].len()).0,
                exactly_one: false,
            };
        }
    };
}

deduced! {
    /// A union whose discriminator must be present when an object is read.
    Required { kind: Two; a b }
    values: Some(&["A", "B"]), absence: Unreadable, is_lenient: true
}
deduced! {
    /// The form that the 2019 text requires if a union gets its discriminator later.
    Optional { #[serde(skip_serializing_if = "Option::is_none")] kind: Option<Two>; a b }
    values: Some(&["A", "B"]), absence: Kept, is_lenient: true
}
deduced! {
    Strict { #[serde(skip_serializing_if = "Option::is_none")] kind: Option<Closed>; a b c }
    values: Some(&["A", "B", "C"]), absence: Kept, is_lenient: false
}
deduced! {
    /// A union that reads and writes an absent discriminator as `""`.
    Empty { #[serde(default)] kind: WithEmpty; a b c }
    values: Some(&["C", "", "B", "A"]), absence: Empty, is_lenient: true
}
deduced! {
    /// A union that keeps an absent discriminator and `""` as they were sent, although they mean
    /// the same.
    OptionalEmpty { #[serde(skip_serializing_if = "Option::is_none")] kind: Option<WithEmpty>; a b c }
    values: Some(&["C", "", "B", "A"]), absence: Kept, is_lenient: true
}
deduced! {
    Nothing { #[serde(skip_serializing_if = "Option::is_none")] kind: Option<WithNothing>; a b c }
    values: Some(&["Nothing", "A", "B", "C"]), absence: Kept, is_lenient: true
}
deduced! {
    All { #[serde(skip_serializing_if = "Option::is_none")] kind: Option<Box<WithAll>>; a b c d }
    values: Some(&["D", "Nothing", "C", "", "B", "A"]), absence: Kept, is_lenient: true
}
deduced! {
    /// A union with a value, `B`, that has no member.
    One { kind: Box<Two>; a }
    values: Some(&["A", "B"]), absence: Unreadable, is_lenient: true
}
deduced! {
    Text { #[serde(default)] kind: String; a b }
    values: None, absence: Empty, is_lenient: true
}
deduced! {
    RequiredText { kind: String; a }
    values: None, absence: Unreadable, is_lenient: true
}
deduced! {
    OptionalText { #[serde(skip_serializing_if = "Option::is_none")] kind: Option<String>; a b c }
    values: None, absence: Kept, is_lenient: true
}
deduced! {
    FourTexts { #[serde(skip_serializing_if = "Option::is_none")] kind: Option<String>; a b c d }
    values: None, absence: Kept, is_lenient: true
}

macro_rules! group {
    ($(#[union($exactly_one:ident $($which:tt)?)])? $name:ident { $($member:ident $(($alone:ident))?)+ }) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
        $(#[union($exactly_one $($which)?)])?
        #[schemars(transform = union_runtime::add_unions::<$name>)]
        pub(crate) struct $name {
            $(
                #[union(member, group = letters $(, $alone)?)]
                #[serde(skip_serializing_if = "Option::is_none")]
                pub(crate) $member: Option<u8>,
            )+
        }

        impl Sample for $name {
            const MODEL: Model = Model {
                discriminator: None,
                members: MEMBERS.split_at([$(stringify!($member)),+].len()).0,
                exactly_one: ["", $(stringify!($exactly_one))?].len() == 2,
            };
        }
    };
}

group! { AtMostOne1 { a(alone) } }
group! { AtMostOne2 { a b } }
group! { AtMostOne3 { a b c } }
group! { AtMostOne4 { a b c d } }
group! { #[union(exactly_one)] ExactlyOne1 { a(alone) } }
group! { #[union(exactly_one(letters))] ExactlyOne2 { a b } }
group! { #[union(exactly_one)] ExactlyOne3 { a b c } }
group! { #[union(exactly_one(letters))] ExactlyOne4 { a b c d } }
