//! The translation of a pattern from the syntax of Go to the syntax of the regex crate.

mod class;
mod code_point;
mod escape;
mod group;
mod repeat;
mod translation;
mod translator;
mod unicode;

pub(super) use self::translation::translate;
