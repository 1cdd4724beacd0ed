//! The rules of unions: normalize, validate, ratchet, and the flow of a request.

pub(crate) mod admit;
pub mod comparator;
pub(crate) mod judge;
pub(crate) mod normalize;
pub(crate) mod ratchet;
pub(crate) mod requests;
pub(crate) mod restore_unaware;
pub(crate) mod settings;
pub(crate) mod validate;
