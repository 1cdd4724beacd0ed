//! A version of an API: its schema, its places, and the unions in them.

pub(crate) mod compared_union;
pub(crate) mod error;
pub(crate) mod union_object;
pub(crate) mod version;
