//! The small world of a place: the objects that both versions validate.

pub(crate) mod frame;
pub(crate) mod options;
pub(crate) mod value;
pub(crate) mod world;
