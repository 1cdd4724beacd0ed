//! Counts of agreements, differences and notable events.

use std::collections::BTreeMap;
use std::fmt;

/// The number of differences that are printed. All are counted.
const MAX_PRINTED: usize = 8;

/// The results of all requests of one test.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// The number of requests by event. Agreements are counted in `agreements`.
    counts: BTreeMap<&'static str, usize>,
    agreements: usize,
    differences: Vec<String>,
}

impl Tally {
    /// Counts a notable event if `is_event` is true. The event must occur in the test.
    pub(crate) fn count_event(&mut self, event: &'static str, is_event: bool) {
        *self.counts.entry(event).or_default() += usize::from(is_event);
    }

    /// Counts a request with the expected response.
    pub(crate) fn count_agreement(&mut self) {
        self.agreements += 1;
    }

    /// Adds the description of a request with another response than expected.
    pub(crate) fn add_difference(&mut self, difference: impl Into<String>) {
        self.differences.push(difference.into());
    }

    pub(crate) fn add(&mut self, other_tally: Self) {
        for (event, count) in other_tally.counts {
            *self.counts.entry(event).or_default() += count;
        }
        self.agreements += other_tally.agreements;
        self.differences.extend(other_tally.differences);
    }

    /// Prints the first differences and a line with the counts.
    ///
    /// Returns true if no request differs, each event was counted at least once, and at least
    /// `min_agreements` requests agree.
    pub(crate) fn finish(&self, name: &str, min_agreements: usize) -> bool {
        for difference in self.differences.iter().take(MAX_PRINTED) {
            println!("DIFFERENT {name}: {difference}\n");
        }
        println!("{name}: {self}");
        let is_conclusive =
            self.counts.values().all(|count| *count > 0) && self.agreements >= min_agreements;
        if !is_conclusive {
            println!(
                "{name}: this proves nothing: at least {min_agreements} must agree, of each kind one"
            );
        }
        is_conclusive && self.differences.is_empty()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            counts,
            agreements,
            differences,
        } = self;
        write!(f, "{agreements} agree, {} differ", differences.len())?;
        for (event, count) in counts {
            write!(f, ", {count} {event}")?;
        }
        Ok(())
    }
}
