//! The CEL rules of a schema, which are compiled and type-checked once, and evaluated for every
//! request, with the costs that an API server counts (KEP-2876; `docs/ratcheting.md`, "CEL rules").
//!
//! A rule that an unchanged value violates is reported as a warning, as on a server.

mod compile;
mod decl_type;
pub(crate) mod field_path;
pub(crate) mod limits;
mod rule_violation;
#[cfg(test)]
mod tests;
pub(crate) mod walk;
