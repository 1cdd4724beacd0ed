//! The graph of states for the grammar of CEL: rules, edges and the parts of rules.

use crate::syntax::token::TokenSet;

/// The number of a state.
pub(super) type StateId = usize;

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

/// An edge from a state to another state.
#[derive(Clone, Copy, Debug)]
pub(super) enum Transition {
    Epsilon(StateId),
    Token(TokenSet, StateId),
    /// A rule, and the state behind it.
    Rule(Rule, StateId),
    /// Free unless the caller requires a stronger operator than this.
    Precedence(u8, StateId),
}

/// A part of a rule, with the states of the parser at the start of the part.
#[derive(Debug)]
pub(super) enum Node {
    Token(StateId, TokenSet),
    /// A rule, with the weakest operator that the rule may contain.
    Rule(StateId, Rule, u8),
    Sequence(Vec<Self>),
    Choice(StateId, Vec<Self>, Decision),
    Optional(StateId, Box<Self>, Decision),
    /// The state at the start and at the end of each round.
    Star(StateId, StateId, Box<Self>, Decision),
    Plus(StateId, StateId, Box<Self>, Decision),
    Precedence,
}

/// The input that decides between alternatives.
#[derive(Debug)]
pub(super) enum Decision {
    /// The next token.
    OneToken(Vec<TokenSet>),
    /// All tokens up to the first that decides.
    FullLookahead,
}

pub(super) struct Grammar {
    /// The edges of each state.
    pub(super) transitions: Vec<Vec<Transition>>,
    pub(super) rules: Vec<RuleStates>,
    /// The states behind each use of a rule.
    pub(super) follows: Vec<Vec<StateId>>,
}

pub(super) struct RuleStates {
    pub(super) start: StateId,
    pub(super) stop: StateId,
    pub(super) body: Node,
}

impl Grammar {
    pub(super) fn transitions_of(&self, state: StateId) -> &[Transition] {
        self.transitions
            .get(state)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    pub(super) fn start(&self, rule: Rule) -> StateId {
        self.rules.get(rule as usize).map_or(0, |rule| rule.start)
    }

    pub(super) fn body(&self, rule: Rule) -> Option<&Node> {
        self.rules.get(rule as usize).map(|rule| &rule.body)
    }

    /// Returns the states behind all uses of the rule that stops at this state, if there is one.
    pub(super) fn follows(&self, stop: StateId) -> Option<&[StateId]> {
        let rule = self.rules.iter().position(|rule| rule.stop == stop)?;
        self.follows.get(rule).map(Vec::as_slice)
    }
}
