//! Versions of an API: the schema, the objects with unions, and the unions.

pub(crate) mod compared_union;
pub(crate) mod error;
pub(crate) mod union_object;
pub(crate) mod version;
