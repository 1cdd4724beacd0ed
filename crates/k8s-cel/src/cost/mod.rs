//! The limits of an API server on the costs of expressions, with the estimates and the counts that
//! are compared with them.

pub(crate) mod call;
pub(crate) mod estimate;
mod limits;
pub(crate) mod meter;
pub(crate) mod work;

pub use limits::{BUDGET, CALL_LIMIT, RULE_LIMIT, TOTAL_LIMIT};
