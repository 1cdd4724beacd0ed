//! The places of the unions in an object, and their states, in CEL.

pub(crate) mod navigation;
pub(crate) mod state;
pub(crate) mod union_location;
