//! A crate that passes its types to the macros of other crates, with paths that begin with
//! `$crate`. The tests are separate crates, as users of such a crate are.

use std::collections::BTreeMap;

use renamed::{EnumType, Union};
use serde::{Deserialize, Serialize};

#[doc(hidden)]
pub use renamed;

/// The discriminator of the macros' unions.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug)]
#[enum_type(crate = renamed)]
pub enum Kind {
    /// The value of the first member.
    Alpha,
    /// The value of the second member.
    Beta,
    /// Any other value.
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// The type of a member.
pub type Member = Option<u8>;

/// The map of unknown members.
pub type Rest = BTreeMap<String, serde_json::Value>;

/// The key of an element.
pub type Name = String;

/// A union that a struct may contain.
#[derive(Union, Serialize, Deserialize, Clone, Debug)]
#[union(crate = renamed)]
pub struct Source {
    /// The key in a list.
    #[union(key)]
    pub name: String,
    /// The first member.
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<u8>,
    /// The second member.
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<u8>,
}

/// A list of unions, keyed by name.
pub type Sources = Vec<Source>;

/// Calls a macro with the types of this crate.
#[macro_export]
macro_rules! with_types {
    ($callback:ident, $name:ident) => {
        $callback! {
            $name
            crate = { $crate::renamed }
            kind = { $crate::Kind }
            member = { $crate::Member }
            rest = { $crate::Rest }
            name = { $crate::Name }
            source = { $crate::Source }
            sources = { $crate::Sources }
        }
    };
}
