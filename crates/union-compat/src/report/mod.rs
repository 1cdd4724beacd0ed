//! The findings: a cause, its code, and its wording.

pub(crate) mod cause;
pub(crate) mod finding;
pub(crate) mod wording;
