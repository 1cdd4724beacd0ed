//! The groups of fields that rules make, and the reasons why there are none.

pub(crate) mod by_value;
pub(crate) mod convention;
pub(crate) mod exact;
pub(crate) mod exclusions;
pub(crate) mod groups;
pub(crate) mod reasons;
