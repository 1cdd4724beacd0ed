//! Functions of lists.

mod build;
mod lists;

pub(in crate::functions) use self::lists::FUNCTIONS;
