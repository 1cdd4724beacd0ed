//! What an evaluation has cost so far, and how far it may go: all that a function of the library needs of the machine that calls it.

use super::declared::DeclaredTypes;
use super::value::Fault;

/// Counts costs as an API server does.
pub(super) struct Meter<'v> {
    /// The declared types of the values that functions get.
    pub(super) declared: &'v DeclaredTypes,
    cost: u64,
    limit: u64,
}

impl<'v> Meter<'v> {
    /// A meter that stops what costs more than the limit.
    pub(super) const fn new(declared: &'v DeclaredTypes, limit: u64) -> Self {
        Self {
            declared,
            cost: 0,
            limit,
        }
    }

    /// Starts again, with another limit.
    pub(super) const fn restart(&mut self, limit: u64) {
        self.cost = 0;
        self.limit = limit;
    }

    /// What has been charged.
    pub(super) const fn cost(&self) -> u64 {
        self.cost
    }

    /// Charges so much.
    pub(super) fn charge(&mut self, cost: u64) -> Result<(), Fault> {
        self.cost = self.cost.saturating_add(cost);
        if self.cost > self.limit {
            return Err(Fault::Cost);
        }
        Ok(())
    }

    /// Charges for so many code points or elements, of which each costs a tenth.
    pub(super) fn charge_tenths(&mut self, size: u64) -> Result<(), Fault> {
        self.charge(size.div_ceil(10))
    }

    /// Takes back what was charged too much.
    pub(super) const fn give_back(&mut self, cost: u64) {
        self.cost = self.cost.saturating_sub(cost);
    }

    /// Makes what was charged since then free.
    pub(super) const fn reset_to(&mut self, cost: u64) {
        self.cost = cost;
    }
}
