//! What the rules of a schema may cost a server at worst, and what to do about it.

mod bound;
mod remedy;
mod report;

pub use bound::{Bound, Multiplier};
pub use report::{CostReport, RuleCost, cost_report};
