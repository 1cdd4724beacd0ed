//! Counts of results.

use std::collections::BTreeMap;

/// The counts of the cases of one operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) cases: usize,
    pub(crate) agree: usize,
    pub(crate) differ: usize,
    /// The number of differences in which only one side accepts the request, or the objects differ.
    pub(crate) verdicts: usize,
    pub(crate) explained: usize,
    /// The number of explained cases by predicate. A case may need several predicates.
    pub(crate) explained_by: BTreeMap<&'static str, usize>,
    /// The number of cases that the reference rejects.
    pub(crate) rejected: usize,
    /// The number of cases that the reference warns about.
    pub(crate) warned: usize,
    /// The number of cases in which we tolerate an error.
    pub(crate) ratcheted: usize,
}

impl Tally {
    /// Adds the counts of another operation.
    pub(crate) fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.agree += other.agree;
        self.differ += other.differ;
        self.verdicts += other.verdicts;
        self.explained += other.explained;
        self.rejected += other.rejected;
    }

    pub(crate) fn print(&self, name: &str) {
        println!(
            "{name:<8} {:>7} cases ({} rejected, {} warned, {} ratcheted): {} agree, {} explained, {} differ",
            self.cases,
            self.rejected,
            self.warned,
            self.ratcheted,
            self.agree,
            self.explained,
            self.differ,
        );
        for (predicate, count) in &self.explained_by {
            println!("         explained by {predicate}: {count}");
        }
    }
}
