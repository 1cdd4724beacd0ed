//! Follow sets: the tokens that may come next.

use super::transition_network::{Grammar, StateId, Transition};
use crate::syntax::token::TokenSet;

/// A search for the tokens that may follow a state.
pub(super) struct FollowSet<'g> {
    grammar: &'g Grammar,
    /// True if the search continues at all follow states of the rule, false if the search stops at
    /// the end of the rule.
    leaves_rule: bool,
    /// The tokens found so far.
    pub(super) tokens: TokenSet,
    /// True if the search has reached the end of the rule.
    pub(super) may_end: bool,
    /// True if the result depends on the precedence of the previous operator.
    pub(super) depends_on_precedence: bool,
    /// The states that were searched, each with its return states.
    seen: Vec<(StateId, Vec<StateId>)>,
}

impl<'g> FollowSet<'g> {
    /// Returns a search that stops at the end of the rule.
    pub(super) const fn within_rule(grammar: &'g Grammar) -> Self {
        Self::new(grammar, false)
    }

    /// Returns a search that continues at all follow states of the rule.
    pub(super) const fn beyond_rule(grammar: &'g Grammar) -> Self {
        Self::new(grammar, true)
    }

    const fn new(grammar: &'g Grammar, leaves_rule: bool) -> Self {
        Self {
            grammar,
            leaves_rule,
            tokens: TokenSet::empty(),
            may_end: false,
            depends_on_precedence: false,
            seen: Vec::new(),
        }
    }

    /// Searches from a state. `return_states` contains the return states of the open rules.
    pub(super) fn search_from(&mut self, state: StateId, return_states: &mut Vec<StateId>) {
        if self.seen.iter().any(|(other, other_return_states)| {
            *other == state && other_return_states == return_states
        }) {
            return;
        }
        self.seen.push((state, return_states.clone()));
        if let Some(follows) = self.grammar.follows(state) {
            if let Some(return_state) = return_states.pop() {
                self.search_from(return_state, return_states);
                return_states.push(return_state);
            } else if self.leaves_rule {
                for return_state in follows {
                    self.search_from(*return_state, return_states);
                }
            } else {
                self.may_end = true;
            }
            return;
        }
        for transition in self.grammar.transitions_of(state) {
            self.add_transition(*transition, return_states);
        }
    }

    /// Adds the tokens that a transition reads, or the tokens after the transition.
    pub(super) fn add_transition(
        &mut self,
        transition: Transition,
        return_states: &mut Vec<StateId>,
    ) {
        match transition {
            Transition::Epsilon(to) => self.search_from(to, return_states),
            Transition::Token(kinds, _) => self.tokens = self.tokens.union(kinds),
            Transition::Precedence(_, to) => {
                self.depends_on_precedence = true;
                self.search_from(to, return_states);
            }
            Transition::Rule(rule, return_state) => {
                return_states.push(return_state);
                self.search_from(self.grammar.start(rule), return_states);
                return_states.pop();
            }
        }
    }
}
