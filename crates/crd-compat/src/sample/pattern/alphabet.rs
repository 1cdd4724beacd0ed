//! Characters that stand for all characters that the classes of patterns treat alike.

use std::collections::HashSet;

use regex_syntax::hir::{self, Hir, HirKind, Look};

/// The characters that strings prefer, in the order of preference.
pub(super) const PREFERRED: &str =
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-./_ ";

/// The maximum number of ranges of all classes.
const MAX_RANGES: usize = 8_000;

/// The maximum number of classes of a pattern.
const MAX_CLASSES: usize = 100;

/// The maximum number of characters.
const MAX_CHARACTERS: usize = 100;

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

/// Returns the different classes of a pattern; `None` if there are too many.
pub(super) fn classes_of(pattern: &Hir) -> Option<Vec<CharacterClass>> {
    let mut classes = Vec::new();
    let mut pending = vec![pattern];
    while let Some(part) = pending.pop() {
        match part.kind() {
            HirKind::Literal(literal) => {
                let text = core::str::from_utf8(&literal.0).ok()?;
                classes.extend(text.chars().map(|c| CharacterClass::from_ranges(&[(c, c)])));
            }
            HirKind::Class(class) => classes.push(CharacterClass::from_class(class)),
            HirKind::Repetition(repetition) => pending.push(&repetition.sub),
            HirKind::Capture(capture) => pending.push(&capture.sub),
            HirKind::Concat(parts) | HirKind::Alternation(parts) => pending.extend(parts),
            HirKind::Empty | HirKind::Look(_) => {}
        }
    }
    if reads_neighbors(pattern) {
        let word = [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
        classes.push(CharacterClass::from_ranges(&word));
        classes.push(CharacterClass::from_ranges(&[('\n', '\n')]));
    }
    let mut seen = HashSet::new();
    classes.retain(|class| seen.insert(class.clone()));
    (classes.len() <= MAX_CLASSES).then_some(classes)
}

/// Returns true if a pattern has assertions about neighbors other than the start and the end: word
/// boundaries, or the start or the end of a line.
fn reads_neighbors(pattern: &Hir) -> bool {
    let mut looks = pattern.properties().look_set().iter();
    looks.any(|look| !matches!(look, Look::Start | Look::End))
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
