//! The CEL rules of a schema: compiled and type-checked once, evaluated for every request, with the costs that an API server
//! counts (spec `ratcheting.md` 4 and 8).
//!
//! What cannot be evaluated is said as a warning that names the rule: an addition to a list of type set or map, and time zones
//! by name.

mod declared;
mod failure;
mod field_path;
mod lint;
mod programs;
mod remedy;
mod report;
#[cfg(test)]
mod tests;
mod walk;

pub(super) use field_path::leads_to_field;
pub(super) use programs::Programs;
pub use remedy::Bound;
pub use report::{CostReport, Multiplier, RuleCost, cost_report};
pub(super) use walk::Judge;
