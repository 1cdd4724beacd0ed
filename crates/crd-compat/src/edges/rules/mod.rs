//! Values that tell a rule apart, derived from the syntax tree of the rule.
//!
//! A solver changes a value until a condition of the rule has the wanted result: it sets and
//! removes the fields that the condition mentions, adds elements and keys, and chooses strings for
//! the functions that the rule calls. The solver does not evaluate the rule, so some of the values
//! are of no use; both versions of the CRD judge them.

mod assignment;
mod candidates;
mod choices;
mod comparison;
mod condition;
mod elements;
mod function_strings;
mod inversion;
mod keys;
mod macros;
mod membership;
mod order;
mod quantifier;
mod repair;
mod rule_values;
mod solver;
mod terms;
mod variation;

pub(super) use rule_values::rule_values;
pub(crate) use rule_values::satisfying_values;
