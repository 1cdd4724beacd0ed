//! Tests of the derives, called as functions that take and return tokens.

mod expansion;

pub(crate) use self::expansion::{ATTRIBUTES, TYPES};
