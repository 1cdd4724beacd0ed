//! What an evaluation has cost so far, and how far it may go: all that a function of the library needs of the machine that calls it.

use super::declared::DeclaredTypes;
use super::value::Fault;

/// Counts costs as an API server does.
pub(super) struct Meter<'v> {
    /// The declared types of the values that functions get.
    pub(super) declared: &'v DeclaredTypes,
    cost: u64,
    limit: u64,
    /// What one evaluation has done, and what all of them have.
    worked: u64,
    worked_in_all: u64,
}

/// How many steps one evaluation may take that costs do not count: comparing what is deep, copying, looking at long texts.
const WORK: u64 = 2_000_000;

/// How many all evaluations with one meter may take.
const WORK_IN_ALL: u64 = 256_000_000;

impl<'v> Meter<'v> {
    /// A meter that stops what costs more than the limit.
    pub(super) const fn new(declared: &'v DeclaredTypes, limit: u64) -> Self {
        Self {
            declared,
            cost: 0,
            limit,
            worked: 0,
            worked_in_all: 0,
        }
    }

    /// Starts again, with another limit.
    pub(super) const fn restart(&mut self, limit: u64) {
        self.cost = 0;
        self.limit = limit;
        self.worked = 0;
    }

    /// What has been charged.
    pub(super) const fn cost(&self) -> u64 {
        self.cost
    }

    /// Charges so much. As on a server, what is less than nothing counts back, and may come to the largest of costs.
    pub(super) fn charge(&mut self, cost: u64) -> Result<(), Fault> {
        self.cost = self.cost.wrapping_add(cost);
        if self.cost > self.limit {
            return Err(Fault::Cost);
        }
        Ok(())
    }

    /// Counts steps that the server does not count. What takes too many is stopped as what costs too much.
    pub(super) const fn work(&mut self, steps: u64) -> Result<(), Fault> {
        self.worked = self.worked.saturating_add(steps);
        self.worked_in_all = self.worked_in_all.saturating_add(steps);
        if self.worked > WORK || self.worked_in_all > WORK_IN_ALL {
            return Err(Fault::Cost);
        }
        Ok(())
    }

    /// Makes what was charged since then free.
    pub(super) const fn reset_to(&mut self, cost: u64) {
        self.cost = cost;
    }
}
