//! Counts of the results of a subject.

use std::collections::BTreeMap;
use std::fmt;

use crate::prediction::{Outcome, Predicate};

#[derive(Default)]
pub(crate) struct Tally {
    agree: usize,
    /// The number of agreements in which the request is rejected.
    rejected: usize,
    explained: usize,
    by_predicate: BTreeMap<Predicate, usize>,
    /// The differences that no predicate explains.
    differences: Vec<String>,
}

/// The maximum number of differences that are printed. The shortest differences are printed.
const MAX_PRINTED: usize = 2;

impl Tally {
    pub(crate) fn count(&mut self, outcome: Outcome, describe: impl FnOnce() -> String) {
        match outcome {
            Outcome::Agree { is_rejected } => {
                self.agree += 1;
                self.rejected += usize::from(is_rejected);
            }
            Outcome::Explained(predicates) => {
                self.explained += 1;
                for predicate in predicates {
                    *self.by_predicate.entry(predicate).or_default() += 1;
                }
            }
            Outcome::Differ(reason) => {
                let case = describe();
                self.differences.push(format!("{case}\n  {reason}"));
            }
        }
    }

    /// Returns true if there is no unexplained difference, if some agreements are accepted and some
    /// are rejected, and if each of these predicates explains a difference.
    pub(crate) fn is_good(&self, predicates: &[Predicate]) -> bool {
        let mut is_good = self.differences.is_empty();
        let mut miss = |what: &str| {
            println!("    the cases prove nothing: {what}");
            is_good = false;
        };
        if self.rejected == 0 || self.rejected == self.agree {
            miss("both sides always answer the same");
        }
        for predicate in predicates {
            if !self.by_predicate.contains_key(predicate) {
                miss(&format!("no case needs the predicate {predicate}"));
            }
        }
        is_good
    }

    pub(crate) fn print(&self, subject: &str) {
        let mut differences: Vec<&String> = self.differences.iter().collect();
        differences.sort_by_key(|difference| difference.len());
        for difference in differences.into_iter().take(MAX_PRINTED) {
            println!("DIFFERENT {subject}: {difference}");
        }
        println!("{subject}: {self}");
        for (predicate, count) in &self.by_predicate {
            println!("    {count:6} explained by {predicate}");
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            agree,
            rejected,
            explained,
            ..
        } = self;
        let differ = self.differences.len();
        write!(
            f,
            "{} cases, {agree} agree ({rejected} of them rejected), {explained} explained, {differ} differ",
            agree + explained + differ,
        )
    }
}
