//! The transition network (ATN) of the CEL grammar: states, transitions and rules.

use crate::syntax::token::TokenSet;

/// The index of a state.
pub(super) type StateId = usize;

/// A rule of the CEL grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Start,
    Expr,
    ConditionalOr,
    ConditionalAnd,
    Relation,
    Calc,
    Unary,
    Member,
    Primary,
    ExprList,
    ListInit,
    FieldInit,
    OptField,
    MapInit,
    EscapeIdent,
    OptExpr,
    Literal,
}

impl Rule {
    pub(super) const ALL: [Self; 17] = [
        Self::Start,
        Self::Expr,
        Self::ConditionalOr,
        Self::ConditionalAnd,
        Self::Relation,
        Self::Calc,
        Self::Unary,
        Self::Member,
        Self::Primary,
        Self::ExprList,
        Self::ListInit,
        Self::FieldInit,
        Self::OptField,
        Self::MapInit,
        Self::EscapeIdent,
        Self::OptExpr,
        Self::Literal,
    ];
}

/// A transition from a state to another state.
#[derive(Clone, Copy, Debug)]
pub(super) enum Transition {
    /// A transition that reads no token.
    Epsilon(StateId),
    Token(TokenSet, StateId),
    /// A rule, and the follow state after the rule.
    Rule(Rule, StateId),
    /// A transition to an operator of this precedence, which must be at least the minimum
    /// precedence of the open rule.
    Precedence(u8, StateId),
}

/// A part of a rule, with the state at the start of the part.
#[derive(Debug)]
pub(super) enum Node {
    Token(StateId, TokenSet),
    /// A rule, with the minimum precedence of the operators that it may contain.
    Rule(StateId, Rule, u8),
    Sequence(Vec<Self>),
    Choice(StateId, Vec<Self>, Decision),
    Optional(StateId, Box<Self>, Decision),
    /// A loop, with the states at the start and at the end of each iteration.
    Star(StateId, StateId, Box<Self>, Decision),
    /// A loop with at least one iteration, with the same two states as [`Star`](Self::Star).
    Plus(StateId, StateId, Box<Self>, Decision),
    /// A check of a precedence, which reads no token.
    Precedence,
}

/// The lookahead that decides between alternatives.
#[derive(Debug)]
pub(super) enum Decision {
    /// One token. The list contains the set of tokens that each alternative accepts next.
    OneToken(Vec<TokenSet>),
    /// The tokens that adaptive prediction needs to find one viable alternative.
    FullLookahead,
}

/// The transition network of the grammar.
pub(super) struct Grammar {
    /// The transitions of each state.
    pub(super) transitions: Vec<Vec<Transition>>,
    pub(super) rules: Vec<RuleStates>,
    /// The follow states of all uses of each rule.
    pub(super) follows: Vec<Vec<StateId>>,
}

/// The states of a rule, and its definition.
pub(super) struct RuleStates {
    pub(super) start: StateId,
    pub(super) stop: StateId,
    pub(super) body: Node,
}

impl Grammar {
    /// Returns the transitions from a state.
    pub(super) fn transitions_of(&self, state: StateId) -> &[Transition] {
        self.transitions
            .get(state)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Returns the start state of a rule.
    pub(super) fn start(&self, rule: Rule) -> StateId {
        self.rules.get(rule as usize).map_or(0, |rule| rule.start)
    }

    /// Returns the definition of a rule.
    pub(super) fn body(&self, rule: Rule) -> Option<&Node> {
        self.rules.get(rule as usize).map(|rule| &rule.body)
    }

    /// If the state is the stop state of a rule, returns the follow states of all uses of that
    /// rule.
    pub(super) fn follows(&self, stop: StateId) -> Option<&[StateId]> {
        let rule = self.rules.iter().position(|rule| rule.stop == stop)?;
        self.follows.get(rule).map(Vec::as_slice)
    }
}
