//! The fields that no schema describes, and the similar known names to suggest.

pub(crate) mod near_name;
pub(crate) mod unknown_fields;
