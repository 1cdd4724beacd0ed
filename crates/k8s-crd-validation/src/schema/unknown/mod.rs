//! The fields that no schema describes, and the names that they were probably meant to have.

pub(crate) mod near_name;
pub(crate) mod unknown_fields;
