//! The diagnosis of tokens that are not an expression, with the recovery of the server's parser.

use core::ops::ControlFlow;

use super::adaptive_prediction::{AdaptivePrediction, PredictionError};
use super::transition_network::{Decision, Grammar, Node, Rule, StateId, Transition};
use crate::syntax::SourceError;
use crate::syntax::lexer::Tokens;
use crate::syntax::token::{Kind, Token, TokenSet};

/// The maximum number of steps of all decisions together.
const MAX_STEPS: usize = 2_000_000;

/// The maximum number of open rules.
const MAX_OPEN_RULES: usize = 400;

/// The number of times that the server recovers from an error.
const MAX_RECOVERIES: u32 = 30;

/// The syntax errors of tokens.
pub(in crate::syntax) struct Diagnosis {
    /// The errors, in the order in which they are found; empty if the search takes too long.
    pub(in crate::syntax) problems: Vec<SourceError>,
    /// The numbers of the tokens that the server reads.
    pub(in crate::syntax) read: Vec<usize>,
    /// True if the tokens that were read are an expression: only surplus tokens were wrong.
    pub(in crate::syntax) is_mended: bool,
}

/// Finds the syntax errors.
pub(in crate::syntax) fn diagnose(source: &str, tokens: &Tokens) -> Diagnosis {
    let mut reader = RecoveringParser {
        grammar: Grammar::get(),
        source,
        tokens: &tokens.tokens,
        bad: &tokens.invalid,
        at: 0,
        state: 0,
        open: Vec::new(),
        is_recovering: false,
        last_error_index: None,
        last_error_states: Vec::new(),
        recoveries: 0,
        steps: MAX_STEPS,
        problems: Vec::new(),
        problems_of_tree: Vec::new(),
        read: Vec::new(),
        is_mended: true,
    };
    // If the search ends early, the errors up to the end are reported.
    let is_read = reader.enter(Rule::Start, None, 0).is_continue();
    let mut problems = reader.problems;
    problems.append(&mut reader.problems_of_tree);
    Diagnosis {
        problems,
        read: reader.read,
        is_mended: is_read && reader.is_mended,
    }
}

/// The result of a step, which continues or ends the diagnosis.
type Flow<T = ()> = ControlFlow<(), T>;

/// An error that keeps a rule from its end: a message and its position.
struct RecognitionError {
    at: u32,
    text: String,
}

type Outcome<T = ()> = Flow<Result<T, RecognitionError>>;

struct OpenRule {
    rule: Rule,
    /// The state behind the rule, if there is one.
    return_state: Option<StateId>,
    precedence: u8,
}

struct RecoveringParser<'t> {
    grammar: &'static Grammar,
    source: &'t str,
    tokens: &'t [Token],
    /// Bytes outside of tokens, which messages do not show.
    bad: &'t [(u32, u32)],
    at: usize,
    state: StateId,
    open: Vec<OpenRule>,
    /// True during recovery: until a token fits, there are no other messages.
    is_recovering: bool,
    /// The token at which a rule failed last during recovery, and the states of such rules.
    last_error_index: Option<usize>,
    last_error_states: Vec<StateId>,
    recoveries: u32,
    steps: usize,
    pub(in crate::syntax) problems: Vec<SourceError>,
    /// The problems of the tree that the server creates nevertheless.
    problems_of_tree: Vec<SourceError>,
    /// The numbers of the tokens that fit.
    pub(in crate::syntax) read: Vec<usize>,
    /// True if recovery only left tokens out.
    pub(in crate::syntax) is_mended: bool,
}

/// Runs a step that may fail, and returns the error that keeps the rule from its end.
macro_rules! attempt {
    ($outcome:expr) => {
        match $outcome? {
            Ok(value) => value,
            Err(mistake) => return Flow::Continue(Err(mistake)),
        }
    };
}

impl RecoveringParser<'_> {
    fn token(&self, ahead: usize) -> Token {
        let token = self.tokens.get(self.at.saturating_add(ahead));
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
            self.at += 1;
        }
    }

    /// Takes a token that fits.
    fn match_token(&mut self) {
        self.read.push(self.at);
        self.consume();
    }

    /// Returns the next token for messages.
    fn next_token_text(&self) -> String {
        match self.token(0) {
            token if token.kind == Kind::End => "'<EOF>'".to_owned(),
            token => format!("'{}'", escaped(token.lexeme(self.source))),
        }
    }

    /// Reads a rule, and continues behind the rule even if it fails.
    fn enter(&mut self, rule: Rule, behind: Option<StateId>, precedence: u8) -> Flow {
        if self.open.len() > MAX_OPEN_RULES {
            return Flow::Break(());
        }
        let first = self.token(0);
        self.open.push(OpenRule {
            rule,
            return_state: behind,
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

    /// Ends a rule: reports the error that kept the rule from its end, and the problems of its part
    /// of the tree.
    #[inline(never)]
    fn leave(&mut self, outcome: Result<(), RecognitionError>, first: Token) -> Flow {
        let is_field = matches!(self.open.as_slice(), [.., of, own]
            if of.rule == Rule::Member && own.rule == Rule::EscapeIdent);
        let text = match outcome {
            Err(mistake) => {
                self.report(&mistake);
                self.recover()?;
                "unsupported ident kind"
            }
            Ok(()) if first.kind == Kind::Quoted => "unsupported syntax: '`'",
            Ok(()) => return Flow::Continue(()),
        };
        if is_field {
            self.problems_of_tree
                .push(SourceError::new(first.start, text));
        }
        Flow::Continue(())
    }

    // Parts are read one within the other: each function is small, as it may be on the stack many
    // times.
    fn node(&mut self, node: &Node) -> Outcome {
        match node {
            Node::Precedence => Flow::Continue(Ok(())),
            Node::Token(state, kinds) => self.read_token(*state, *kinds),
            Node::Rule(state, rule, precedence) => {
                self.state = *state;
                let behind = self.follow_state(*state);
                self.enter(*rule, behind, *precedence)?;
                Flow::Continue(Ok(()))
            }
            Node::Sequence(parts) => {
                for part in parts {
                    attempt!(self.node(part));
                }
                Flow::Continue(Ok(()))
            }
            Node::Choice(state, parts, decision) => {
                let found = attempt!(self.start(*state, decision, true));
                match parts.get(found) {
                    Some(part) => self.node(part),
                    None => Flow::Continue(Ok(())),
                }
            }
            Node::Optional(state, part, decision) => {
                if attempt!(self.start(*state, decision, false)) == 0 {
                    return self.node(part);
                }
                Flow::Continue(Ok(()))
            }
            Node::Star(entry, back, part, decision) => self.star(*entry, *back, part, decision),
            Node::Plus(start, back, part, decision) => self.plus(*start, *back, part, decision),
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
    fn star(&mut self, entry: StateId, back: StateId, part: &Node, decision: &Decision) -> Outcome {
        let mut found = attempt!(self.start(entry, decision, false));
        while found == 0 {
            attempt!(self.node(part));
            self.state = back;
            self.sync_back();
            found = attempt!(self.decide(entry, decision, false));
        }
        Flow::Continue(Ok(()))
    }

    #[inline(never)]
    fn plus(&mut self, start: StateId, back: StateId, part: &Node, decision: &Decision) -> Outcome {
        self.state = start;
        attempt!(self.sync_start());
        loop {
            attempt!(self.node(part));
            self.state = back;
            self.sync_back();
            if attempt!(self.decide(back, decision, false)) != 0 {
                return Flow::Continue(Ok(()));
            }
        }
    }

    /// Returns the number of the alternative at the start of a decision.
    #[inline(never)]
    fn start(&mut self, state: StateId, decision: &Decision, is_choice: bool) -> Outcome<usize> {
        self.state = state;
        attempt!(self.sync_start());
        self.decide(state, decision, is_choice)
    }

    /// Returns the state behind the next rule or token.
    #[inline(never)]
    fn follow_state(&self, state: StateId) -> Option<StateId> {
        let mut edges = self.grammar.transitions_of(state).iter();
        edges.find_map(|edge| match edge {
            Transition::Rule(_, behind) | Transition::Token(_, behind) => Some(*behind),
            _ => None,
        })
    }

    /// Returns the number of the alternative. For an option or a loop, 1 leaves it.
    fn decide(&mut self, state: StateId, decision: &Decision, is_choice: bool) -> Outcome<usize> {
        match decision {
            Decision::OneToken(sets) if is_choice => {
                let next = self.next_kind();
                let found = sets.iter().position(|set| set.contains(next));
                Flow::Continue(found.ok_or_else(|| self.no_alternative(0)))
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
                    ahead: self.tokens.get(self.at..).unwrap_or_default(),
                    precedence: self.open.last().map_or(0, |open| open.precedence),
                    steps: &mut self.steps,
                };
                match predictor.predict(state, &open) {
                    Ok(found) => Flow::Continue(Ok(found)),
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
        let text = match first.kind {
            Kind::End => "<EOF>".to_owned(),
            _ => self.between(first.start, last.end),
        };
        // The server reports reserved words otherwise, after any single character.
        let mut after = text.chars();
        after.next();
        let text = match after.as_str() {
            word @ ("true" | "false" | "null") => {
                format!("mismatched input '{word}' expecting IDENTIFIER")
            }
            _ => format!("no viable alternative at input '{}'", escaped(&text)),
        };
        RecognitionError {
            at: last.start,
            text,
        }
    }

    /// Returns the source between two positions, without bytes outside of tokens.
    fn between(&self, first: u32, end: u32) -> String {
        let part = |start: u32, end: u32| {
            let part = self.source.get(start as usize..end as usize);
            part.unwrap_or_default()
        };
        let mut text = String::new();
        let mut start = first;
        for (from, to) in self.bad {
            if first <= *from && *to <= end {
                text.push_str(part(start, *from));
                start = *to;
            }
        }
        text.push_str(part(start, end));
        text
    }

    /// Returns the tokens that may follow here, and behind the rules that end here.
    fn expected(&self, state: StateId) -> TokenSet {
        let (mut all, mut ends) = self.grammar.next_tokens(state);
        for open in self.open.iter().rev() {
            if !ends {
                return all;
            }
            let Some(behind) = open.return_state else {
                break;
            };
            let (kinds, ends_too) = self.grammar.next_tokens(behind);
            all = all.union(kinds);
            ends = ends_too;
        }
        if ends {
            all = all.union(TokenSet::from_kind(Kind::End));
        }
        all
    }

    fn mismatch(&self) -> RecognitionError {
        let expected = self.expected(self.state);
        RecognitionError {
            at: self.token(0).start,
            text: format!(
                "mismatched input {} expecting {expected}",
                self.next_token_text()
            ),
        }
    }

    /// Leaves a surplus token out before a decision.
    fn sync_start(&mut self) -> Outcome {
        if self.is_recovering || self.can_continue() || self.delete_token() {
            return Flow::Continue(Ok(()));
        }
        Flow::Continue(Err(self.mismatch()))
    }

    /// Leaves tokens out that neither continue a loop nor follow it, after a round of the loop.
    fn sync_back(&mut self) {
        if self.is_recovering || self.can_continue() {
            return;
        }
        self.report_unwanted();
        self.is_mended = false;
        let until = self.expected(self.state).union(self.recovery_set());
        self.skip_to(until);
    }

    /// Returns true if the next token fits, or the rule may end.
    fn can_continue(&self) -> bool {
        let (kinds, ends) = self.grammar.next_tokens(self.state);
        ends || kinds.contains(self.next_kind())
    }

    /// Leaves the next token out, if the token behind it fits.
    fn delete_token(&mut self) -> bool {
        let fits = self.expected(self.state).contains(self.token(1).kind);
        if fits {
            self.report_unwanted();
            self.consume();
            self.end_recovery();
        }
        fits
    }

    /// Recovers at a token that does not fit: leaves the token out, or inserts another before it.
    fn recover_inline(&mut self) -> Outcome {
        self.count_recovery()?;
        if self.delete_token() {
            self.match_token();
            return Flow::Continue(Ok(()));
        }
        self.is_mended = false;
        let behind = self.follow_state(self.state);
        if behind.is_some_and(|behind| self.expected(behind).contains(self.next_kind())) {
            let expected = self.expected(self.state);
            let text = format!("missing {expected} at {}", self.next_token_text());
            let at = self.token(0).start;
            self.report(&RecognitionError { at, text });
            return Flow::Continue(Ok(()));
        }
        Flow::Continue(Err(self.mismatch()))
    }

    fn report_unwanted(&mut self) {
        let expected = self.expected(self.state);
        let text = format!(
            "extraneous input {} expecting {expected}",
            self.next_token_text()
        );
        let at = self.token(0).start;
        self.report(&RecognitionError { at, text });
    }

    fn report(&mut self, mistake: &RecognitionError) {
        if !self.is_recovering {
            let text = format!("Syntax error: {}", mistake.text);
            self.problems.push(SourceError::new(mistake.at, text));
        }
        self.is_recovering = true;
    }

    /// Ends recovery, as a token fits.
    fn end_recovery(&mut self) {
        self.is_recovering = false;
        self.last_error_index = None;
        self.last_error_states.clear();
    }

    /// Skips to a token with which an open rule continues, at the end of a rule that failed.
    fn recover(&mut self) -> Flow {
        self.is_mended = false;
        self.count_recovery()?;
        if self.last_error_index == Some(self.at) && self.last_error_states.contains(&self.state) {
            // Without this, the rule would fail at the same token forever.
            self.consume();
        }
        self.last_error_index = Some(self.at);
        self.last_error_states.push(self.state);
        let until = self.recovery_set();
        self.skip_to(until);
        Flow::Continue(())
    }

    /// Returns the tokens with which open rules continue.
    fn recovery_set(&self) -> TokenSet {
        let behind = self.open.iter().filter_map(|open| open.return_state);
        let tokens = behind.map(|behind| self.grammar.next_tokens(behind).0);
        tokens.fold(TokenSet::empty(), TokenSet::union)
    }

    fn skip_to(&mut self, until: TokenSet) {
        while self.next_kind() != Kind::End && !until.contains(self.next_kind()) {
            self.at += 1;
        }
    }

    fn count_recovery(&mut self) -> Flow {
        if self.recoveries == MAX_RECOVERIES {
            let text =
                format!("Syntax error: error recovery attempt limit exceeded: {MAX_RECOVERIES}");
            self.problems
                .push(SourceError::new(self.token(0).start, text));
            return Flow::Break(());
        }
        self.recoveries += 1;
        Flow::Continue(())
    }
}

/// Returns a string without line breaks, for messages.
fn escaped(text: &str) -> String {
    text.replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('\t', "\\t")
}
