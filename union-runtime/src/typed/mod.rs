//! The traits of derived structs and enums, and the blanket impls of these traits.

pub(crate) mod discriminator;
pub(crate) mod enum_form;
pub(crate) mod inline;
pub(crate) mod list_map;
pub(crate) mod members;
pub(crate) mod probes;
pub(crate) mod raw_union;
pub(crate) mod union;
pub(crate) mod unknown;
pub(crate) mod value;
