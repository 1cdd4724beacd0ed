//! Translates a pattern from Go's syntax to the syntax of the regex crate.

mod class;
mod code_point;
mod escape;
mod group;
mod repeat;
mod translation;
mod translator;
mod unicode;

pub(super) use self::translation::translate;
