//! What an evaluation has cost so far, and how far it may go: all that a function of the library needs of the machine that calls it.

use std::collections::BTreeSet;

use crate::pattern::{Finder, LARGEST_IN_ALL};
use crate::types::declared::DeclaredTypes;
use crate::values::value::Fault;

/// Counts costs as an API server does.
pub(crate) struct Meter<'v> {
    /// The declared types of the values that functions get.
    pub(crate) declared: &'v DeclaredTypes,
    cost: u64,
    limit: u64,
    /// What one evaluation may still do, and what those after it may.
    left: u64,
    left_in_all: u64,
    /// That of the call, where it is a literal.
    pattern: Option<&'v Finder>,
    /// Regular expressions of the object that were compiled, and what all of them weigh.
    patterns: BTreeSet<Box<str>>,
    weight: u64,
}

/// How many steps one evaluation may take that costs do not count: comparing what is deep, copying, looking at long texts.
const WORK: u64 = 1_000_000;

/// How many all evaluations with one meter may take.
const WORK_IN_ALL: u64 = 256_000_000;

/// How much the regular expressions of the object may weigh that all evaluations with one meter compile, and what each of them weighs
/// at least: the lightest one takes as long.
const WEIGHT_IN_ALL: u64 = LARGEST_IN_ALL;
const LIGHTEST: u64 = 250;

impl<'v> Meter<'v> {
    /// A meter that stops what costs more than the limit.
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

    /// Starts again, with another limit.
    pub(crate) const fn restart(&mut self, limit: u64) {
        self.cost = 0;
        self.limit = limit;
        // What was not done is given back.
        let left = self.left + self.left_in_all;
        self.left = if left < WORK { left } else { WORK };
        self.left_in_all = left - self.left;
    }

    /// What has been charged.
    pub(crate) const fn cost(&self) -> u64 {
        self.cost
    }

    /// Charges so much. As on a server, what is less than nothing counts back, and may come to the largest of costs.
    pub(crate) fn charge(&mut self, cost: u64) -> Result<(), Fault> {
        self.cost = self.cost.wrapping_add(cost);
        if self.cost > self.limit {
            return Err(Fault::Cost);
        }
        Ok(())
    }

    /// Charges for steps that cost one each: it stops at the one that costs too much.
    pub(crate) fn steps(&mut self, steps: u64) -> Result<(), Fault> {
        if self.has_paid(steps) {
            return Ok(());
        }
        (0..steps).try_for_each(|_| self.charge(1))
    }

    /// Charges so much if that is not too much.
    pub(crate) const fn has_paid(&mut self, cost: u64) -> bool {
        match self.cost.checked_add(cost) {
            Some(sum) if sum <= self.limit => {
                self.cost = sum;
                true
            }
            _ => false,
        }
    }

    /// Counts steps that the server does not count. What takes too many is stopped as what costs too much.
    pub(crate) const fn work(&mut self, steps: u64) -> Result<(), Fault> {
        let Some(left) = self.left.checked_sub(steps) else {
            self.left = 0;
            return Err(Fault::Cost);
        };
        self.left = left;
        Ok(())
    }

    /// Says the regular expression of the next call.
    pub(crate) const fn give_pattern(&mut self, pattern: &'v Finder) {
        self.pattern = Some(pattern);
    }

    /// The regular expression of the call, where it is a literal.
    pub(crate) const fn take_pattern(&mut self) -> Option<&'v Finder> {
        self.pattern.take()
    }

    /// Counts a regular expression of that weight, which is compiled once. Where there are too many, it is stopped as what costs too
    /// much.
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

    /// Makes what was charged since then free.
    pub(crate) const fn reset_to(&mut self, cost: u64) {
        self.cost = cost;
    }
}
