//! Worst-case estimates of the cost of rules, and bounds that reduce the cost.

mod bound;
mod report;
mod suggest_bounds;

pub use bound::{Cardinality, SuggestedBound};
pub use report::{CostReport, RuleCost, cost_report};
