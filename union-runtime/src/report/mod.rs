//! What is wrong with an object, and what happened to it: `Display` is the only wording.

pub(crate) mod changes;
mod constructors;
pub(crate) mod violation;
pub(crate) mod violations;
