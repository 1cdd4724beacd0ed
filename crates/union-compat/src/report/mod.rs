//! Findings: their causes, codes and wording.

pub(crate) mod cause;
pub(crate) mod enum_wording;
pub(crate) mod finding;
pub(crate) mod same_change;
pub(crate) mod wording;
