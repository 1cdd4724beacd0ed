//! Tests of the derives, called as functions from tokens to tokens.

mod expansion;
mod single_rules;
mod ui_cases;

pub(crate) use self::expansion::{ATTRIBUTES, TYPES};
