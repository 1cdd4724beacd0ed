//! Strings that tell two patterns apart.
//!
//! A breadth-first search follows the automata of both patterns at once, and visits each pair of
//! their states once. It finds the shortest strings that only one pattern matches, whatever part of
//! the patterns differs: a class, a number of repetitions, a branch or an anchor.

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};

use k8s_cel::pattern::compile;
use regex_syntax::hir::Hir;

use super::alphabet::{CharacterClass, classes_of, representatives};
use super::automaton::{Automaton, Progress};
use super::known_strings::KnownStrings;

/// The maximum number of strings that one pattern matches and the other does not.
const MAX_STRINGS: usize = 6;

/// The maximum number of strings with characters of each range of a pattern.
const MAX_STRINGS_OF_RANGES: usize = 12;

/// The maximum number of steps of a search.
const MAX_STEPS: usize = 100_000;

/// The numbers of characters that a string may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lengths {
    pub(crate) min: usize,
    pub(crate) max: usize,
}

impl Lengths {
    pub(crate) const ANY: Self = Self {
        min: 0,
        max: usize::MAX,
    };
}

/// Two patterns, and the lengths of strings. Without a second pattern, no string matches it.
type Key = (String, Option<String>, Lengths);

thread_local! {
    static KNOWN_STRINGS: RefCell<KnownStrings<Key>> = RefCell::default();
}

/// Returns short strings that match the first pattern and not the second one. Without a second
/// pattern, the strings have characters of each range of each class of the first pattern. The
/// result is empty if no such string was found, or if a pattern is invalid or too large.
pub(crate) fn strings_of_one(matching: &str, other: Option<&str>, lengths: Lengths) -> Vec<String> {
    let key = (matching.to_owned(), other.map(str::to_owned), lengths);
    KNOWN_STRINGS.with_borrow_mut(|known| {
        known.get(key, |_| {
            let search = Search::new(matching, other, lengths);
            search.map_or(Vec::new(), Search::strings)
        })
    })
}

/// A pair of states, and the string that leads to it.
struct Node {
    progress: [Progress; 2],
    /// The node without the last character, and the last character; `None` for the empty string.
    last: Option<(usize, char)>,
    length: usize,
}

struct Search {
    automata: [Automaton; 2],
    characters: Vec<char>,
    lengths: Lengths,
    max_strings: usize,
    nodes: Vec<Node>,
}

impl Search {
    fn new(matching: &str, other: Option<&str>, lengths: Lengths) -> Option<Self> {
        let matching = parsed(matching)?;
        let mut classes = classes_of(&matching)?;
        let (other, max_strings) = if let Some(other) = other {
            let other = parsed(other)?;
            classes.extend(classes_of(&other)?);
            (other, MAX_STRINGS)
        } else {
            classes = ranges_of(&classes);
            (Hir::fail(), MAX_STRINGS_OF_RANGES)
        };
        Some(Self {
            automata: [Automaton::new(&matching)?, Automaton::new(&other)?],
            characters: representatives(&classes)?,
            lengths,
            max_strings,
            nodes: Vec::new(),
        })
    }

    /// Returns the strings, the shortest first.
    fn strings(mut self) -> Vec<String> {
        let mut strings = Vec::new();
        let [matching, other] = &mut self.automata;
        let (Some(matching), Some(other)) = (matching.start(), other.start()) else {
            return strings;
        };
        let start = Node {
            progress: [matching, other],
            last: None,
            length: 0,
        };
        if self.is_distinguished(&start) {
            strings.push(String::new());
        }
        let mut known = HashSet::from([self.key(&start)]);
        self.nodes.push(start);
        let mut pending = VecDeque::from([0]);
        let mut steps: usize = 0;
        while let Some(index) = pending.pop_front() {
            for next in 0..self.characters.len() {
                steps += 1;
                if strings.len() >= self.max_strings || steps > MAX_STEPS {
                    return strings;
                }
                let Some(node) = self.next_node(index, next) else {
                    continue;
                };
                if self.is_distinguished(&node) {
                    strings.extend(self.string(&node));
                }
                if known.insert(self.key(&node)) {
                    pending.push_back(self.nodes.len());
                    self.nodes.push(node);
                }
            }
        }
        strings
    }

    /// Returns the node after another character; `None` if no string that continues the string can
    /// tell the patterns apart, or if the automata have too many states.
    fn next_node(&mut self, index: usize, next: usize) -> Option<Node> {
        let node = self.nodes.get(index)?;
        let next = *self.characters.get(next)?;
        let [matching, other] = &mut self.automata;
        let [matching_progress, other_progress] = node.progress;
        let matching_progress = matching.step(matching_progress, next)?;
        let other_progress = other.step(other_progress, next)?;
        let length = node.length + 1;
        let is_useless = length > self.lengths.max
            || matching_progress.is_dead()
            || other_progress == Progress::Matched;
        (!is_useless).then_some(Node {
            progress: [matching_progress, other_progress],
            last: Some((index, next)),
            length,
        })
    }

    /// Returns true if only the first pattern matches the string of a node.
    fn is_distinguished(&mut self, node: &Node) -> bool {
        let [matching, other] = &mut self.automata;
        let [matching_progress, other_progress] = node.progress;
        node.length >= self.lengths.min
            && matching.accepts(matching_progress) == Some(true)
            && other.accepts(other_progress) == Some(false)
    }

    fn string(&self, node: &Node) -> Option<String> {
        let mut characters = Vec::new();
        let mut last = node.last;
        while let Some((index, character)) = last {
            characters.push(character);
            last = self.nodes.get(index)?.last;
        }
        Some(characters.iter().rev().collect())
    }

    /// Returns the parts of a node on which the strings that continue its string depend.
    fn key(&self, node: &Node) -> ([Progress; 2], usize) {
        (node.progress, node.length.min(self.lengths.min))
    }
}

/// Returns a class for each range of classes.
fn ranges_of(classes: &[CharacterClass]) -> Vec<CharacterClass> {
    // Neighboring ranges of a class are one range, such as `/` and `0-9`.
    let kinds = [('0', '9'), ('A', 'Z'), ('a', 'z')];
    let kinds = kinds.map(|range| CharacterClass::from_ranges(&[range]));
    let ranges = classes.iter().flat_map(CharacterClass::split);
    ranges.chain(kinds).collect()
}

/// Parses a pattern in Go's syntax.
fn parsed(pattern: &str) -> Option<Hir> {
    let regex = compile(pattern).ok()?;
    regex_syntax::parse(regex.as_str()).ok()
}

#[cfg(test)]
mod tests {
    use k8s_cel::pattern::compile;

    use super::{Lengths, MAX_STRINGS, MAX_STRINGS_OF_RANGES, strings_of_one};

    const PATTERNS: [&str; 32] = [
        "",
        "a",
        "^a",
        "a$",
        "^a$",
        "^$",
        "^[a-z0-9]+$",
        "^[a-z]+$",
        "^[a-y]+$",
        "^[a-fh-z]+$",
        "^[a-z]*$",
        "^[^b]*$",
        "^[a-z]{1,2}$",
        "^[a-z]{1,3}$",
        "^(a|b|0)$",
        "^(a|b)$",
        "^a(-b)?$",
        "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        "^[a-z]([-a-z0-9]*[a-z0-9])?$",
        "^[a-z0-9]([-a-z0-9]*[a-z])?$",
        "^[a-z0-9]([a-z0-9]*[a-z0-9])?$",
        "(?i)^ab?$",
        r"\ba\b",
        r"\Ba",
        r"(?m)^a$",
        r"^\w+$",
        r"^\d+$",
        r"^[^\s]*$",
        r"^.+$",
        r"(?s)^.+$",
        "^((a|0)*)*$",
        "^(a(-|b)){2}$",
    ];

    /// Returns all strings of up to four characters of a small alphabet.
    fn all_strings() -> Vec<String> {
        let mut strings = vec![String::new()];
        let mut longest = strings.clone();
        for _ in 0..4 {
            let extended = longest.iter().flat_map(|string| {
                let characters = "ab0-gzA\n ".chars();
                characters.map(move |character| format!("{string}{character}"))
            });
            longest = extended.collect();
            strings.extend(longest.iter().cloned());
        }
        strings
    }

    /// Compares the strings with a search through all short strings.
    #[test]
    fn the_shortest_strings_of_one_pattern_are_found() {
        let strings = all_strings();
        let matches = PATTERNS.map(|pattern| {
            let regex = compile(pattern).unwrap();
            let matches = strings.iter().map(|string| regex.is_match(string));
            matches.collect::<Vec<bool>>()
        });
        let mut pairs = 0;
        for (pattern, own_matches) in PATTERNS.iter().zip(&matches) {
            for (other, other_matches) in PATTERNS.iter().zip(&matches) {
                let found = strings_of_one(pattern, Some(other), Lengths::ANY);
                let context = format!("{pattern} without {other}: {found:?}");
                let [regex, other_regex] = [pattern, other].map(|it| compile(it).unwrap());
                for string in &found {
                    assert!(regex.is_match(string), "{context}");
                    assert!(!other_regex.is_match(string), "{context}");
                }
                let results = own_matches.iter().zip(other_matches);
                let shortest = results.zip(&strings).find_map(|(results, string)| {
                    (results == (&true, &false)).then(|| string.chars().count())
                });
                // The search also finds shorter strings, with other characters.
                if let Some(shortest) = shortest {
                    let found_length = found.first().map(|string| string.chars().count());
                    assert!(found_length.is_some_and(|it| it <= shortest), "{context}");
                }
                assert!(found.len() <= MAX_STRINGS, "{context}");
                pairs += usize::from(shortest.is_some());
            }
        }
        assert!(pairs > 700, "{pairs}");
    }

    #[test]
    fn strings_have_the_demanded_lengths() {
        for (min, max, expected) in [(0, 9, "0"), (3, 9, "a0a"), (0, 0, ""), (5, 5, "aaa0a")] {
            let lengths = Lengths { min, max };
            let found = strings_of_one("^[a-z0-9]+$", Some("^[a-z]+$"), lengths);
            let in_range = |string: &String| (min..=max).contains(&string.chars().count());
            assert!(found.iter().all(in_range), "{found:?}");
            assert_eq!(found.is_empty(), expected.is_empty(), "{found:?}");
        }
    }

    /// Each range has a string at the first, an inner and the last position.
    #[test]
    fn a_pattern_alone_has_strings_of_each_range() {
        let found = strings_of_one("^[a-z0-9_/]+$", None, Lengths::ANY);
        for part in ["a", "0", "_", "/"] {
            assert!(
                found.iter().any(|string| string.starts_with(part)),
                "{found:?}"
            );
            assert!(
                found.iter().any(|string| string.ends_with(part)),
                "{found:?}"
            );
        }
        assert!(found.len() <= MAX_STRINGS_OF_RANGES);
        let letters = strings_of_one(r"^\p{L}$", None, Lengths::ANY);
        assert!(
            letters.iter().any(|string| !string.is_ascii()),
            "{letters:?}"
        );
    }

    #[test]
    fn large_patterns_have_few_or_no_strings() {
        for pattern in [
            "^(a{1000}){1000}$",
            "^((((){1000}){1000}){1000}){1000}$",
            "^(a|b)*a(a|b){40}$",
            r"^(\p{L}|\p{N}){1,250}$",
            "^[",
        ] {
            for other in ["^a$", "^(a|b)*b(a|b){40}$"] {
                for (matching, other) in [(pattern, other), (other, pattern)] {
                    let found = strings_of_one(matching, Some(other), Lengths::ANY);
                    assert!(found.len() <= MAX_STRINGS, "{matching} {other}");
                }
            }
            let lengths = Lengths {
                min: 1_000_000_000,
                max: usize::MAX,
            };
            assert!(strings_of_one("", Some(pattern), lengths).is_empty());
        }
        let found = strings_of_one("^[a-z]{200}$", Some("^[a-y]{200}$"), Lengths::ANY);
        assert_eq!(found.first().map(String::len), Some(200));
    }
}
