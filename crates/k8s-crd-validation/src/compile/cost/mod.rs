//! Estimates of the cost of rules at worst, and bounds that reduce the cost.

mod bound;
mod remedy;
mod report;

pub use bound::{Bound, Multiplier};
pub use report::{CostReport, RuleCost, cost_report};
