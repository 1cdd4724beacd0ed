//! What the rules of a schema may cost a server at worst, and what to do about it.

mod remedy;
mod report;

pub use remedy::Bound;
pub use report::{CostReport, Multiplier, RuleCost, cost_report};
