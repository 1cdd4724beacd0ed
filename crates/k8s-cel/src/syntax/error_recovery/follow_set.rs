//! Follow sets: the tokens that may come next.

use super::transition_network::{Grammar, StateId, Transition};
use crate::syntax::token::TokenSet;

/// A search for the tokens that may follow a state.
pub(super) struct FollowSet<'g> {
    grammar: &'g Grammar,
    /// True if the search continues at all follow states of the rule, false if the search stops at
    /// the end of the rule.
    leaves_rule: bool,
    pub(super) tokens: TokenSet,
    pub(super) may_end: bool,
    /// True if the result depends on the precedence of the previous operator.
    pub(super) depends_on_precedence: bool,
    seen: Vec<(StateId, Vec<StateId>)>,
}

impl<'g> FollowSet<'g> {
    pub(super) const fn new(grammar: &'g Grammar, leaves_rule: bool) -> Self {
        Self {
            grammar,
            leaves_rule,
            tokens: TokenSet::empty(),
            may_end: false,
            depends_on_precedence: false,
            seen: Vec::new(),
        }
    }

    /// Searches from a state. `open` contains the return states of the open rules.
    pub(super) fn search_from(&mut self, state: StateId, open: &mut Vec<StateId>) {
        if self
            .seen
            .iter()
            .any(|(other, other_open)| *other == state && other_open == open)
        {
            return;
        }
        self.seen.push((state, open.clone()));
        if let Some(follows) = self.grammar.follows(state) {
            if let Some(return_state) = open.pop() {
                self.search_from(return_state, open);
                open.push(return_state);
            } else if self.leaves_rule {
                for return_state in follows {
                    self.search_from(*return_state, open);
                }
            } else {
                self.may_end = true;
            }
            return;
        }
        for transition in self.grammar.transitions_of(state) {
            self.follow(*transition, open);
        }
    }

    pub(super) fn follow(&mut self, transition: Transition, open: &mut Vec<StateId>) {
        match transition {
            Transition::Epsilon(to) => self.search_from(to, open),
            Transition::Token(kinds, _) => self.tokens = self.tokens.union(kinds),
            Transition::Precedence(_, to) => {
                self.depends_on_precedence = true;
                self.search_from(to, open);
            }
            Transition::Rule(rule, return_state) => {
                open.push(return_state);
                self.search_from(self.grammar.start(rule), open);
                open.pop();
            }
        }
    }
}
