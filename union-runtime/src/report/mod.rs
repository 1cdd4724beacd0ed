//! The errors of an object, and the changes that normalization makes to an object. `Display`
//! implementations write all messages.

pub(crate) mod changes;
mod constructors;
pub(crate) mod report;
pub(crate) mod violation;
