//! Diagnoses syntax errors, with the error recovery of the server's parser.

use core::ops::ControlFlow;

use super::adaptive_prediction::{AdaptivePrediction, PredictionError};
use super::transition_network::{Decision, Grammar, Node, Rule, StateId, Transition};
use crate::syntax::SourceError;
use crate::syntax::lexer::Tokens;
use crate::syntax::token::{Kind, Token, TokenSet};

/// The maximum number of steps of all predictions together.
const MAX_STEPS: usize = 2_000_000;

/// The maximum number of open rules.
const MAX_OPEN_RULES: usize = 400;

/// The maximum number of recoveries, which is the server's limit.
const MAX_RECOVERIES: u32 = 30;

/// The syntax errors of an expression.
pub(in crate::syntax) struct Diagnosis {
    /// The errors in the order in which the parser finds them; empty if the diagnosis exceeds its
    /// limits.
    pub(in crate::syntax) errors: Vec<SourceError>,
    /// The indices of the tokens that the server matches.
    pub(in crate::syntax) matched: Vec<usize>,
    /// True if recovery only deleted tokens, so that the matched tokens are an expression.
    pub(in crate::syntax) only_deleted: bool,
}

/// Diagnoses the syntax errors of tokens that are not an expression.
pub(in crate::syntax) fn diagnose(source: &str, tokens: &Tokens) -> Diagnosis {
    let mut parser = RecoveringParser {
        grammar: Grammar::get(),
        source,
        tokens: &tokens.tokens,
        invalid: &tokens.invalid,
        position: 0,
        state: 0,
        open: Vec::new(),
        is_recovering: false,
        last_error_index: None,
        last_error_states: Vec::new(),
        recoveries: 0,
        steps: MAX_STEPS,
        errors: Vec::new(),
        tree_errors: Vec::new(),
        matched: Vec::new(),
        only_deleted: true,
    };
    // If the diagnosis ends early, the errors found so far are reported.
    let is_complete = parser.enter(Rule::Start, None, 0).is_continue();
    let mut errors = parser.errors;
    errors.append(&mut parser.tree_errors);
    Diagnosis {
        errors,
        matched: parser.matched,
        only_deleted: is_complete && parser.only_deleted,
    }
}

/// The result of a step: the diagnosis continues, or ends.
type Flow<T = ()> = ControlFlow<(), T>;

/// An error that ends a rule before its end, with its message and its position.
struct RecognitionError {
    position: u32,
    message: String,
}

type Outcome<T = ()> = Flow<Result<T, RecognitionError>>;

struct OpenRule {
    rule: Rule,
    /// The state after the rule; `None` for the outermost rule.
    return_state: Option<StateId>,
    precedence: u8,
}

struct RecoveringParser<'t> {
    grammar: &'static Grammar,
    source: &'t str,
    tokens: &'t [Token],
    /// The byte ranges outside of tokens, which messages omit.
    invalid: &'t [(u32, u32)],
    position: usize,
    state: StateId,
    open: Vec<OpenRule>,
    /// True until a token matches again. Meanwhile, errors are not reported.
    is_recovering: bool,
    /// The token at which a rule failed last during recovery, and the states of the rules that
    /// failed there.
    last_error_index: Option<usize>,
    last_error_states: Vec<StateId>,
    recoveries: u32,
    steps: usize,
    pub(in crate::syntax) errors: Vec<SourceError>,
    /// The errors of the syntax tree that the server creates in spite of the syntax errors.
    tree_errors: Vec<SourceError>,
    /// The indices of the matched tokens.
    pub(in crate::syntax) matched: Vec<usize>,
    /// True if recovery only deleted tokens.
    pub(in crate::syntax) only_deleted: bool,
}

/// Unwraps the outcome of a step, or returns its error from the function.
macro_rules! attempt {
    ($outcome:expr) => {
        match $outcome? {
            Ok(value) => value,
            Err(error) => return Flow::Continue(Err(error)),
        }
    };
}

impl RecoveringParser<'_> {
    fn token(&self, ahead: usize) -> Token {
        let token = self.tokens.get(self.position.saturating_add(ahead));
        token.or(self.tokens.last()).copied().unwrap_or(Token {
            kind: Kind::End,
            start: 0,
            end: 0,
        })
    }

    fn next_kind(&self) -> Kind {
        self.token(0).kind
    }

    fn consume(&mut self) {
        if self.next_kind() != Kind::End {
            self.position += 1;
        }
    }

    /// Consumes a token that matches.
    fn match_token(&mut self) {
        self.matched.push(self.position);
        self.consume();
    }

    /// Returns the next token as messages print it.
    fn next_token_text(&self) -> String {
        match self.token(0) {
            token if token.kind == Kind::End => "'<EOF>'".to_owned(),
            token => format!("'{}'", escaped(token.lexeme(self.source))),
        }
    }

    /// Parses a rule, and continues after the rule even if it fails.
    fn enter(&mut self, rule: Rule, return_state: Option<StateId>, precedence: u8) -> Flow {
        if self.open.len() > MAX_OPEN_RULES {
            return Flow::Break(());
        }
        let first = self.token(0);
        self.open.push(OpenRule {
            rule,
            return_state,
            precedence,
        });
        let state = self.state;
        if let Some(body) = self.grammar.body(rule) {
            let outcome = self.node(body)?;
            self.leave(outcome, first)?;
        }
        self.state = state;
        self.open.pop();
        Flow::Continue(())
    }

    /// Ends a rule: reports the error that ended it early, and the errors of its part of the syntax
    /// tree.
    #[inline(never)]
    fn leave(&mut self, outcome: Result<(), RecognitionError>, first: Token) -> Flow {
        let is_field = matches!(self.open.as_slice(), [.., outer, inner]
            if outer.rule == Rule::Member && inner.rule == Rule::EscapeIdent);
        let message = match outcome {
            Err(error) => {
                self.report(&error);
                self.recover()?;
                "unsupported ident kind"
            }
            Ok(()) if first.kind == Kind::Quoted => "unsupported syntax: '`'",
            Ok(()) => return Flow::Continue(()),
        };
        if is_field {
            self.tree_errors
                .push(SourceError::new(first.start, message));
        }
        Flow::Continue(())
    }

    // Nodes are parsed recursively. Each function is small, because it may be on the stack many
    // times.
    fn node(&mut self, node: &Node) -> Outcome {
        match node {
            Node::Precedence => Flow::Continue(Ok(())),
            Node::Token(state, kinds) => self.read_token(*state, *kinds),
            Node::Rule(state, rule, precedence) => {
                self.state = *state;
                let return_state = self.follow_state(*state);
                self.enter(*rule, return_state, *precedence)?;
                Flow::Continue(Ok(()))
            }
            Node::Sequence(parts) => {
                for body in parts {
                    attempt!(self.node(body));
                }
                Flow::Continue(Ok(()))
            }
            Node::Choice(state, parts, decision) => {
                let alternative = attempt!(self.start(*state, decision, true));
                match parts.get(alternative) {
                    Some(body) => self.node(body),
                    None => Flow::Continue(Ok(())),
                }
            }
            Node::Optional(state, body, decision) => {
                if attempt!(self.start(*state, decision, false)) == 0 {
                    return self.node(body);
                }
                Flow::Continue(Ok(()))
            }
            Node::Star(entry, loop_state, body, decision) => {
                self.star(*entry, *loop_state, body, decision)
            }
            Node::Plus(start, loop_state, body, decision) => {
                self.plus(*start, *loop_state, body, decision)
            }
        }
    }

    #[inline(never)]
    fn read_token(&mut self, state: StateId, kinds: TokenSet) -> Outcome {
        self.state = state;
        if kinds.contains(self.next_kind()) {
            self.end_recovery();
            self.match_token();
            return Flow::Continue(Ok(()));
        }
        self.recover_inline()
    }

    #[inline(never)]
    fn star(
        &mut self,
        entry: StateId,
        loop_state: StateId,
        body: &Node,
        decision: &Decision,
    ) -> Outcome {
        let mut alternative = attempt!(self.start(entry, decision, false));
        while alternative == 0 {
            attempt!(self.node(body));
            self.state = loop_state;
            self.sync_back();
            alternative = attempt!(self.decide(entry, decision, false));
        }
        Flow::Continue(Ok(()))
    }

    #[inline(never)]
    fn plus(
        &mut self,
        start: StateId,
        loop_state: StateId,
        body: &Node,
        decision: &Decision,
    ) -> Outcome {
        self.state = start;
        attempt!(self.sync_start());
        loop {
            attempt!(self.node(body));
            self.state = loop_state;
            self.sync_back();
            if attempt!(self.decide(loop_state, decision, false)) != 0 {
                return Flow::Continue(Ok(()));
            }
        }
    }

    /// Predicts the alternative at the start of a decision, and returns its index.
    #[inline(never)]
    fn start(&mut self, state: StateId, decision: &Decision, is_choice: bool) -> Outcome<usize> {
        self.state = state;
        attempt!(self.sync_start());
        self.decide(state, decision, is_choice)
    }

    /// Returns the state after the next rule or token.
    #[inline(never)]
    fn follow_state(&self, state: StateId) -> Option<StateId> {
        let mut transitions = self.grammar.transitions_of(state).iter();
        transitions.find_map(|transition| match transition {
            Transition::Rule(_, return_state) | Transition::Token(_, return_state) => {
                Some(*return_state)
            }
            _ => None,
        })
    }

    /// Predicts an alternative, and returns its index. Index 1 leaves an optional part or a loop.
    fn decide(&mut self, state: StateId, decision: &Decision, is_choice: bool) -> Outcome<usize> {
        match decision {
            Decision::OneToken(sets) if is_choice => {
                let next = self.next_kind();
                let alternative = sets.iter().position(|set| set.contains(next));
                Flow::Continue(alternative.ok_or_else(|| self.no_alternative(0)))
            }
            Decision::OneToken(sets) => {
                let enters = sets
                    .first()
                    .is_some_and(|set| set.contains(self.next_kind()));
                Flow::Continue(Ok(usize::from(!enters)))
            }
            Decision::FullLookahead => {
                let open: Vec<StateId> = self
                    .open
                    .iter()
                    .filter_map(|open| open.return_state)
                    .collect();
                let mut predictor = AdaptivePrediction {
                    grammar: self.grammar,
                    ahead: self.tokens.get(self.position..).unwrap_or_default(),
                    precedence: self.open.last().map_or(0, |open| open.precedence),
                    steps: &mut self.steps,
                };
                match predictor.predict(state, &open) {
                    Ok(alternative) => Flow::Continue(Ok(alternative)),
                    Err(PredictionError::NoViableAlternative(distance)) => {
                        Flow::Continue(Err(self.no_alternative(distance)))
                    }
                    Err(PredictionError::TooLong) => Flow::Break(()),
                }
            }
        }
    }

    fn no_alternative(&self, distance: usize) -> RecognitionError {
        let (first, last) = (self.token(0), self.token(distance));
        let message = match first.kind {
            Kind::End => "<EOF>".to_owned(),
            _ => self.source_between(first.start, last.end),
        };
        // As on a server, a reserved word after any single character has a message of its own.
        let mut after_first = message.chars();
        after_first.next();
        let message = match after_first.as_str() {
            word @ ("true" | "false" | "null") => {
                format!("mismatched input '{word}' expecting IDENTIFIER")
            }
            _ => format!("no viable alternative at input '{}'", escaped(&message)),
        };
        RecognitionError {
            position: last.start,
            message,
        }
    }

    /// Returns the source between two positions, without the bytes outside of tokens.
    fn source_between(&self, first: u32, end: u32) -> String {
        let part = |start: u32, end: u32| {
            let part = self.source.get(start as usize..end as usize);
            part.unwrap_or_default()
        };
        let mut message = String::new();
        let mut start = first;
        for (from, to) in self.invalid {
            if first <= *from && *to <= end {
                message.push_str(part(start, *from));
                start = *to;
            }
        }
        message.push_str(part(start, end));
        message
    }

    /// Returns the tokens that may follow a state, including the tokens after the rules that may
    /// end there.
    fn expected(&self, state: StateId) -> TokenSet {
        let (mut all, mut may_end) = self.grammar.next_tokens(state);
        for open in self.open.iter().rev() {
            if !may_end {
                return all;
            }
            let Some(return_state) = open.return_state else {
                break;
            };
            let (kinds, outer_ends) = self.grammar.next_tokens(return_state);
            all = all.union(kinds);
            may_end = outer_ends;
        }
        if may_end {
            all = all.union(TokenSet::from_kind(Kind::End));
        }
        all
    }

    fn mismatch(&self) -> RecognitionError {
        let expected = self.expected(self.state);
        RecognitionError {
            position: self.token(0).start,
            message: format!(
                "mismatched input {} expecting {expected}",
                self.next_token_text()
            ),
        }
    }

    /// Deletes a surplus token before a decision.
    fn sync_start(&mut self) -> Outcome {
        if self.is_recovering || self.can_continue() || self.delete_token() {
            return Flow::Continue(Ok(()));
        }
        Flow::Continue(Err(self.mismatch()))
    }

    /// After an iteration of a loop, deletes the tokens that neither continue the loop nor follow
    /// it.
    fn sync_back(&mut self) {
        if self.is_recovering || self.can_continue() {
            return;
        }
        self.report_unwanted();
        self.only_deleted = false;
        let until = self.expected(self.state).union(self.recovery_set());
        self.skip_to(until);
    }

    /// Returns true if the next token is allowed, or if the rule may end.
    fn can_continue(&self) -> bool {
        let (kinds, may_end) = self.grammar.next_tokens(self.state);
        may_end || kinds.contains(self.next_kind())
    }

    /// Deletes the next token if the token after it is allowed. Returns true if the token was
    /// deleted.
    fn delete_token(&mut self) -> bool {
        let is_allowed = self.expected(self.state).contains(self.token(1).kind);
        if is_allowed {
            self.report_unwanted();
            self.consume();
            self.end_recovery();
        }
        is_allowed
    }

    /// Recovers at a token that is not allowed: deletes the token, or assumes that a token is
    /// missing before it.
    fn recover_inline(&mut self) -> Outcome {
        self.count_recovery()?;
        if self.delete_token() {
            self.match_token();
            return Flow::Continue(Ok(()));
        }
        self.only_deleted = false;
        let return_state = self.follow_state(self.state);
        if return_state
            .is_some_and(|return_state| self.expected(return_state).contains(self.next_kind()))
        {
            let expected = self.expected(self.state);
            let message = format!("missing {expected} at {}", self.next_token_text());
            let position = self.token(0).start;
            self.report(&RecognitionError { position, message });
            return Flow::Continue(Ok(()));
        }
        Flow::Continue(Err(self.mismatch()))
    }

    fn report_unwanted(&mut self) {
        let expected = self.expected(self.state);
        let message = format!(
            "extraneous input {} expecting {expected}",
            self.next_token_text()
        );
        let position = self.token(0).start;
        self.report(&RecognitionError { position, message });
    }

    fn report(&mut self, error: &RecognitionError) {
        if !self.is_recovering {
            let message = format!("Syntax error: {}", error.message);
            self.errors.push(SourceError::new(error.position, message));
        }
        self.is_recovering = true;
    }

    /// Ends the recovery, because a token matched.
    fn end_recovery(&mut self) {
        self.is_recovering = false;
        self.last_error_index = None;
        self.last_error_states.clear();
    }

    /// Skips to a token with which an open rule can continue, after a rule has failed.
    fn recover(&mut self) -> Flow {
        self.only_deleted = false;
        self.count_recovery()?;
        if self.last_error_index == Some(self.position)
            && self.last_error_states.contains(&self.state)
        {
            // Otherwise, the rule would fail at the same token again.
            self.consume();
        }
        self.last_error_index = Some(self.position);
        self.last_error_states.push(self.state);
        let until = self.recovery_set();
        self.skip_to(until);
        Flow::Continue(())
    }

    /// Returns the tokens with which open rules can continue.
    fn recovery_set(&self) -> TokenSet {
        let return_state = self.open.iter().filter_map(|open| open.return_state);
        let tokens = return_state.map(|return_state| self.grammar.next_tokens(return_state).0);
        tokens.fold(TokenSet::empty(), TokenSet::union)
    }

    fn skip_to(&mut self, until: TokenSet) {
        while self.next_kind() != Kind::End && !until.contains(self.next_kind()) {
            self.position += 1;
        }
    }

    fn count_recovery(&mut self) -> Flow {
        if self.recoveries == MAX_RECOVERIES {
            let message =
                format!("Syntax error: error recovery attempt limit exceeded: {MAX_RECOVERIES}");
            self.errors
                .push(SourceError::new(self.token(0).start, message));
            return Flow::Break(());
        }
        self.recoveries += 1;
        Flow::Continue(())
    }
}

/// Escapes line breaks and tabs, for messages.
fn escaped(message: &str) -> String {
    message
        .replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('\t', "\\t")
}
