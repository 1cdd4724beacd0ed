//! The limits of an API server for the costs of expressions: for the estimated maximum at the
//! declaration, and for the actual cost at run time.

/// The maximum estimated cost of an expression, in all the places of an object where it runs:
/// [`Program::max_cost`](crate::Program::max_cost) times the number of runs.
pub const STATIC_ESTIMATED_COST_LIMIT: u64 = 10_000_000;

/// The maximum estimated cost of all expressions of a schema.
pub const STATIC_ESTIMATED_CRD_COST_LIMIT: u64 = 100_000_000;

/// The maximum actual cost of one run of an expression: the limit of a server for
/// [`Evaluator::run`](crate::Evaluator::run).
pub const PER_CALL_LIMIT: u64 = 1_000_000;

/// The maximum actual cost of all runs for one object.
pub const RUNTIME_COST_BUDGET: u64 = 10_000_000;
