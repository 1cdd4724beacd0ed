//! Locations of unions in an object, and the states of unions in CEL.

pub(crate) mod navigation;
pub(crate) mod state;
pub(crate) mod union_location;
