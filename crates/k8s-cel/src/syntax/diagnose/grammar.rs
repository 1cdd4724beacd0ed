//! The grammar of CEL as a graph of states, as the generator of the server's parser builds it: the
//! token or rule that leads from a state to the next, and the decisions.

use std::sync::LazyLock;

use super::graph::{Built, Decision, Edge, Grammar, Node, Rule, StateId};
use super::look::Look;
use super::rules::{Part, part};
use crate::syntax::token::Kinds;

impl Grammar {
    pub(super) fn get() -> &'static Self {
        static GRAMMAR: LazyLock<Grammar> = LazyLock::new(build);
        &GRAMMAR
    }

    /// Returns the tokens that may follow within the rule, and true if the rule may end here.
    pub(super) fn next(&self, state: StateId) -> (Kinds, bool) {
        let mut look = Look::new(self, false);
        look.at(state, &mut Vec::new());
        (look.tokens, look.ends)
    }
}

fn build() -> Grammar {
    let mut grammar = Grammar {
        states: Vec::new(),
        rules: Vec::new(),
        follows: vec![Vec::new(); Rule::ALL.len()],
    };
    for rule in Rule::ALL {
        let (start, stop) = (grammar.state(), grammar.state());
        let body = grammar.add(part(rule), start, stop);
        grammar.rules.push(Built { start, stop, body });
    }
    let mut rules = core::mem::take(&mut grammar.rules);
    let bare: Vec<(StateId, StateId)> = rules.iter().map(|rule| (rule.start, rule.stop)).collect();
    grammar.rules = bare
        .into_iter()
        .map(|(start, stop)| Built {
            start,
            stop,
            body: Node::Precedence,
        })
        .collect();
    for rule in &mut rules {
        grammar.decide(&mut rule.body);
    }
    grammar.rules = rules;
    grammar
}

impl Grammar {
    fn state(&mut self) -> StateId {
        self.states.push(Vec::new());
        self.states.len() - 1
    }

    fn edge(&mut self, from: StateId, edge: Edge) {
        if let Some(edges) = self.states.get_mut(from) {
            edges.push(edge);
        }
    }

    /// Adds a part between two states.
    fn add(&mut self, part: Part, from: StateId, to: StateId) -> Node {
        match part {
            Part::Token(kinds) => {
                self.edge(from, Edge::Token(kinds, to));
                Node::Token(from, kinds)
            }
            Part::Rule(rule, precedence) => {
                self.edge(from, Edge::Rule(rule, to));
                if let Some(follows) = self.follows.get_mut(rule as usize) {
                    follows.push(to);
                }
                Node::Rule(from, rule, precedence)
            }
            Part::Precedence(precedence) => {
                self.edge(from, Edge::Precedence(precedence, to));
                Node::Precedence
            }
            Part::Sequence(parts) => self.add_sequence(parts, from, to),
            Part::Choice(parts) => {
                let alternatives = parts.into_iter().map(|part| {
                    let start = self.state();
                    self.edge(from, Edge::Free(start));
                    self.add(part, start, to)
                });
                Node::Choice(from, alternatives.collect(), Decision::Ahead)
            }
            Part::Optional(part) => {
                let start = self.state();
                self.edge(from, Edge::Free(start));
                let body = self.add(*part, start, to);
                self.edge(from, Edge::Free(to));
                Node::Optional(from, Box::new(body), Decision::Ahead)
            }
            Part::Star(part) => {
                let (start, back) = (self.state(), self.state());
                self.edge(from, Edge::Free(start));
                let body = self.add(*part, start, back);
                self.edge(back, Edge::Free(from));
                self.edge(from, Edge::Free(to));
                Node::Star(from, back, Box::new(body), Decision::Ahead)
            }
            Part::Plus(part) => {
                let back = self.state();
                let body = self.add(*part, from, back);
                self.edge(back, Edge::Free(from));
                self.edge(back, Edge::Free(to));
                Node::Plus(from, back, Box::new(body), Decision::Ahead)
            }
        }
    }

    fn add_sequence(&mut self, parts: Vec<Part>, from: StateId, to: StateId) -> Node {
        let count = parts.len();
        let mut at = from;
        let nodes = parts.into_iter().enumerate().map(|(index, part)| {
            let next = if index + 1 == count { to } else { self.state() };
            let node = self.add(part, at, next);
            at = next;
            node
        });
        Node::Sequence(nodes.collect())
    }

    /// Finds the decisions for which the next token is sufficient.
    fn decide(&self, node: &mut Node) {
        let (state, decision) = match node {
            Node::Token(..) | Node::Rule(..) | Node::Precedence => return,
            Node::Sequence(parts) => {
                for part in parts {
                    self.decide(part);
                }
                return;
            }
            Node::Choice(state, parts, decision) => {
                for part in parts {
                    self.decide(part);
                }
                (*state, decision)
            }
            Node::Optional(state, part, decision)
            | Node::Star(state, _, part, decision)
            | Node::Plus(_, state, part, decision) => {
                self.decide(part);
                (*state, decision)
            }
        };
        let alternatives = self.edges(state).iter().map(|edge| {
            let mut look = Look::new(self, true);
            look.along(*edge, &mut Vec::new());
            (!look.asks).then_some(look.tokens)
        });
        let alternatives: Option<Vec<Kinds>> = alternatives.collect();
        if let Some(alternatives) = alternatives.filter(|sets| are_disjoint(sets)) {
            *decision = Decision::Token(alternatives);
        }
    }
}

fn are_disjoint(sets: &[Kinds]) -> bool {
    let mut seen = Kinds::none();
    sets.iter().all(|set| {
        let is_new = !seen.overlaps(*set);
        seen = seen.with(*set);
        is_new
    })
}
