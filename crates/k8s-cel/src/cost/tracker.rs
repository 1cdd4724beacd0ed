//! The cost tracker of an evaluation: the cost so far, and the limits. The tracker is the only part
//! of the interpreter that library functions receive.

use std::collections::BTreeSet;

use crate::pattern::{MAX_TOTAL_SIZE, Matcher};
use crate::types::declared::DeclaredTypes;
use crate::values::value::EvalError;

/// A cost tracker that counts as an API server does, and limits hidden costs.
pub(crate) struct CostTracker<'v> {
    /// The declared types of the values that the functions receive.
    pub(crate) declared_types: &'v DeclaredTypes,
    cost: u64,
    limit: u64,
    /// The hidden steps that remain for this evaluation, and those for all later evaluations.
    hidden_remaining: u64,
    hidden_remaining_total: u64,
    /// The regular expression of the current call, if it is a literal.
    pattern: Option<&'v Matcher>,
    /// The computed regular expressions compiled so far, and their total compiled size.
    patterns: BTreeSet<Box<str>>,
    patterns_size: u64,
}

/// The maximum number of hidden steps of one evaluation, so that hostile expressions end soon.
pub(super) const MAX_HIDDEN: u64 = 1_000_000;

/// The maximum number of hidden steps of all evaluations with one tracker.
const MAX_HIDDEN_TOTAL: u64 = 256_000_000;

/// The maximum total size of the computed regular expressions that all evaluations with one tracker
/// compile.
const MAX_PATTERNS_SIZE: u64 = MAX_TOTAL_SIZE;
/// The size that is added for each regular expression. Even a small one takes time to compile.
const PATTERN_OVERHEAD: u64 = 250;

impl<'v> CostTracker<'v> {
    /// Returns a tracker with a cost limit.
    pub(crate) const fn new(declared_types: &'v DeclaredTypes, limit: u64) -> Self {
        Self {
            declared_types,
            cost: 0,
            limit,
            hidden_remaining: MAX_HIDDEN,
            hidden_remaining_total: MAX_HIDDEN_TOTAL - MAX_HIDDEN,
            pattern: None,
            patterns: BTreeSet::new(),
            patterns_size: 0,
        }
    }

    /// Starts another evaluation with its own cost limit.
    pub(crate) const fn restart(&mut self, limit: u64) {
        self.cost = 0;
        self.limit = limit;
        // Unused hidden steps return to the total.
        let remaining = self.hidden_remaining + self.hidden_remaining_total;
        self.hidden_remaining = if remaining < MAX_HIDDEN {
            remaining
        } else {
            MAX_HIDDEN
        };
        self.hidden_remaining_total = remaining - self.hidden_remaining;
    }

    /// Returns the cost so far.
    pub(crate) const fn cost(&self) -> u64 {
        self.cost
    }

    /// Adds a cost, and fails if the sum exceeds the limit. As on a server, the sum wraps around,
    /// so a cost that is a negative number cast to `u64` reduces the sum.
    pub(crate) fn charge(&mut self, cost: u64) -> Result<(), EvalError> {
        self.cost = self.cost.wrapping_add(cost);
        if self.cost > self.limit {
            return Err(EvalError::CostLimit);
        }
        Ok(())
    }

    /// Adds steps that cost 1 each, and stops at the step that exceeds the limit.
    pub(crate) fn charge_steps(&mut self, steps: u64) -> Result<(), EvalError> {
        if self.try_charge(steps) {
            return Ok(());
        }
        (0..steps).try_for_each(|_| self.charge(1))
    }

    /// Adds a cost unless it exceeds the limit. Returns true if the cost was added.
    pub(crate) const fn try_charge(&mut self, cost: u64) -> bool {
        match self.cost.checked_add(cost) {
            Some(sum) if sum <= self.limit => {
                self.cost = sum;
                true
            }
            _ => false,
        }
    }

    /// Adds hidden steps, which the server does not count. Too many steps fail the evaluation like
    /// exceeding the cost limit.
    pub(crate) const fn charge_hidden(&mut self, steps: u64) -> Result<(), EvalError> {
        let Some(remaining) = self.hidden_remaining.checked_sub(steps) else {
            self.hidden_remaining = 0;
            return Err(EvalError::CostLimit);
        };
        self.hidden_remaining = remaining;
        Ok(())
    }

    /// Sets the regular expression of the next call.
    pub(crate) const fn set_pattern(&mut self, pattern: &'v Matcher) {
        self.pattern = Some(pattern);
    }

    /// Removes and returns the regular expression of the call, if it is a literal.
    pub(crate) const fn take_pattern(&mut self) -> Option<&'v Matcher> {
        self.pattern.take()
    }

    /// Adds the compiled size of a computed regular expression, once for each expression. Exceeding
    /// the maximum total size fails the evaluation like exceeding the cost limit.
    pub(crate) fn charge_pattern(&mut self, pattern: &str, size: u64) -> Result<(), EvalError> {
        if self.patterns.contains(pattern) {
            return Ok(());
        }
        self.patterns_size = self
            .patterns_size
            .saturating_add(size)
            .saturating_add(PATTERN_OVERHEAD);
        if self.patterns_size > MAX_PATTERNS_SIZE {
            return Err(EvalError::CostLimit);
        }
        self.patterns.insert(pattern.into());
        Ok(())
    }

    /// Resets the cost to an earlier cost, so that later charges are free.
    pub(crate) const fn reset_to(&mut self, cost: u64) {
        self.cost = cost;
    }
}
