//! Versions of an API: the schema, the objects with unions, the unions, and the enums.

pub(crate) mod compared_union;
pub(crate) mod compiled_versions;
pub(crate) mod enum_place;
pub(crate) mod error;
pub(crate) mod union_object;
pub(crate) mod version;
pub(crate) mod version_side;
