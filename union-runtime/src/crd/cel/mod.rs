//! The CEL rules of a schema (feature `cel`): compiled and type-checked once, evaluated for every request, with the costs
//! that an API server counts (spec `ratcheting.md` 4 and 8).
//!
//! Expressions are parsed, checked and evaluated here; URLs, addresses, quantities, versions and formats are the functions
//! of `kube-cel`. The evaluator of the `cel` crate is not used for the rest: it converts whole objects first, counts no
//! costs, cannot be stopped, and has neither optional values nor the equality of lists of type set and map.
//!
//! What cannot be evaluated here is said as a warning that names the rule: an addition to a list of type set or map, and
//! time zones by name.

mod base64;
mod check;
mod code;
mod convert;
mod duration;
mod equal;
mod estimate;
mod failure;
mod field_path;
mod library;
mod lint;
mod machine;
mod programs;
mod remedy;
mod report;
mod shapes;
mod split;
mod syntax;
#[cfg(test)]
mod tests;
mod time;
mod types;
mod unify;
mod value;
mod walk;

pub(super) use field_path::leads_to_field;
pub(super) use programs::Programs;
pub use remedy::Bound;
pub use report::{CostReport, Multiplier, RuleCost, cost_report};
pub(super) use walk::Judge;
