//! Reads from descriptions which fields of an object exclude each other.

pub(crate) mod choices;
pub(crate) mod conditions;
pub(crate) mod names;
pub(crate) mod quantities;
pub(crate) mod relations;
pub(crate) mod sentence;
pub(crate) mod statement;
pub(crate) mod statements;
pub(crate) mod tokens;
