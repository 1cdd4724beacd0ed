//! A crate that offers types to the macros of others, naming them by `$crate`. The tests are other crates, as its users would be.

use std::collections::BTreeMap;

use renamed::{EnumType, Union};
use serde::{Deserialize, Serialize};

#[doc(hidden)]
pub use renamed;

/// What the macros' unions choose by.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug)]
#[enum_type(crate = renamed)]
pub enum Kind {
    /// A text.
    Alpha,
    /// A number.
    Beta,
    /// Anything else.
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A member.
pub type Member = Option<u8>;

/// What is not known.
pub type Rest = BTreeMap<String, serde_json::Value>;

/// What tells elements apart.
pub type Name = String;

/// A union that others may hold.
#[derive(Union, Serialize, Deserialize, Clone, Debug)]
#[union(crate = renamed)]
pub struct Source {
    /// Its name in a list.
    #[union(key)]
    pub name: String,
    /// The first.
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<u8>,
    /// The second.
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<u8>,
}

/// Sources by name.
pub type Sources = Vec<Source>;

/// Calls a macro of somebody else's with the types of this crate.
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
