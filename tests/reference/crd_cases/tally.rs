//! Counts.

use std::collections::BTreeMap;

/// What came out for the cases of one op.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) cases: usize,
    pub(crate) agree: usize,
    pub(crate) differ: usize,
    pub(crate) explained: usize,
    /// By the name of the predicate; one case may need several.
    pub(crate) explained_by: BTreeMap<&'static str, usize>,
    /// What the reference said.
    pub(crate) refused: usize,
    pub(crate) warned: usize,
    /// What we said.
    pub(crate) ratcheted: usize,
}

impl Tally {
    /// Adds what both sides said of other cases.
    pub(crate) fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.agree += other.agree;
        self.differ += other.differ;
        self.explained += other.explained;
        self.refused += other.refused;
    }

    pub(crate) fn print(&self, name: &str) {
        println!(
            "{name:<8} {:>7} cases ({} refused, {} warned, {} ratcheted): {} agree, {} explained, {} differ",
            self.cases,
            self.refused,
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
