//! The errors of an object, and the changes to it. Only the `Display` implementations word
//! messages.

pub(crate) mod changes;
mod constructors;
pub(crate) mod report;
pub(crate) mod violation;
