//! Small worlds: the objects that both versions validate.

pub(crate) mod enclosing_object;
pub(crate) mod object_space;
pub(crate) mod options;
pub(crate) mod value;
