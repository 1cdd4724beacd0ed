//! Findings outside of schemas: names, scope, versions, subresources and columns.

mod findings;
mod names;
mod outside_change;
mod refusal;
mod spec_parts;
mod stored_versions;
mod version_parts;
mod versions;

pub(crate) use findings::findings_outside_schemas;
pub(crate) use versions::is_served;
