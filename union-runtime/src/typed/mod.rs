//! What derived structs and enums go through: the traits, and the impls for all types of a kind.

pub(crate) mod discriminator;
pub(crate) mod enum_form;
pub(crate) mod enum_member;
pub(crate) mod if_schema;
pub(crate) mod inline;
pub(crate) mod list_map;
pub(crate) mod member;
pub(crate) mod members;
pub(crate) mod new_and_old;
pub(crate) mod probes;
pub(crate) mod raw_union;
pub(crate) mod same_type;
pub(crate) mod union;
pub(crate) mod unknown;
pub(crate) mod value;
