//! The errors of an object, and the changes to it. Every message is written in a `Display`
//! implementation.

pub(crate) mod changes;
mod constructors;
pub(crate) mod report;
pub(crate) mod violation;
