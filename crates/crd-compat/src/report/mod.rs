//! The findings of a comparison, as data and as printed lines.

pub(crate) mod finding;
pub(crate) mod unproven;
pub(crate) mod wording;
