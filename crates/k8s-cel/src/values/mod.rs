//! The values of CEL: conversions from JSON, values that expressions compute, and equality.

pub(crate) mod appended_list;
pub(crate) mod equal;
pub(crate) mod from_json;
pub(crate) mod go_print;
pub(crate) mod opaque;
pub(crate) mod timestamp;
pub(crate) mod value;
pub(crate) mod zone;
