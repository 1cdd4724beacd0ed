//! What an API server lets expressions cost: at worst, by the estimate, where they are declared; and really, where they run.

/// What one expression may cost at worst, in all the places of an object where it runs:
/// [`Program::max_cost`](crate::Program::max_cost) times how often that is.
pub const RULE_LIMIT: u64 = 10_000_000;

/// What all expressions of a schema may cost at worst.
pub const TOTAL_LIMIT: u64 = 100_000_000;

/// What one run of an expression may cost: the limit that a server gives to [`Evaluator::run`](crate::Evaluator::run).
pub const CALL_LIMIT: u64 = 1_000_000;

/// What all runs for one object may cost.
pub const BUDGET: u64 = 10_000_000;
