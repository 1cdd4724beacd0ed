//! Readers of the keywords of a schema in JSON.

pub(crate) mod dropped_keywords;
pub(crate) mod go_schema;
pub(crate) mod keywords;
pub(crate) mod rule;
pub(crate) mod unknown_keywords;
