//! The meter of an evaluation: the cost so far, and the limits. Functions of the library need only
//! the meter from the machine that calls them.

use std::collections::BTreeSet;

use crate::pattern::{Finder, LARGEST_IN_ALL};
use crate::types::declared::DeclaredTypes;
use crate::values::value::Fault;

/// A meter that counts costs as an API server does.
pub(crate) struct Meter<'v> {
    /// The declared types of the values that functions get.
    pub(crate) declared: &'v DeclaredTypes,
    cost: u64,
    limit: u64,
    /// The steps that are left for this evaluation, and for all evaluations after it.
    left: u64,
    left_in_all: u64,
    /// The regular expression of the call, if it is a literal.
    pattern: Option<&'v Finder>,
    /// The regular expressions of the object that were compiled, and their total weight.
    patterns: BTreeSet<Box<str>>,
    weight: u64,
}

/// The maximum number of steps of one evaluation that costs do not count: comparing deep values,
/// copying, reading long strings.
const WORK: u64 = 1_000_000;

/// The maximum number of such steps of all evaluations with one meter.
const WORK_IN_ALL: u64 = 256_000_000;

/// The maximum total weight of the object's regular expressions that all evaluations with one meter
/// compile, and the minimum weight of each: the lightest takes as long.
const WEIGHT_IN_ALL: u64 = LARGEST_IN_ALL;
const LIGHTEST: u64 = 250;

impl<'v> Meter<'v> {
    /// Returns a meter with a limit of the cost.
    pub(crate) const fn new(declared: &'v DeclaredTypes, limit: u64) -> Self {
        Self {
            declared,
            cost: 0,
            limit,
            left: WORK,
            left_in_all: WORK_IN_ALL - WORK,
            pattern: None,
            patterns: BTreeSet::new(),
            weight: 0,
        }
    }

    /// Starts another evaluation, with another limit.
    pub(crate) const fn restart(&mut self, limit: u64) {
        self.cost = 0;
        self.limit = limit;
        // The steps that were not used are returned.
        let left = self.left + self.left_in_all;
        self.left = if left < WORK { left } else { WORK };
        self.left_in_all = left - self.left;
    }

    /// Returns the cost so far.
    pub(crate) const fn cost(&self) -> u64 {
        self.cost
    }

    /// Charges a cost. As on a server, a negative cost reduces the sum, which may wrap around to
    /// the largest cost.
    pub(crate) fn charge(&mut self, cost: u64) -> Result<(), Fault> {
        self.cost = self.cost.wrapping_add(cost);
        if self.cost > self.limit {
            return Err(Fault::Cost);
        }
        Ok(())
    }

    /// Charges for steps that cost one each, up to the step that exceeds the limit.
    pub(crate) fn steps(&mut self, steps: u64) -> Result<(), Fault> {
        if self.has_paid(steps) {
            return Ok(());
        }
        (0..steps).try_for_each(|_| self.charge(1))
    }

    /// Charges a cost if it does not exceed the limit. Returns true if it is charged.
    pub(crate) const fn has_paid(&mut self, cost: u64) -> bool {
        match self.cost.checked_add(cost) {
            Some(sum) if sum <= self.limit => {
                self.cost = sum;
                true
            }
            _ => false,
        }
    }

    /// Counts steps that the server does not count. An evaluation with too many steps stops like an
    /// evaluation that costs too much.
    pub(crate) const fn work(&mut self, steps: u64) -> Result<(), Fault> {
        let Some(left) = self.left.checked_sub(steps) else {
            self.left = 0;
            return Err(Fault::Cost);
        };
        self.left = left;
        Ok(())
    }

    /// Sets the regular expression of the next call.
    pub(crate) const fn give_pattern(&mut self, pattern: &'v Finder) {
        self.pattern = Some(pattern);
    }

    /// Returns the regular expression of the call, if it is a literal.
    pub(crate) const fn take_pattern(&mut self) -> Option<&'v Finder> {
        self.pattern.take()
    }

    /// Counts the weight of a regular expression, which is compiled once. Too large a total weight
    /// stops the evaluation like too large a cost.
    pub(crate) fn compile(&mut self, pattern: &str, weight: u64) -> Result<(), Fault> {
        if self.patterns.contains(pattern) {
            return Ok(());
        }
        self.weight = self.weight.saturating_add(weight).saturating_add(LIGHTEST);
        if self.weight > WEIGHT_IN_ALL {
            return Err(Fault::Cost);
        }
        self.patterns.insert(pattern.into());
        Ok(())
    }

    /// Resets the cost to an earlier cost, so that later charges are free.
    pub(crate) const fn reset_to(&mut self, cost: u64) {
        self.cost = cost;
    }
}
