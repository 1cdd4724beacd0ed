//! Strings for patterns: strings that match a pattern, and strings that tell two patterns apart.

mod alphabet;
mod automaton;
mod distinguishing;
mod known_strings;
mod matching;

pub(crate) use distinguishing::{Lengths, strings_of_one};
pub(crate) use matching::matching_strings;
