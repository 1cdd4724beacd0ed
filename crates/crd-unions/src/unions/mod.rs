//! Groups of fields that form unions, and the reasons why other fields do not.

pub(crate) mod by_value;
pub(crate) mod convention;
pub(crate) mod exact;
pub(crate) mod exclusions;
pub(crate) mod groups;
pub(crate) mod reasons;
