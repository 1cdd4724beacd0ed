//! The verdicts of both versions on objects and requests.

pub(crate) mod judge;
pub(crate) mod verdict;
