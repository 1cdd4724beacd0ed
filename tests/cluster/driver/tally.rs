//! Counts of agreements, differences and notable events.

use std::collections::BTreeMap;
use std::fmt;

/// The number of differences that are printed. All are counted.
const SHOWN: usize = 8;

/// The results of all requests of one test.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// The number of requests by event. Agreements are counted in `agree`.
    counts: BTreeMap<&'static str, usize>,
    agree: usize,
    differ: Vec<String>,
}

impl Tally {
    /// Counts a notable event if the condition is true.
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

    /// Prints the first differences and a line with the counts.
    ///
    /// Returns true if no request differs, each event was counted at least once, and at least
    /// `least` requests agree.
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
