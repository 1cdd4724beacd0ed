//! The differences of two schemas.

pub(crate) mod difference;
pub(crate) mod keyword;
pub(crate) mod merge;
