//! The errors of an object, and the changes to it. `Display` is the only wording.

pub(crate) mod changes;
mod constructors;
pub(crate) mod report;
pub(crate) mod violation;
