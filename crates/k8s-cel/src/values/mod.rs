//! The values of CEL: conversions from JSON, values that expressions compute, and equality.

pub(crate) mod convert;
pub(crate) mod equal;
pub(crate) mod go_print;
pub(crate) mod joined;
pub(crate) mod opaque;
pub(crate) mod timestamp;
pub(crate) mod value;
pub(crate) mod zone;
