//! Hints below the errors of an API server: the cause of an error, and the change that removes it.

pub(crate) mod costs;
pub(crate) mod expressions;
pub(crate) mod quotes;
pub(crate) mod references;
