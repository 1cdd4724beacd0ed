//! Automata that search for a match of a pattern, character by character.

use regex_automata::Anchored;
use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::start;
use regex_syntax::hir::Hir;

/// The maximum size of the automaton of a pattern before its states are combined. Repetitions are
/// written out, so a short pattern may need much memory.
const MAX_NFA_BYTES: usize = 1 << 20;

/// The maximum size of the combined states that a search visits.
const MAX_STATES_BYTES: usize = 4 << 20;

/// An automaton that searches for a match of a pattern. States are created when they are visited.
#[derive(Debug)]
pub(super) struct Automaton {
    dfa: DFA,
    states: Cache,
}

/// The progress of an automaton in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Progress {
    /// No match was found before the last character.
    Searching(LazyStateID),
    /// A match was found, so the automaton accepts each string that continues the string.
    Matched,
}

impl Progress {
    /// Returns true if the automaton accepts no string that continues the string.
    pub(super) const fn is_dead(self) -> bool {
        matches!(self, Self::Searching(state) if state.is_dead())
    }
}

impl Automaton {
    /// Creates the automaton of a pattern; `None` if the automaton would be too large.
    pub(super) fn new(hir: &Hir) -> Option<Self> {
        let config = thompson::Config::new()
            .nfa_size_limit(Some(MAX_NFA_BYTES))
            .which_captures(thompson::WhichCaptures::None);
        let mut compiler = thompson::Compiler::new();
        let nfa = compiler.configure(config).build_from_hir(hir).ok()?;
        // Without a limit of 0, a full cache forgets states, which a search still needs.
        let config = DFA::config()
            .cache_capacity(MAX_STATES_BYTES)
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(0));
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        let states = dfa.create_cache();
        Some(Self { dfa, states })
    }

    /// Returns the progress before the first character; `None` if there are too many states, as for
    /// the other methods.
    pub(super) fn start(&mut self) -> Option<Progress> {
        let config = start::Config::new().anchored(Anchored::No);
        let state = self.dfa.start_state(&mut self.states, &config).ok()?;
        Some(Progress::Searching(state))
    }

    /// Returns the progress after another character.
    pub(super) fn step(&mut self, progress: Progress, character: char) -> Option<Progress> {
        let Progress::Searching(mut state) = progress else {
            return Some(progress);
        };
        for byte in character.encode_utf8(&mut [0; 4]).bytes() {
            state = self.dfa.next_state(&mut self.states, state, byte).ok()?;
            // A match is reported one byte late.
            if state.is_match() {
                return Some(Progress::Matched);
            }
        }
        Some(Progress::Searching(state))
    }

    /// Returns true if the automaton accepts the string that ends here.
    pub(super) fn accepts(&mut self, progress: Progress) -> Option<bool> {
        let Progress::Searching(state) = progress else {
            return Some(true);
        };
        let end = self.dfa.next_eoi_state(&mut self.states, state).ok()?;
        Some(end.is_match())
    }
}
