//! Schema errors: their messages, their paths, and the lists that collect them.

mod constructors;
pub(crate) mod dotted;
pub(crate) mod repeats;
pub(super) mod sink;

pub(super) use constructors::{forbidden_key, invalid, of_kind, required, too_many, unplaced};
