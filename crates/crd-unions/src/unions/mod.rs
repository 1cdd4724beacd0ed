//! Inference of unions from allowed objects, and the reasons why other fields are not unions.

pub(crate) mod discriminated;
pub(crate) mod equivalence;
pub(crate) mod exclusions;
pub(crate) mod groups;
pub(crate) mod naming_hints;
pub(crate) mod reasons;
