//! The places of the unions in an object, and their states, in CEL.

pub(crate) mod descend;
pub(crate) mod site;
pub(crate) mod state;
