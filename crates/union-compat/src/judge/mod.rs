//! The verdicts of both versions on objects and requests.

pub(crate) mod decision;
pub(crate) mod judge;
