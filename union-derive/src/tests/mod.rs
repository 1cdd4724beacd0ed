//! Tests of the derives as functions from tokens to tokens.

mod expansion;

pub(crate) use self::expansion::{ATTRIBUTES, TYPES};
