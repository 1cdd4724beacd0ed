//! The serde attributes of a type: its JSON names, and the other serde attributes that affect
//! unions.
//!
//! Only this folder uses `serde_derive_internals`, which has a new version with each release of
//! serde.

mod fast_path;
mod from_serde;
mod serde_attrs;
mod serde_keys;
#[cfg(test)]
mod tests;

pub(crate) use self::serde_attrs::{
    JsonNames, SerdeContainer, SerdeDefault, SerdeDirection, SerdeField, SerdeVariant,
};
pub(crate) use self::serde_keys::{serde_key, serde_key_span};
