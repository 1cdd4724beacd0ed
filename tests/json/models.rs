//! Types with unions of every kind, each with all its fields in one object.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{EnumType, Union};

use crate::agree::Model;

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_enum::<Kind>)]
pub(crate) enum Kind {
    Alpha,
    Beta,
    /// A value without a member.
    Nothing,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// An enum type that cannot hold unknown values.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Closed {
    Alpha,
    #[default]
    Beta,
}

/// An enum type with the empty value between the other values, which are not in the order of the
/// members.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
#[schemars(transform = union_runtime::add_enum::<WithEmpty>)]
pub(crate) enum WithEmpty {
    Beta,
    #[default]
    #[serde(rename = "")]
    Empty,
    Alpha,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

impl WithEmpty {
    fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the default of an `Option` field")]
fn some_beta() -> Option<Kind> {
    Some(Kind::Beta)
}

/// Declares a union of `alpha` and `beta`, whose discriminator has the given attributes and type.
macro_rules! model {
    ($(#[doc = $doc:literal])* $name:ident { $(#[$attribute:meta])* kind: $kind:ty } $($mark:ident)*) => {
        $(#[doc = $doc])*
        #[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
        #[schemars(transform = union_runtime::add_unions::<$name>)]
        pub(crate) struct $name {
            #[union(member $(, $mark)*)]
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(crate) alpha: Option<u8>,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(crate) beta: Option<u8>,
            $(#[$attribute])*
            pub(crate) kind: $kind,
        }
    };
}

model! { Required { #[union(discriminator)] kind: Kind } }
model! { OptionalMember { #[union(discriminator)] kind: Kind } optional }
model! { RequiredClosed { #[union(discriminator)] kind: Box<Closed> } }
model! {
    OptionalDiscriminator {
        #[union(discriminator)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<Kind>
    }
    optional
}
model! {
    OptionalClosed {
        #[union(discriminator)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<Closed>
    }
}
model! { Defaulted { #[union(discriminator)] #[serde(default)] kind: Closed } optional }
model! {
    OptionalDefaulted {
        #[union(discriminator)]
        #[serde(default = "some_beta", skip_serializing_if = "Option::is_none")]
        kind: Option<Kind>
    }
}
model! {
    /// A union whose absent discriminator means the empty value, which is written as absent.
    EmptyValue {
        #[union(discriminator)]
        #[serde(default, skip_serializing_if = "WithEmpty::is_empty")]
        kind: WithEmpty
    }
}
model! {
    OptionalEmpty {
        #[union(discriminator)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<WithEmpty>
    }
    optional
}
model! { Deduced { #[union(discriminator, deduce)] kind: Kind } }
model! {
    OptionalDeduced {
        #[union(discriminator, deduce)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<Kind>
    }
}
model! {
    ClosedDeduced {
        #[union(discriminator, deduce)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<Closed>
    }
}
model! {
    EmptyDeduced {
        #[union(discriminator, deduce)]
        #[serde(default)]
        kind: WithEmpty
    }
}
model! {
    OptionalEmptyDeduced {
        #[union(discriminator, deduce)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<WithEmpty>
    }
}
model! {
    Text {
        #[union(discriminator, deduce)]
        #[serde(default)]
        kind: String
    }
}
model! {
    OptionalText {
        #[union(discriminator, deduce)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<String>
    }
}

/// A union whose schema has both shapes of the extension.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[union(shape = "both")]
#[schemars(transform = union_runtime::add_unions::<BothShapes>)]
pub(crate) struct BothShapes {
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(discriminator)]
    kind: Kind,
}

/// A union whose members are set even if their values are empty. A null means that a member is
/// unset.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<MemberTypes>)]
pub(crate) struct MemberTypes {
    #[union(discriminator)]
    kind: MemberType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Vec<Option<u8>>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    map: Option<BTreeMap<String, Value>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    switch: Box<Option<bool>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MemberType {
    List,
    Map,
    Switch,
    Text,
}

/// A union without a discriminator.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[union(all_members)]
#[schemars(transform = union_runtime::add_unions::<AtMostOne>)]
pub(crate) struct AtMostOne {
    #[serde(skip_serializing_if = "Option::is_none")]
    empty_dir: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_path: Option<u8>,
    #[union(member = "NFS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    nfs: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<u8>,
}

/// A struct with several unions of different kinds, whose fields are mixed.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Several>)]
pub(crate) struct Several {
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u8>,
    name: String,
    #[union(member, discriminated_by = kind)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<u8>,
    #[union(discriminator)]
    kind: Kind,
    #[union(member, discriminated_by = mode)]
    #[serde(skip_serializing_if = "Option::is_none")]
    fast: Option<u8>,
    #[union(member, optional, discriminated_by = kind)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, discriminated_by = mode)]
    #[serde(skip_serializing_if = "Option::is_none")]
    slow: Option<u8>,
}

/// A union that keeps unknown members.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<KeepsUnknown>)]
pub(crate) struct KeepsUnknown {
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(discriminator)]
    kind: Kind,
    #[union(unknown)]
    #[serde(flatten)]
    #[schemars(skip)]
    unknown_members: BTreeMap<String, Value>,
}

macro_rules! models {
    ($($name:ident)* $(; $unsorted:ident)*) => {
        $(impl Model for $name {})*
        $(impl Model for $unsorted {
            const IS_SORTED: bool = false;
        })*
    };
}

models! {
    Required OptionalMember RequiredClosed OptionalDiscriminator OptionalClosed Defaulted OptionalDefaulted BothShapes MemberTypes
    Deduced OptionalDeduced ClosedDeduced EmptyDeduced OptionalEmptyDeduced Text OptionalText AtMostOne KeepsUnknown;
    EmptyValue; OptionalEmpty; Several
}
