//! The tokens that may come next.

use super::graph::{Edge, Grammar, StateId};
use crate::syntax::token::Kinds;

/// A search for the tokens that may come next.
pub(super) struct Look<'g> {
    grammar: &'g Grammar,
    /// True if the search continues behind all uses of the rule; false if it stops at the end.
    leaves: bool,
    pub(super) tokens: Kinds,
    pub(super) ends: bool,
    /// True if the result depends on the operator before.
    pub(super) asks: bool,
    seen: Vec<(StateId, Vec<StateId>)>,
}

impl<'g> Look<'g> {
    pub(super) const fn new(grammar: &'g Grammar, leaves: bool) -> Self {
        Self {
            grammar,
            leaves,
            tokens: Kinds::none(),
            ends: false,
            asks: false,
            seen: Vec::new(),
        }
    }

    /// Searches from a state within the open rules. For each rule, `open` has the state behind it.
    pub(super) fn at(&mut self, state: StateId, open: &mut Vec<StateId>) {
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
                self.at(behind, open);
                open.push(behind);
            } else if self.leaves {
                for behind in follows {
                    self.at(*behind, open);
                }
            } else {
                self.ends = true;
            }
            return;
        }
        for edge in self.grammar.edges(state) {
            self.along(*edge, open);
        }
    }

    pub(super) fn along(&mut self, edge: Edge, open: &mut Vec<StateId>) {
        match edge {
            Edge::Free(to) => self.at(to, open),
            Edge::Token(kinds, _) => self.tokens = self.tokens.with(kinds),
            Edge::Precedence(_, to) => {
                self.asks = true;
                self.at(to, open);
            }
            Edge::Rule(rule, behind) => {
                open.push(behind);
                self.at(self.grammar.start(rule), open);
                open.pop();
            }
        }
    }
}
