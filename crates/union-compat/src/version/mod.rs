//! A version of an API: its schema, its places, and the unions in them.

pub(crate) mod declared;
pub(crate) mod error;
pub(crate) mod place;
pub(crate) mod version;
