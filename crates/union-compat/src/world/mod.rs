//! The objects that both versions validate: small objects with all combinations of discriminator
//! values and set members.

pub(crate) mod enclosing_object;
pub(crate) mod enclosing_search;
pub(crate) mod object_space;
pub(crate) mod options;
pub(crate) mod request_schema;
pub(crate) mod state_search;
pub(crate) mod value;
