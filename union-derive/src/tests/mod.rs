//! Tests of the derives, called as functions from tokens to tokens.

mod expansion;

pub(crate) use self::expansion::{ATTRIBUTES, TYPES};
