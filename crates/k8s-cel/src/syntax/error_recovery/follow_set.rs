//! The tokens that may come next.

use super::transition_network::{Grammar, StateId, Transition};
use crate::syntax::token::TokenSet;

/// A search for the tokens that may come next.
pub(super) struct FollowSet<'g> {
    grammar: &'g Grammar,
    /// True if the search continues behind all uses of the rule; false if it stops at the end.
    leaves_rule: bool,
    pub(super) tokens: TokenSet,
    pub(super) may_end: bool,
    /// True if the result depends on the operator before.
    pub(super) depends_on_precedence: bool,
    seen: Vec<(StateId, Vec<StateId>)>,
}

impl<'g> FollowSet<'g> {
    pub(super) const fn new(grammar: &'g Grammar, leaves: bool) -> Self {
        Self {
            grammar,
            leaves_rule: leaves,
            tokens: TokenSet::empty(),
            may_end: false,
            depends_on_precedence: false,
            seen: Vec::new(),
        }
    }

    /// Searches from a state within the open rules. For each rule, `open` has the state behind it.
    pub(super) fn search_from(&mut self, state: StateId, open: &mut Vec<StateId>) {
        if self
            .seen
            .iter()
            .any(|(other, within)| *other == state && within == open)
        {
            return;
        }
        self.seen.push((state, open.clone()));
        if let Some(follows) = self.grammar.follows(state) {
            if let Some(behind) = open.pop() {
                self.search_from(behind, open);
                open.push(behind);
            } else if self.leaves_rule {
                for behind in follows {
                    self.search_from(*behind, open);
                }
            } else {
                self.may_end = true;
            }
            return;
        }
        for edge in self.grammar.transitions_of(state) {
            self.follow(*edge, open);
        }
    }

    pub(super) fn follow(&mut self, edge: Transition, open: &mut Vec<StateId>) {
        match edge {
            Transition::Epsilon(to) => self.search_from(to, open),
            Transition::Token(kinds, _) => self.tokens = self.tokens.union(kinds),
            Transition::Precedence(_, to) => {
                self.depends_on_precedence = true;
                self.search_from(to, open);
            }
            Transition::Rule(rule, behind) => {
                open.push(behind);
                self.search_from(self.grammar.start(rule), open);
                open.pop();
            }
        }
    }
}
