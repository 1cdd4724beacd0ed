//! Nondeterministic finite automata that search for a match of a pattern.

use std::cell::Cell;
use std::collections::HashSet;

use regex_syntax::hir::{Hir, HirKind, Look};

use super::alphabet::CharacterClass;

/// The maximum number of states of an automaton. Repetitions are written out, so a short pattern
/// may have many states.
const MAX_STATES: usize = 10_000;

/// The maximum number of steps that create an automaton. Nested repetitions of the empty string
/// need many steps without new states.
const MAX_STEPS: usize = 100_000;

/// The maximum number of classes of all automata.
const MAX_CLASSES: usize = 100;

/// The number of a state.
type StateId = usize;

#[derive(Debug)]
enum State {
    /// Reads a character of the class with this number.
    Character(usize, StateId),
    /// Continues with each of the states, without a character.
    Branch(Vec<StateId>),
    /// Continues between two characters for which the assertion is true.
    Look(Look, StateId),
    Match,
}

/// An automaton that searches for a match of a pattern.
#[derive(Debug)]
pub(super) struct Automaton {
    states: Vec<State>,
    start: StateId,
    /// True if a match can only begin at the start of the string.
    is_anchored: bool,
    /// True if the pattern has assertions about neighbors other than the start and the end.
    pub(super) reads_neighbors: bool,
    /// The number of states that were visited, to limit the work.
    visits: Cell<usize>,
}

/// The progress of an automaton in a string.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Progress {
    /// No match was found. The states are sorted, and read the next character.
    Searching(Vec<StateId>),
    /// A match was found, so the automaton accepts each string that continues the string.
    Matched,
}

impl Progress {
    /// Returns true if the automaton accepts no string that continues the string.
    pub(super) fn is_dead(&self) -> bool {
        matches!(self, Self::Searching(states) if states.is_empty())
    }
}

/// The characters around a position of a string; `None` at the start and at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbors {
    pub(super) previous: Option<char>,
    pub(super) next: Option<char>,
}

impl Automaton {
    /// Creates the automaton of a pattern, and adds the classes of the pattern to `classes`.
    /// Returns `None` if the automaton would be too large.
    pub(super) fn new(hir: &Hir, classes: &mut Vec<CharacterClass>) -> Option<Self> {
        let mut builder = Builder {
            states: vec![State::Match],
            classes,
            steps: 0,
        };
        let start = builder.add(hir, 0)?;
        let properties = hir.properties();
        let mut looks = properties.look_set().iter();
        Some(Self {
            states: builder.states,
            start,
            is_anchored: properties.look_set_prefix().contains(Look::Start),
            reads_neighbors: looks.any(|look| !matches!(look, Look::Start | Look::End)),
            visits: Cell::new(0),
        })
    }

    /// Creates an automaton that accepts no string.
    pub(super) fn without_match() -> Self {
        Self {
            states: vec![State::Branch(Vec::new())],
            start: 0,
            is_anchored: false,
            reads_neighbors: false,
            visits: Cell::new(0),
        }
    }

    /// Returns the progress before the first character.
    pub(super) fn start(&self) -> Progress {
        Progress::Searching(vec![self.start])
    }

    /// Returns true if the automaton accepts the string that ends after the character.
    pub(super) fn accepts(&self, progress: &Progress, previous: Option<char>) -> bool {
        let neighbors = Neighbors {
            previous,
            next: None,
        };
        match progress {
            Progress::Matched => true,
            Progress::Searching(states) => self.closure(states, neighbors).is_none(),
        }
    }

    /// Returns the progress after the next character.
    pub(super) fn step(
        &self,
        progress: &Progress,
        neighbors: Neighbors,
        classes: &[CharacterClass],
    ) -> Progress {
        let (Progress::Searching(states), Some(next)) = (progress, neighbors.next) else {
            return progress.clone();
        };
        let Some(reading_states) = self.closure(states, neighbors) else {
            return Progress::Matched;
        };
        let targets = reading_states.iter().filter_map(|(class, target)| {
            let class = classes.get(*class)?;
            class.contains(next).then_some(*target)
        });
        let mut states: Vec<StateId> = targets.collect();
        if !self.is_anchored {
            states.push(self.start);
        }
        states.sort_unstable();
        states.dedup();
        Progress::Searching(states)
    }

    /// Returns the number of states that were visited.
    pub(super) const fn visits(&self) -> usize {
        self.visits.get()
    }

    /// Returns the classes of characters that can be read next, each with the next state; `None` if
    /// a match is found between the neighbors.
    fn closure(&self, states: &[StateId], neighbors: Neighbors) -> Option<Vec<(usize, StateId)>> {
        let mut reading_states = Vec::new();
        let mut visited = HashSet::new();
        let mut pending = states.to_vec();
        while let Some(id) = pending.pop() {
            self.visits.set(self.visits.get().saturating_add(1));
            if !visited.insert(id) {
                continue;
            }
            match self.states.get(id) {
                Some(State::Character(class, next)) => reading_states.push((*class, *next)),
                Some(State::Branch(branches)) => pending.extend(branches),
                Some(State::Look(look, next)) if is_true(*look, neighbors) => pending.push(*next),
                Some(State::Match) => return None,
                _ => {}
            }
        }
        Some(reading_states)
    }
}

/// Returns true if an assertion holds between two characters. Patterns of Kubernetes have no other
/// assertions.
fn is_true(look: Look, Neighbors { previous, next }: Neighbors) -> bool {
    let is_word = |character: Option<char>| character.is_some_and(is_word_character);
    match look {
        Look::Start => previous.is_none(),
        Look::End => next.is_none(),
        Look::StartLF => matches!(previous, None | Some('\n')),
        Look::EndLF => matches!(next, None | Some('\n')),
        Look::WordAscii => is_word(previous) != is_word(next),
        Look::WordAsciiNegate => is_word(previous) == is_word(next),
        _ => false,
    }
}

pub(super) const fn is_word_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Creates the states of an automaton.
struct Builder<'c> {
    states: Vec<State>,
    classes: &'c mut Vec<CharacterClass>,
    steps: usize,
}

impl Builder<'_> {
    /// Adds the states that match a pattern and continue with a state. Returns the first state, or
    /// `None` if the automaton would be too large.
    fn add(&mut self, hir: &Hir, next: StateId) -> Option<StateId> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return None;
        }
        match hir.kind() {
            HirKind::Empty => Some(next),
            HirKind::Literal(literal) => {
                let text = core::str::from_utf8(&literal.0).ok()?;
                let mut characters = text.chars().rev();
                characters.try_fold(next, |next, character| {
                    let class = CharacterClass::from_ranges(&[(character, character)]);
                    self.add_class(class, next)
                })
            }
            HirKind::Class(class) => self.add_class(CharacterClass::from_class(class), next),
            HirKind::Look(look) => self.push(State::Look(*look, next)),
            HirKind::Repetition(repetition) => {
                let mut first = match repetition.max {
                    Some(max) => {
                        let optional_count = max.saturating_sub(repetition.min);
                        self.add_optional(&repetition.sub, optional_count, next)?
                    }
                    None => self.add_loop(&repetition.sub, next)?,
                };
                for _ in 0..repetition.min {
                    first = self.add(&repetition.sub, first)?;
                }
                Some(first)
            }
            HirKind::Capture(capture) => self.add(&capture.sub, next),
            HirKind::Concat(parts) => {
                let mut parts = parts.iter().rev();
                parts.try_fold(next, |next, part| self.add(part, next))
            }
            HirKind::Alternation(branches) => {
                let branches = branches.iter().map(|branch| self.add(branch, next));
                let branches = branches.collect::<Option<Vec<StateId>>>()?;
                self.push(State::Branch(branches))
            }
        }
    }

    /// Adds a pattern that may be repeated up to `count` times.
    fn add_optional(&mut self, hir: &Hir, count: u32, next: StateId) -> Option<StateId> {
        (0..count).try_fold(next, |first, _| {
            let repeated = self.add(hir, first)?;
            self.push(State::Branch(vec![repeated, next]))
        })
    }

    /// Adds a pattern that may be repeated.
    fn add_loop(&mut self, hir: &Hir, next: StateId) -> Option<StateId> {
        let branch = self.push(State::Branch(Vec::new()))?;
        let repeated = self.add(hir, branch)?;
        *self.states.get_mut(branch)? = State::Branch(vec![repeated, next]);
        Some(branch)
    }

    fn add_class(&mut self, class: CharacterClass, next: StateId) -> Option<StateId> {
        let known = self.classes.iter().position(|known| *known == class);
        let number = known.unwrap_or(self.classes.len());
        if known.is_none() {
            self.classes.push(class);
        }
        if self.classes.len() > MAX_CLASSES {
            return None;
        }
        self.push(State::Character(number, next))
    }

    fn push(&mut self, state: State) -> Option<StateId> {
        self.states.push(state);
        (self.states.len() <= MAX_STATES).then(|| self.states.len() - 1)
    }
}
