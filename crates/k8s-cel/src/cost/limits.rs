//! Cost limits of an API server: for the estimated cost of a schema's expressions, and for the
//! actual cost at run time.

/// The maximum estimated cost of an expression over all its runs for one object:
/// [`Program::max_cost`](crate::Program::max_cost) times the maximum number of runs.
pub const STATIC_ESTIMATED_COST_LIMIT: u64 = 10_000_000;

/// The maximum estimated cost of all expressions of a schema together.
pub const STATIC_ESTIMATED_CRD_COST_LIMIT: u64 = 100_000_000;

/// The maximum actual cost of one run of an expression, which a server passes to
/// [`Evaluator::run`](crate::Evaluator::run).
pub const PER_CALL_LIMIT: u64 = 1_000_000;

/// The maximum actual cost of all runs of all expressions for one object.
pub const RUNTIME_COST_BUDGET: u64 = 10_000_000;
