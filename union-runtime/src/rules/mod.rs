//! The rules of unions: normalization, validation, ratcheting, and the flow of a request.

pub(crate) mod normalize;
pub(crate) mod requests;
pub(crate) mod settings;
pub(crate) mod union;
pub(crate) mod validate;
pub(crate) mod validation_visitor;
