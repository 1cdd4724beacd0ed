//! Characters that stand for all characters that the classes of patterns treat alike.

use std::collections::HashSet;

use regex_syntax::hir;

/// The characters that strings prefer, in the order of preference.
pub(super) const PREFERRED: &str =
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-./_ ";

/// The maximum number of ranges of all classes.
const MAX_RANGES: usize = 8_000;

/// The maximum number of characters.
const MAX_CHARACTERS: usize = 100;

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CharacterClass {
    /// The first and the last character of each range, in ascending order.
    ranges: Vec<(char, char)>,
}

impl CharacterClass {
    pub(super) fn from_class(class: &hir::Class) -> Self {
        let ranges = match class {
            hir::Class::Unicode(class) => {
                let ranges = class.ranges().iter();
                ranges.map(|range| (range.start(), range.end())).collect()
            }
            hir::Class::Bytes(class) => {
                let ranges = class.ranges().iter();
                ranges
                    .map(|range| (range.start().into(), range.end().into()))
                    .collect()
            }
        };
        Self { ranges }
    }

    pub(super) fn from_ranges(ranges: &[(char, char)]) -> Self {
        Self {
            ranges: ranges.to_vec(),
        }
    }

    /// Returns a class for each range.
    pub(super) fn split(&self) -> impl Iterator<Item = Self> {
        self.ranges.iter().map(|range| Self::from_ranges(&[*range]))
    }

    pub(super) fn contains(&self, character: char) -> bool {
        let index = self.ranges.partition_point(|(_, end)| *end < character);
        let range = self.ranges.get(index);
        range.is_some_and(|(start, _)| *start <= character)
    }
}

/// Returns a character of each set of characters that the classes treat alike, preferred characters
/// first; `None` if the classes are too large.
pub(super) fn representatives(classes: &[CharacterClass]) -> Option<Vec<char>> {
    let range_count: usize = classes.iter().map(|class| class.ranges.len()).sum();
    if range_count > MAX_RANGES {
        return None;
    }
    // Between two neighbors of this list, all characters are in the same classes.
    let ranges = classes.iter().flat_map(|class| &class.ranges);
    let edges = ranges.flat_map(|(start, end)| [Some(*start), next_character(*end)]);
    let candidates = PREFERRED.chars().chain(' '..='~').chain(edges.flatten());
    let mut seen = HashSet::new();
    let characters = candidates.chain(['\0']).filter(|character| {
        let membership = classes.iter().map(|class| class.contains(*character));
        seen.insert(membership.collect::<Vec<bool>>())
    });
    Some(characters.take(MAX_CHARACTERS).collect())
}

fn next_character(character: char) -> Option<char> {
    (character..=char::MAX).nth(1)
}
