//! The serde attributes of a type: its JSON names, and the other serde attributes that concern
//! unions.
//!
//! Only this folder uses `serde_derive_internals`, which follows serde's own releases.

mod from_serde;
mod plain;
mod serde_attrs;
#[cfg(test)]
mod tests;

pub(crate) use self::serde_attrs::{
    OnWire, SerdeContainer, SerdeDefault, SerdeField, SerdeVariant, WireName,
};
