//! Diagnoses syntax errors, with the error recovery of the server's parser.

use core::ops::ControlFlow;

use super::adaptive_prediction::{AdaptivePrediction, PredictionError};
use super::transition_network::{Decision, Grammar, Node, Rule, StateId, Transition};
use crate::syntax::SourceError;
use crate::syntax::lexer::Tokens;
use crate::syntax::token::{Token, TokenKind, TokenSet};
use crate::types::feature::{Feature, RuleVersions};

/// The maximum number of steps of all predictions together, so that hostile expressions end soon.
const MAX_STEPS: usize = 2_000_000;

/// The maximum number of open rules. The parser is recursive.
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
pub(in crate::syntax) fn diagnose(
    source: &str,
    tokens: &Tokens,
    version: RuleVersions,
) -> Diagnosis {
    let mut parser = RecoveringParser {
        grammar: Grammar::get(),
        version,
        source,
        tokens: &tokens.tokens,
        invalid_ranges: &tokens.invalid_ranges,
        position: 0,
        state: 0,
        open_rules: Vec::new(),
        is_recovering: false,
        last_error_index: None,
        last_error_states: Vec::new(),
        recoveries: 0,
        remaining_steps: MAX_STEPS,
        errors: Vec::new(),
        tree_errors: Vec::new(),
        matched: Vec::new(),
        only_deleted_tokens: true,
    };
    // If the diagnosis ends early, the errors found so far are reported.
    let is_complete = parser.parse_rule(Rule::Start, None, 0).is_continue();
    let mut errors = parser.errors;
    errors.append(&mut parser.tree_errors);
    Diagnosis {
        errors,
        matched: parser.matched,
        only_deleted: is_complete && parser.only_deleted_tokens,
    }
}

/// The control flow of the diagnosis, which continues or ends.
type Flow<T = ()> = ControlFlow<(), T>;

/// An error that ends a rule early.
struct RecognitionError {
    position: u32,
    message: String,
}

/// The outcome of a parser function.
type Outcome<T = ()> = Flow<Result<T, RecognitionError>>;

/// The kind of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DecisionKind {
    /// A choice between alternatives.
    Choice,
    /// A decision at an optional part or a loop: alternative 0 parses the part or another
    /// iteration, alternative 1 continues after it.
    Optional,
}

/// A rule whose parsing has begun.
struct OpenRule {
    rule: Rule,
    /// The state after the rule; `None` for the outermost rule.
    return_state: Option<StateId>,
    precedence: u8,
}

/// A parser that recovers from syntax errors like the server's parser.
struct RecoveringParser<'t> {
    grammar: &'static Grammar,
    version: RuleVersions,
    source: &'t str,
    tokens: &'t [Token],
    /// The byte ranges that are not part of a token, which messages omit.
    invalid_ranges: &'t [(u32, u32)],
    /// The index of the next token.
    position: usize,
    state: StateId,
    open_rules: Vec<OpenRule>,
    /// True until a token matches again. Meanwhile, errors are not reported.
    is_recovering: bool,
    /// The token at which a rule failed last during recovery, and the states of the rules that
    /// failed there.
    last_error_index: Option<usize>,
    last_error_states: Vec<StateId>,
    recoveries: u32,
    remaining_steps: usize,
    errors: Vec<SourceError>,
    /// The errors of the syntax tree that the server creates in spite of the syntax errors.
    tree_errors: Vec<SourceError>,
    /// The indices of the matched tokens.
    matched: Vec<usize>,
    /// True if recovery has only deleted tokens so far.
    only_deleted_tokens: bool,
}

/// Unwraps the outcome of a step, or returns from the function with the step's error.
macro_rules! attempt {
    ($outcome:expr) => {
        match $outcome? {
            Ok(value) => value,
            Err(error) => return Flow::Continue(Err(error)),
        }
    };
}

impl RecoveringParser<'_> {
    /// Returns a token ahead: 0 is the next token.
    fn token(&self, distance: usize) -> Token {
        let token = self.tokens.get(self.position.saturating_add(distance));
        token.or(self.tokens.last()).copied().unwrap_or(Token {
            kind: TokenKind::End,
            start: 0,
            end: 0,
        })
    }

    fn next_kind(&self) -> TokenKind {
        self.token(0).kind
    }

    fn consume(&mut self) {
        if self.next_kind() != TokenKind::End {
            self.position += 1;
        }
    }

    /// Consumes a token that matches.
    fn match_token(&mut self) {
        self.matched.push(self.position);
        self.consume();
    }

    /// Returns the next token in quotes, for messages.
    fn quoted_next_token(&self) -> String {
        match self.token(0) {
            token if token.kind == TokenKind::End => "'<EOF>'".to_owned(),
            token => format!("'{}'", escape_whitespace(token.lexeme(self.source))),
        }
    }

    /// Parses a rule, and continues after the rule even if it fails.
    fn parse_rule(&mut self, rule: Rule, return_state: Option<StateId>, precedence: u8) -> Flow {
        if self.open_rules.len() > MAX_OPEN_RULES {
            return Flow::Break(());
        }
        let first = self.token(0);
        self.open_rules.push(OpenRule {
            rule,
            return_state,
            precedence,
        });
        let state = self.state;
        if let Some(body) = self.grammar.body(rule) {
            let outcome = self.parse_node(body)?;
            self.finish_rule(outcome, first)?;
        }
        self.state = state;
        self.open_rules.pop();
        Flow::Continue(())
    }

    /// Ends a rule, and reports the error that ended it early. For an invalid field name, also adds
    /// the error that the server reports for its syntax tree.
    #[inline(never)]
    fn finish_rule(&mut self, outcome: Result<(), RecognitionError>, first: Token) -> Flow {
        let is_field = matches!(self.open_rules.as_slice(), [.., outer, inner]
            if outer.rule == Rule::Member && inner.rule == Rule::EscapeIdent);
        let message = match outcome {
            Err(error) => {
                self.report(&error);
                self.recover()?;
                "unsupported ident kind"
            }
            Ok(())
                if first.kind == TokenKind::EscapedIdent
                    && !self.version.has(Feature::QuotedFieldNames) =>
            {
                "unsupported syntax: '`'"
            }
            Ok(()) => return Flow::Continue(()),
        };
        if is_field {
            self.tree_errors
                .push(SourceError::new(first.start, message));
        }
        Flow::Continue(())
    }

    /// Parses the tokens of a node.
    // Nodes are parsed recursively. Each function is small, because it may be on the stack many
    // times.
    fn parse_node(&mut self, node: &Node) -> Outcome {
        match node {
            Node::Precedence => Flow::Continue(Ok(())),
            Node::Token(state, kinds) => self.read_token(*state, *kinds),
            Node::Rule(state, rule, precedence) => {
                self.state = *state;
                let return_state = self.follow_state(*state);
                self.parse_rule(*rule, return_state, *precedence)?;
                Flow::Continue(Ok(()))
            }
            Node::Sequence(parts) => {
                for body in parts {
                    attempt!(self.parse_node(body));
                }
                Flow::Continue(Ok(()))
            }
            Node::Choice(state, parts, decision) => {
                let alternative =
                    attempt!(self.sync_and_decide(*state, decision, DecisionKind::Choice));
                match parts.get(alternative) {
                    Some(body) => self.parse_node(body),
                    None => Flow::Continue(Ok(())),
                }
            }
            Node::Optional(state, body, decision) => {
                if attempt!(self.sync_and_decide(*state, decision, DecisionKind::Optional)) == 0 {
                    return self.parse_node(body);
                }
                Flow::Continue(Ok(()))
            }
            Node::Star(entry, loop_state, body, decision) => {
                self.parse_star(*entry, *loop_state, body, decision)
            }
            Node::Plus(start, loop_state, body, decision) => {
                self.parse_plus(*start, *loop_state, body, decision)
            }
        }
    }

    /// Matches a token of one of the kinds, or recovers.
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

    /// Parses a loop.
    #[inline(never)]
    fn parse_star(
        &mut self,
        entry: StateId,
        loop_state: StateId,
        body: &Node,
        decision: &Decision,
    ) -> Outcome {
        let mut alternative =
            attempt!(self.sync_and_decide(entry, decision, DecisionKind::Optional));
        while alternative == 0 {
            attempt!(self.parse_node(body));
            self.state = loop_state;
            self.sync_loop_end();
            alternative = attempt!(self.decide(entry, decision, DecisionKind::Optional));
        }
        Flow::Continue(Ok(()))
    }

    /// Parses a loop with at least one iteration.
    #[inline(never)]
    fn parse_plus(
        &mut self,
        start: StateId,
        loop_state: StateId,
        body: &Node,
        decision: &Decision,
    ) -> Outcome {
        self.state = start;
        attempt!(self.sync_start());
        loop {
            attempt!(self.parse_node(body));
            self.state = loop_state;
            self.sync_loop_end();
            if attempt!(self.decide(loop_state, decision, DecisionKind::Optional)) != 0 {
                return Flow::Continue(Ok(()));
            }
        }
    }

    /// Deletes a surplus token before a decision, and predicts the alternative; see
    /// [`decide`](Self::decide).
    #[inline(never)]
    fn sync_and_decide(
        &mut self,
        state: StateId,
        decision: &Decision,
        kind: DecisionKind,
    ) -> Outcome<usize> {
        self.state = state;
        attempt!(self.sync_start());
        self.decide(state, decision, kind)
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

    /// Predicts an alternative, and returns its index.
    fn decide(
        &mut self,
        state: StateId,
        decision: &Decision,
        kind: DecisionKind,
    ) -> Outcome<usize> {
        match decision {
            Decision::OneToken(sets) if kind == DecisionKind::Choice => {
                let next = self.next_kind();
                let alternative = sets.iter().position(|set| set.contains(next));
                Flow::Continue(alternative.ok_or_else(|| self.no_viable_alternative(0)))
            }
            Decision::OneToken(sets) => {
                let enters = sets
                    .first()
                    .is_some_and(|set| set.contains(self.next_kind()));
                Flow::Continue(Ok(usize::from(!enters)))
            }
            Decision::FullLookahead => {
                let return_states: Vec<StateId> = self
                    .open_rules
                    .iter()
                    .filter_map(|open| open.return_state)
                    .collect();
                let mut prediction = AdaptivePrediction {
                    grammar: self.grammar,
                    lookahead: self.tokens.get(self.position..).unwrap_or_default(),
                    precedence: self.open_rules.last().map_or(0, |open| open.precedence),
                    remaining_steps: &mut self.remaining_steps,
                };
                match prediction.predict(state, &return_states) {
                    Ok(alternative) => Flow::Continue(Ok(alternative)),
                    Err(PredictionError::NoViableAlternative(distance)) => {
                        Flow::Continue(Err(self.no_viable_alternative(distance)))
                    }
                    Err(PredictionError::LimitExceeded) => Flow::Break(()),
                }
            }
        }
    }

    /// Returns the error for a decision whose alternatives all fail at the token at this distance.
    fn no_viable_alternative(&self, distance: usize) -> RecognitionError {
        let (first, last) = (self.token(0), self.token(distance));
        let message = match first.kind {
            TokenKind::End => "<EOF>".to_owned(),
            _ => self.source_between(first.start, last.end),
        };
        // As on a server, a reserved word after any single character has a message of its own.
        let mut after_first = message.chars();
        after_first.next();
        let message = match after_first.as_str() {
            word @ ("true" | "false" | "null") => {
                format!("mismatched input '{word}' expecting IDENTIFIER")
            }
            _ => format!(
                "no viable alternative at input '{}'",
                escape_whitespace(&message)
            ),
        };
        RecognitionError {
            position: last.start,
            message,
        }
    }

    /// Returns the source between two positions, without the invalid ranges.
    fn source_between(&self, first: u32, end: u32) -> String {
        let range = |start: u32, end: u32| {
            let range = self.source.get(start as usize..end as usize);
            range.unwrap_or_default()
        };
        let mut message = String::new();
        let mut start = first;
        for (from, to) in self.invalid_ranges {
            if first <= *from && *to <= end {
                message.push_str(range(start, *from));
                start = *to;
            }
        }
        message.push_str(range(start, end));
        message
    }

    /// Returns the tokens that may follow a state, including the tokens after the rules that may
    /// end there.
    fn expected_tokens(&self, state: StateId) -> TokenSet {
        let (mut tokens, mut may_end) = self.grammar.next_tokens(state);
        for open in self.open_rules.iter().rev() {
            if !may_end {
                return tokens;
            }
            let Some(return_state) = open.return_state else {
                break;
            };
            let (kinds, outer_ends) = self.grammar.next_tokens(return_state);
            tokens = tokens.union(kinds);
            may_end = outer_ends;
        }
        if may_end {
            tokens = tokens.union(TokenSet::from_kind(TokenKind::End));
        }
        tokens
    }

    fn mismatch_error(&self) -> RecognitionError {
        let expected_tokens = self.expected_tokens(self.state);
        RecognitionError {
            position: self.token(0).start,
            message: format!(
                "mismatched input {} expecting {expected_tokens}",
                self.quoted_next_token()
            ),
        }
    }

    /// Deletes a surplus token before a decision.
    fn sync_start(&mut self) -> Outcome {
        if self.is_recovering || self.can_continue() || self.delete_token() {
            return Flow::Continue(Ok(()));
        }
        Flow::Continue(Err(self.mismatch_error()))
    }

    /// After an iteration of a loop, deletes the tokens that neither continue the loop nor follow
    /// it.
    fn sync_loop_end(&mut self) {
        if self.is_recovering || self.can_continue() {
            return;
        }
        self.report_unwanted();
        self.only_deleted_tokens = false;
        let stop_tokens = self.expected_tokens(self.state).union(self.recovery_set());
        self.skip_to(stop_tokens);
    }

    /// Returns true if the next token is allowed, or if the rule may end.
    fn can_continue(&self) -> bool {
        let (kinds, may_end) = self.grammar.next_tokens(self.state);
        may_end || kinds.contains(self.next_kind())
    }

    /// Deletes the next token if the token after it is allowed. Returns true if the token was
    /// deleted.
    fn delete_token(&mut self) -> bool {
        let is_allowed = self
            .expected_tokens(self.state)
            .contains(self.token(1).kind);
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
        self.only_deleted_tokens = false;
        let return_state = self.follow_state(self.state);
        if return_state.is_some_and(|return_state| {
            self.expected_tokens(return_state)
                .contains(self.next_kind())
        }) {
            let expected_tokens = self.expected_tokens(self.state);
            let message = format!("missing {expected_tokens} at {}", self.quoted_next_token());
            let position = self.token(0).start;
            self.report(&RecognitionError { position, message });
            return Flow::Continue(Ok(()));
        }
        Flow::Continue(Err(self.mismatch_error()))
    }

    fn report_unwanted(&mut self) {
        let expected_tokens = self.expected_tokens(self.state);
        let message = format!(
            "extraneous input {} expecting {expected_tokens}",
            self.quoted_next_token()
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
        self.only_deleted_tokens = false;
        self.count_recovery()?;
        if self.last_error_index == Some(self.position)
            && self.last_error_states.contains(&self.state)
        {
            // Without progress, the rule would fail at the same token again.
            self.consume();
        }
        self.last_error_index = Some(self.position);
        self.last_error_states.push(self.state);
        let stop_tokens = self.recovery_set();
        self.skip_to(stop_tokens);
        Flow::Continue(())
    }

    /// Returns the tokens with which open rules can continue.
    fn recovery_set(&self) -> TokenSet {
        let return_state = self.open_rules.iter().filter_map(|open| open.return_state);
        let tokens = return_state.map(|return_state| self.grammar.next_tokens(return_state).0);
        tokens.fold(TokenSet::empty(), TokenSet::union)
    }

    /// Deletes tokens up to the first token of the set.
    fn skip_to(&mut self, stop_tokens: TokenSet) {
        while self.next_kind() != TokenKind::End && !stop_tokens.contains(self.next_kind()) {
            self.position += 1;
        }
    }

    /// Ends the diagnosis if there are too many recoveries.
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
fn escape_whitespace(message: &str) -> String {
    message
        .replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('\t', "\\t")
}
