//! Schema errors: their messages, their paths, and the lists that collect them.

mod constructors;
pub(crate) mod dedup_errors;
pub(crate) mod dotted_path;
pub(crate) mod origin;
pub(crate) mod sink;

pub(super) use constructors::{
    body_violation, forbidden_key, invalid, required, too_many, violation_without_field,
};
