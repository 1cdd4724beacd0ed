//! The values of CEL: as JSON has them, as expressions compute them, and when they are equal.

pub(crate) mod convert;
pub(crate) mod equal;
pub(crate) mod go_print;
pub(crate) mod joined;
pub(crate) mod opaque;
pub(crate) mod timestamp;
pub(crate) mod value;
pub(crate) mod zone;
