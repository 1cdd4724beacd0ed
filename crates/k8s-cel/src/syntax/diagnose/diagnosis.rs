//! The diagnosis of tokens that are not an expression, with the recovery of the server's parser.

use core::ops::ControlFlow;

use super::graph::{Decision, Edge, Grammar, Node, Rule, StateId};
use super::predict::{Failed, Predictor};
use crate::syntax::Problem;
use crate::syntax::lexer::Tokens;
use crate::syntax::token::{Kind, Kinds, Token};

/// The maximum number of steps of all decisions together.
const STEPS: usize = 2_000_000;

/// The maximum number of open rules.
const DEEPEST: usize = 400;

/// The number of times that the server recovers from an error.
const MENDED: u32 = 30;

/// The syntax errors of tokens.
pub(in crate::syntax) struct Diagnosis {
    /// The errors, in the order in which they are found; empty if the search takes too long.
    pub(in crate::syntax) problems: Vec<Problem>,
    /// The numbers of the tokens that the server reads.
    pub(in crate::syntax) read: Vec<usize>,
    /// True if the tokens that were read are an expression: only surplus tokens were wrong.
    pub(in crate::syntax) is_mended: bool,
}

/// Finds the syntax errors.
pub(in crate::syntax) fn diagnose(source: &str, tokens: &Tokens) -> Diagnosis {
    let mut reader = Reader {
        grammar: Grammar::get(),
        source,
        tokens: &tokens.tokens,
        bad: &tokens.bad,
        at: 0,
        state: 0,
        open: Vec::new(),
        mending: false,
        failed_at: None,
        failed: Vec::new(),
        mended: 0,
        steps: STEPS,
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
struct Mistake {
    at: u32,
    text: String,
}

type Outcome<T = ()> = Flow<Result<T, Mistake>>;

struct Open {
    rule: Rule,
    /// The state behind the rule, if there is one.
    behind: Option<StateId>,
    precedence: u8,
}

struct Reader<'t> {
    grammar: &'static Grammar,
    source: &'t str,
    tokens: &'t [Token],
    /// Bytes outside of tokens, which messages do not show.
    bad: &'t [(u32, u32)],
    at: usize,
    state: StateId,
    open: Vec<Open>,
    /// True during recovery: until a token fits, there are no other messages.
    mending: bool,
    /// The token at which a rule failed last during recovery, and the states of such rules.
    failed_at: Option<usize>,
    failed: Vec<StateId>,
    mended: u32,
    steps: usize,
    pub(in crate::syntax) problems: Vec<Problem>,
    /// The problems of the tree that the server creates nevertheless.
    problems_of_tree: Vec<Problem>,
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

impl Reader<'_> {
    fn token(&self, ahead: usize) -> Token {
        let token = self.tokens.get(self.at.saturating_add(ahead));
        token.or(self.tokens.last()).copied().unwrap_or(Token {
            kind: Kind::End,
            start: 0,
            end: 0,
        })
    }

    fn next(&self) -> Kind {
        self.token(0).kind
    }

    fn take(&mut self) {
        if self.next() != Kind::End {
            self.at += 1;
        }
    }

    /// Takes a token that fits.
    fn read(&mut self) {
        self.read.push(self.at);
        self.take();
    }

    /// Returns the next token for messages.
    fn shown(&self) -> String {
        match self.token(0) {
            token if token.kind == Kind::End => "'<EOF>'".to_owned(),
            token => format!("'{}'", escaped(token.text(self.source))),
        }
    }

    /// Reads a rule, and continues behind the rule even if it fails.
    fn enter(&mut self, rule: Rule, behind: Option<StateId>, precedence: u8) -> Flow {
        if self.open.len() > DEEPEST {
            return Flow::Break(());
        }
        let first = self.token(0);
        self.open.push(Open {
            rule,
            behind,
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
    fn leave(&mut self, outcome: Result<(), Mistake>, first: Token) -> Flow {
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
            self.problems_of_tree.push(Problem::new(first.start, text));
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
                let behind = self.behind(*state);
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
    fn read_token(&mut self, state: StateId, kinds: Kinds) -> Outcome {
        self.state = state;
        if kinds.has(self.next()) {
            self.fits();
            self.read();
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
    fn behind(&self, state: StateId) -> Option<StateId> {
        let mut edges = self.grammar.edges(state).iter();
        edges.find_map(|edge| match edge {
            Edge::Rule(_, behind) | Edge::Token(_, behind) => Some(*behind),
            _ => None,
        })
    }

    /// Returns the number of the alternative. For an option or a loop, 1 leaves it.
    fn decide(&mut self, state: StateId, decision: &Decision, is_choice: bool) -> Outcome<usize> {
        match decision {
            Decision::Token(sets) if is_choice => {
                let next = self.next();
                let found = sets.iter().position(|set| set.has(next));
                Flow::Continue(found.ok_or_else(|| self.no_alternative(0)))
            }
            Decision::Token(sets) => {
                let enters = sets.first().is_some_and(|set| set.has(self.next()));
                Flow::Continue(Ok(usize::from(!enters)))
            }
            Decision::Ahead => {
                let open: Vec<StateId> = self.open.iter().filter_map(|open| open.behind).collect();
                let mut predictor = Predictor {
                    grammar: self.grammar,
                    ahead: self.tokens.get(self.at..).unwrap_or_default(),
                    precedence: self.open.last().map_or(0, |open| open.precedence),
                    steps: &mut self.steps,
                };
                match predictor.predict(state, &open) {
                    Ok(found) => Flow::Continue(Ok(found)),
                    Err(Failed::At(distance)) => Flow::Continue(Err(self.no_alternative(distance))),
                    Err(Failed::TooLong) => Flow::Break(()),
                }
            }
        }
    }

    fn no_alternative(&self, distance: usize) -> Mistake {
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
        Mistake {
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
    fn expected(&self, state: StateId) -> Kinds {
        let (mut all, mut ends) = self.grammar.next(state);
        for open in self.open.iter().rev() {
            if !ends {
                return all;
            }
            let Some(behind) = open.behind else { break };
            let (kinds, ends_too) = self.grammar.next(behind);
            all = all.with(kinds);
            ends = ends_too;
        }
        if ends {
            all = all.with(Kinds::of(Kind::End));
        }
        all
    }

    fn mismatch(&self) -> Mistake {
        let expected = self.expected(self.state);
        Mistake {
            at: self.token(0).start,
            text: format!("mismatched input {} expecting {expected}", self.shown()),
        }
    }

    /// Leaves a surplus token out before a decision.
    fn sync_start(&mut self) -> Outcome {
        if self.mending || self.goes_on() || self.leave_out() {
            return Flow::Continue(Ok(()));
        }
        Flow::Continue(Err(self.mismatch()))
    }

    /// Leaves tokens out that neither continue a loop nor follow it, after a round of the loop.
    fn sync_back(&mut self) {
        if self.mending || self.goes_on() {
            return;
        }
        self.report_unwanted();
        self.is_mended = false;
        let until = self.expected(self.state).with(self.recovery());
        self.skip_to(until);
    }

    /// Returns true if the next token fits, or the rule may end.
    fn goes_on(&self) -> bool {
        let (kinds, ends) = self.grammar.next(self.state);
        ends || kinds.has(self.next())
    }

    /// Leaves the next token out, if the token behind it fits.
    fn leave_out(&mut self) -> bool {
        let fits = self.expected(self.state).has(self.token(1).kind);
        if fits {
            self.report_unwanted();
            self.take();
            self.fits();
        }
        fits
    }

    /// Recovers at a token that does not fit: leaves the token out, or inserts another before it.
    fn recover_inline(&mut self) -> Outcome {
        self.count()?;
        if self.leave_out() {
            self.read();
            return Flow::Continue(Ok(()));
        }
        self.is_mended = false;
        let behind = self.behind(self.state);
        if behind.is_some_and(|behind| self.expected(behind).has(self.next())) {
            let expected = self.expected(self.state);
            let text = format!("missing {expected} at {}", self.shown());
            let at = self.token(0).start;
            self.report(&Mistake { at, text });
            return Flow::Continue(Ok(()));
        }
        Flow::Continue(Err(self.mismatch()))
    }

    fn report_unwanted(&mut self) {
        let expected = self.expected(self.state);
        let text = format!("extraneous input {} expecting {expected}", self.shown());
        let at = self.token(0).start;
        self.report(&Mistake { at, text });
    }

    fn report(&mut self, mistake: &Mistake) {
        if !self.mending {
            let text = format!("Syntax error: {}", mistake.text);
            self.problems.push(Problem::new(mistake.at, text));
        }
        self.mending = true;
    }

    /// Ends recovery, as a token fits.
    fn fits(&mut self) {
        self.mending = false;
        self.failed_at = None;
        self.failed.clear();
    }

    /// Skips to a token with which an open rule continues, at the end of a rule that failed.
    fn recover(&mut self) -> Flow {
        self.is_mended = false;
        self.count()?;
        if self.failed_at == Some(self.at) && self.failed.contains(&self.state) {
            // Without this, the rule would fail at the same token forever.
            self.take();
        }
        self.failed_at = Some(self.at);
        self.failed.push(self.state);
        let until = self.recovery();
        self.skip_to(until);
        Flow::Continue(())
    }

    /// Returns the tokens with which open rules continue.
    fn recovery(&self) -> Kinds {
        let behind = self.open.iter().filter_map(|open| open.behind);
        let tokens = behind.map(|behind| self.grammar.next(behind).0);
        tokens.fold(Kinds::none(), Kinds::with)
    }

    fn skip_to(&mut self, until: Kinds) {
        while self.next() != Kind::End && !until.has(self.next()) {
            self.at += 1;
        }
    }

    fn count(&mut self) -> Flow {
        if self.mended == MENDED {
            let text = format!("Syntax error: error recovery attempt limit exceeded: {MENDED}");
            self.problems.push(Problem::new(self.token(0).start, text));
            return Flow::Break(());
        }
        self.mended += 1;
        Flow::Continue(())
    }
}

/// Returns a string without line breaks, for messages.
fn escaped(text: &str) -> String {
    text.replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('\t', "\\t")
}
