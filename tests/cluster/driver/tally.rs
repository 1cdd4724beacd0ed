//! Counts, and what differed.

use std::collections::BTreeMap;
use std::fmt;

/// How many disagreements are printed; all are counted.
const SHOWN: usize = 8;

/// What came of one kind of question.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// By a word: how often. Agreement is not among it.
    counts: BTreeMap<&'static str, usize>,
    agree: usize,
    differ: Vec<String>,
}

impl Tally {
    /// Counts something that is worth to know.
    pub(crate) fn count(&mut self, word: &'static str, when: bool) {
        *self.counts.entry(word).or_default() += usize::from(when);
    }

    pub(crate) fn agrees(&mut self) {
        self.agree += 1;
    }

    pub(crate) fn differs(&mut self, how: impl Into<String>) {
        self.differ.push(how.into());
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (word, count) in other.counts {
            *self.counts.entry(word).or_default() += count;
        }
        self.agree += other.agree;
        self.differ.extend(other.differ);
    }

    /// Prints one line, and what differs above it. True if all is well: nothing differs, each word was counted at least once
    /// and enough agrees.
    pub(crate) fn finish(&self, name: &str, least: usize) -> bool {
        for how in self.differ.iter().take(SHOWN) {
            println!("DIFFERENT {name}: {how}\n");
        }
        println!("{name}: {self}");
        let proves = self.counts.values().all(|count| *count > 0) && self.agree >= least;
        if !proves {
            println!("{name}: this proves nothing: at least {least} must agree, of each kind one");
        }
        proves && self.differ.is_empty()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            counts,
            agree,
            differ,
        } = self;
        write!(f, "{agree} agree, {} differ", differ.len())?;
        for (word, count) in counts {
            write!(f, ", {count} {word}")?;
        }
        Ok(())
    }
}
