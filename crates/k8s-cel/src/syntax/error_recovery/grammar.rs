//! Builds the transition network of the CEL grammar, as ANTLR, the generator of the server's
//! parser, builds it.

use std::sync::LazyLock;

use super::follow_set::FollowSet;
use super::rules::{RulePart, rule_definition};
use super::transition_network::{Decision, Grammar, Node, Rule, RuleStates, StateId, Transition};
use crate::syntax::token::TokenSet;

impl Grammar {
    /// Returns the grammar of CEL, which is built once.
    pub(super) fn get() -> &'static Self {
        static GRAMMAR: LazyLock<Grammar> = LazyLock::new(build_grammar);
        &GRAMMAR
    }

    /// Returns the tokens that may follow a state inside its rule, and true if the rule may end
    /// there.
    pub(super) fn next_tokens(&self, state: StateId) -> (TokenSet, bool) {
        let mut follow_set = FollowSet::within_rule(self);
        follow_set.search_from(state, &mut Vec::new());
        (follow_set.tokens, follow_set.may_end)
    }
}

/// Builds the states, the transitions and the decisions of all rules.
fn build_grammar() -> Grammar {
    let mut grammar = Grammar {
        transitions: Vec::new(),
        rules: Vec::new(),
        follows: vec![Vec::new(); Rule::ALL.len()],
    };
    for rule in Rule::ALL {
        let (start, stop) = (grammar.add_state(), grammar.add_state());
        let body = grammar.add_part(rule_definition(rule), start, stop);
        grammar.rules.push(RuleStates { start, stop, body });
    }
    // Setting a decision reads the states of all rules and changes a definition. So the grammar
    // keeps only the states, with placeholders for the definitions, until all decisions are set.
    let mut rules = core::mem::take(&mut grammar.rules);
    let bounds: Vec<(StateId, StateId)> =
        rules.iter().map(|rule| (rule.start, rule.stop)).collect();
    grammar.rules = bounds
        .into_iter()
        .map(|(start, stop)| RuleStates {
            start,
            stop,
            body: Node::Precedence,
        })
        .collect();
    for rule in &mut rules {
        grammar.set_decisions(&mut rule.body);
    }
    grammar.rules = rules;
    grammar
}

impl Grammar {
    fn add_state(&mut self) -> StateId {
        self.transitions.push(Vec::new());
        self.transitions.len() - 1
    }

    fn add_transition(&mut self, from: StateId, transition: Transition) {
        if let Some(transitions) = self.transitions.get_mut(from) {
            transitions.push(transition);
        }
    }

    /// Adds the states and transitions of a rule part between two states.
    fn add_part(&mut self, part: RulePart, from: StateId, to: StateId) -> Node {
        match part {
            RulePart::Token(kinds) => {
                self.add_transition(from, Transition::Token(kinds, to));
                Node::Token(from, kinds)
            }
            RulePart::Rule(rule, precedence) => {
                self.add_transition(from, Transition::Rule(rule, to));
                if let Some(follows) = self.follows.get_mut(rule as usize) {
                    follows.push(to);
                }
                Node::Rule(from, rule, precedence)
            }
            RulePart::Precedence(precedence) => {
                self.add_transition(from, Transition::Precedence(precedence, to));
                Node::Precedence
            }
            RulePart::Sequence(parts) => self.add_sequence(parts, from, to),
            RulePart::Choice(parts) => {
                let alternatives = parts.into_iter().map(|part| {
                    let start = self.add_state();
                    self.add_transition(from, Transition::Epsilon(start));
                    self.add_part(part, start, to)
                });
                Node::Choice(from, alternatives.collect(), Decision::FullLookahead)
            }
            RulePart::Optional(part) => {
                let start = self.add_state();
                self.add_transition(from, Transition::Epsilon(start));
                let body = self.add_part(*part, start, to);
                self.add_transition(from, Transition::Epsilon(to));
                Node::Optional(from, Box::new(body), Decision::FullLookahead)
            }
            RulePart::Star(part) => {
                let (start, back) = (self.add_state(), self.add_state());
                self.add_transition(from, Transition::Epsilon(start));
                let body = self.add_part(*part, start, back);
                self.add_transition(back, Transition::Epsilon(from));
                self.add_transition(from, Transition::Epsilon(to));
                Node::Star(from, back, Box::new(body), Decision::FullLookahead)
            }
            RulePart::Plus(part) => {
                let back = self.add_state();
                let body = self.add_part(*part, from, back);
                self.add_transition(back, Transition::Epsilon(from));
                self.add_transition(back, Transition::Epsilon(to));
                Node::Plus(from, back, Box::new(body), Decision::FullLookahead)
            }
        }
    }

    fn add_sequence(&mut self, parts: Vec<RulePart>, from: StateId, to: StateId) -> Node {
        let count = parts.len();
        let mut state = from;
        let nodes = parts.into_iter().enumerate().map(|(index, part)| {
            let next = if index + 1 == count {
                to
            } else {
                self.add_state()
            };
            let node = self.add_part(part, state, next);
            state = next;
            node
        });
        Node::Sequence(nodes.collect())
    }

    /// Sets the decisions of a node for which one token of lookahead is sufficient.
    fn set_decisions(&self, node: &mut Node) {
        let (state, decision) = match node {
            Node::Token(..) | Node::Rule(..) | Node::Precedence => return,
            Node::Sequence(parts) => {
                for part in parts {
                    self.set_decisions(part);
                }
                return;
            }
            Node::Choice(state, parts, decision) => {
                for part in parts {
                    self.set_decisions(part);
                }
                (*state, decision)
            }
            Node::Optional(state, part, decision)
            | Node::Star(state, _, part, decision)
            | Node::Plus(_, state, part, decision) => {
                self.set_decisions(part);
                (*state, decision)
            }
        };
        let alternatives = self.transitions_of(state).iter().map(|transition| {
            let mut follow_set = FollowSet::beyond_rule(self);
            follow_set.add_transition(*transition, &mut Vec::new());
            (!follow_set.depends_on_precedence).then_some(follow_set.tokens)
        });
        let alternatives: Option<Vec<TokenSet>> = alternatives.collect();
        if let Some(alternatives) = alternatives.filter(|sets| are_disjoint(sets)) {
            *decision = Decision::OneToken(alternatives);
        }
    }
}

fn are_disjoint(sets: &[TokenSet]) -> bool {
    let mut seen = TokenSet::empty();
    sets.iter().all(|set| {
        let is_new = !seen.overlaps(*set);
        seen = seen.union(*set);
        is_new
    })
}
