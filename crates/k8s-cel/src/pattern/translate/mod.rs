//! The translation of a pattern: what Go reads is written as the regex crate reads it.

mod class;
mod code_point;
mod escape;
mod group;
mod read;
mod repeat;
mod translator;
mod unicode;

pub(super) use self::read::translate;
