//! The rules of an object as terms over the states of its fields, from CEL and schema keywords.

pub(crate) mod conjuncts;
pub(crate) mod eval;
pub(crate) mod fields;
pub(crate) mod keywords;
pub(crate) mod lower;
pub(crate) mod small_value;
pub(crate) mod term;
pub(crate) mod value;
