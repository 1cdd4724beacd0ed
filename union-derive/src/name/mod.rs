//! What serde makes of a type: JSON names and what else of its attributes concerns unions.
//!
//! The only file that knows `serde_derive_internals`, which follows serde's own releases.

mod from_serde;
mod plain;
mod serde_attrs;
#[cfg(test)]
mod tests;

pub(crate) use self::serde_attrs::{
    OnWire, SerdeContainer, SerdeDefault, SerdeField, SerdeVariant, WireName,
};
