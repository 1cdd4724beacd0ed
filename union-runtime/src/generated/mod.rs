//! Tables that are built and checked while the author's crate compiles.

pub(crate) mod declaration;
pub(crate) mod enum_form;
pub(crate) mod flattened;
pub(crate) mod lookup;
pub(crate) mod message;
