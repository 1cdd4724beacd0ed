//! Unions of each kind: their types, and the tests of a single kind.

pub(crate) mod enum_form;
pub(crate) mod nested;
pub(crate) mod real_types;
pub(crate) mod unknown;
pub(crate) mod whole_model;
