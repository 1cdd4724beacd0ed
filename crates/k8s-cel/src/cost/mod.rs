//! Cost limits of an API server, and the estimated and actual costs that are compared with them.

pub(crate) mod call_estimate;
pub(crate) mod estimate;
pub(crate) mod hidden_cost;
mod limits;
pub(crate) mod tracker;

pub use limits::{
    PER_CALL_LIMIT, RUNTIME_COST_BUDGET, STATIC_ESTIMATED_COST_LIMIT,
    STATIC_ESTIMATED_CRD_COST_LIMIT,
};
