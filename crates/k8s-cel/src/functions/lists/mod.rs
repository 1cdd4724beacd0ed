//! Functions of lists.

mod build;
mod rows;

pub(in crate::functions) use self::rows::FUNCTIONS;
