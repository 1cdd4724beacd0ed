//! Groups of fields that form unions, and the reasons why other fields do not.

pub(crate) mod discriminated;
pub(crate) mod equivalence;
pub(crate) mod exclusions;
pub(crate) mod groups;
pub(crate) mod naming_hints;
pub(crate) mod reasons;
