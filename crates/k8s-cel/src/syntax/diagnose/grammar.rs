//! The grammar of CEL as a graph of states, as the generator of the server's parser sees it: which token or rule leads from one
//! state to the next, and where something is to be decided.

use std::sync::LazyLock;

use crate::syntax::token::{Kind, Kinds};

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
    const ALL: [Self; 17] = [
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

/// A way from a state to another one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Edge {
    Free(StateId),
    Token(Kinds, StateId),
    /// A rule, and the state behind it.
    Rule(Rule, StateId),
    /// Free for those who ask for no stronger operator than that.
    Precedence(u8, StateId),
}

/// A part of a rule, with the states in which the parser is when it comes there.
#[derive(Debug)]
pub(super) enum Node {
    Token(StateId, Kinds),
    /// A rule, with the weakest operator that may be in it.
    Rule(StateId, Rule, u8),
    Sequence(Vec<Self>),
    Choice(StateId, Vec<Self>, Decision),
    Optional(StateId, Box<Self>, Decision),
    /// The state at the start and at the end of each round.
    Star(StateId, StateId, Box<Self>, Decision),
    Plus(StateId, StateId, Box<Self>, Decision),
    Precedence,
}

/// How alternatives are told apart.
#[derive(Debug)]
pub(super) enum Decision {
    /// By the next token.
    Token(Vec<Kinds>),
    /// By as many tokens as it takes.
    Ahead,
}

pub(super) struct Grammar {
    /// The edges of each state.
    states: Vec<Vec<Edge>>,
    rules: Vec<Built>,
    /// The states behind each use of a rule.
    follows: Vec<Vec<StateId>>,
}

struct Built {
    start: StateId,
    stop: StateId,
    body: Node,
}

impl Grammar {
    pub(super) fn get() -> &'static Self {
        static GRAMMAR: LazyLock<Grammar> = LazyLock::new(build);
        &GRAMMAR
    }

    pub(super) fn edges(&self, state: StateId) -> &[Edge] {
        self.states
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

    /// The states behind all uses of the rule that stops at this state, if one does.
    pub(super) fn follows(&self, stop: StateId) -> Option<&[StateId]> {
        let rule = self.rules.iter().position(|rule| rule.stop == stop)?;
        self.follows.get(rule).map(Vec::as_slice)
    }

    /// The tokens that may come next within the rule, and whether the rule may end before one.
    pub(super) fn next(&self, state: StateId) -> (Kinds, bool) {
        let mut look = Look::new(self, false);
        look.at(state, &mut Vec::new());
        (look.tokens, look.ends)
    }
}

/// A part as it is written below.
enum Part {
    Token(Kinds),
    Rule(Rule, u8),
    Sequence(Vec<Self>),
    Choice(Vec<Self>),
    Optional(Box<Self>),
    Star(Box<Self>),
    Plus(Box<Self>),
    Precedence(u8),
}

fn t(kind: Kind) -> Part {
    Part::Token(Kinds::of(kind))
}

fn any(kinds: &[Kind]) -> Part {
    let all = |all: Kinds, kind: &Kind| all.with(Kinds::of(*kind));
    Part::Token(kinds.iter().fold(Kinds::none(), all))
}

const fn r(rule: Rule) -> Part {
    Part::Rule(rule, 0)
}

fn optional(part: Part) -> Part {
    Part::Optional(Box::new(part))
}

fn star(parts: Vec<Part>) -> Part {
    Part::Star(Box::new(Part::Sequence(parts)))
}

/// Items with commas between.
fn list(item: impl Fn() -> Vec<Part>) -> Part {
    let mut parts = item();
    let mut more = vec![t(Kind::Comma)];
    more.extend(item());
    parts.push(star(more));
    Part::Sequence(parts)
}

/// What a rule is made of, as the definition of the language has it, with left recursion as loops.
fn part(rule: Rule) -> Part {
    use Part::{Choice, Plus, Precedence, Sequence};
    match rule {
        Rule::Start => Sequence(vec![r(Rule::Expr), t(Kind::End)]),
        Rule::Expr => Sequence(vec![
            r(Rule::ConditionalOr),
            optional(Sequence(vec![
                t(Kind::Question),
                r(Rule::ConditionalOr),
                t(Kind::Colon),
                r(Rule::Expr),
            ])),
        ]),
        Rule::ConditionalOr => chain(Rule::ConditionalAnd, Kind::Or),
        Rule::ConditionalAnd => chain(Rule::Relation, Kind::And),
        Rule::Relation => Sequence(vec![
            r(Rule::Calc),
            star(vec![
                Precedence(1),
                any(&[
                    Kind::Less,
                    Kind::LessEqual,
                    Kind::GreaterEqual,
                    Kind::Greater,
                    Kind::Equal,
                    Kind::NotEqual,
                    Kind::In,
                ]),
                Part::Rule(Rule::Relation, 2),
            ]),
        ]),
        Rule::Calc => Sequence(vec![
            r(Rule::Unary),
            star(vec![Choice(vec![
                Sequence(vec![
                    Precedence(2),
                    any(&[Kind::Times, Kind::Divide, Kind::Modulo]),
                    Part::Rule(Rule::Calc, 3),
                ]),
                Sequence(vec![
                    Precedence(1),
                    any(&[Kind::Plus, Kind::Minus]),
                    Part::Rule(Rule::Calc, 2),
                ]),
            ])]),
        ]),
        Rule::Unary => {
            let signed = |sign| Sequence(vec![Plus(Box::new(t(sign))), r(Rule::Member)]);
            Choice(vec![
                r(Rule::Member),
                signed(Kind::Not),
                signed(Kind::Minus),
            ])
        }
        Rule::Member => member(),
        Rule::Primary => primary(),
        Rule::ExprList => list(|| vec![r(Rule::Expr)]),
        Rule::ListInit => list(|| vec![r(Rule::OptExpr)]),
        Rule::FieldInit => list(|| vec![r(Rule::OptField), t(Kind::Colon), r(Rule::Expr)]),
        Rule::OptField => Sequence(vec![optional(t(Kind::Question)), r(Rule::EscapeIdent)]),
        Rule::MapInit => list(|| vec![r(Rule::OptExpr), t(Kind::Colon), r(Rule::Expr)]),
        Rule::EscapeIdent => Choice(vec![t(Kind::Ident), t(Kind::Quoted)]),
        Rule::OptExpr => Sequence(vec![optional(t(Kind::Question)), r(Rule::Expr)]),
        Rule::Literal => {
            let signed = |kind| Sequence(vec![optional(t(Kind::Minus)), t(kind)]);
            Choice(vec![
                signed(Kind::Int),
                t(Kind::Uint),
                signed(Kind::Double),
                t(Kind::Text),
                t(Kind::Bytes),
                t(Kind::True),
                t(Kind::False),
                t(Kind::Null),
            ])
        }
    }
}

fn chain(term: Rule, operator: Kind) -> Part {
    Part::Sequence(vec![r(term), star(vec![t(operator), r(term)])])
}

fn arguments() -> [Part; 3] {
    [t(Kind::Open), optional(r(Rule::ExprList)), t(Kind::Close)]
}

fn member() -> Part {
    use Part::{Choice, Precedence, Sequence};
    let mut call = vec![Precedence(2), t(Kind::Dot), t(Kind::Ident)];
    call.extend(arguments());
    Sequence(vec![
        r(Rule::Primary),
        star(vec![Choice(vec![
            Sequence(vec![
                Precedence(3),
                t(Kind::Dot),
                optional(t(Kind::Question)),
                r(Rule::EscapeIdent),
            ]),
            Sequence(call),
            Sequence(vec![
                Precedence(1),
                t(Kind::OpenList),
                optional(t(Kind::Question)),
                r(Rule::Expr),
                t(Kind::CloseList),
            ]),
        ])]),
    ])
}

fn primary() -> Part {
    use Part::{Choice, Sequence};
    let name = || [optional(t(Kind::Dot)), t(Kind::Ident)];
    let braced = |open, rule, close| {
        [
            t(open),
            optional(r(rule)),
            optional(t(Kind::Comma)),
            t(close),
        ]
    };
    let mut call: Vec<Part> = name().into();
    call.extend(arguments());
    let mut message: Vec<Part> = name().into();
    message.push(star(vec![t(Kind::Dot), t(Kind::Ident)]));
    message.extend(braced(Kind::OpenMap, Rule::FieldInit, Kind::CloseMap));
    Choice(vec![
        Sequence(name().into()),
        Sequence(call),
        Sequence(vec![t(Kind::Open), r(Rule::Expr), t(Kind::Close)]),
        Sequence(braced(Kind::OpenList, Rule::ListInit, Kind::CloseList).into()),
        Sequence(braced(Kind::OpenMap, Rule::MapInit, Kind::CloseMap).into()),
        Sequence(message),
        r(Rule::Literal),
    ])
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

    /// Finds out where the next token is enough to decide.
    fn decide(&self, node: &mut Node) {
        let (state, decision) = match node {
            Node::Token(..) | Node::Rule(..) | Node::Precedence => return,
            Node::Sequence(parts) => {
                parts.iter_mut().for_each(|part| self.decide(part));
                return;
            }
            Node::Choice(state, parts, decision) => {
                parts.iter_mut().for_each(|part| self.decide(part));
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

/// Looks for the tokens that may come next.
struct Look<'g> {
    grammar: &'g Grammar,
    /// Whether it goes on behind all uses of the rule, or stops at its end.
    leaves: bool,
    tokens: Kinds,
    ends: bool,
    /// Whether it depends on an operator before.
    asks: bool,
    seen: Vec<(StateId, Vec<StateId>)>,
}

impl<'g> Look<'g> {
    const fn new(grammar: &'g Grammar, leaves: bool) -> Self {
        Self {
            grammar,
            leaves,
            tokens: Kinds::none(),
            ends: false,
            asks: false,
            seen: Vec::new(),
        }
    }

    /// Looks from a state within the rules that are open, of which each says where it goes on.
    fn at(&mut self, state: StateId, open: &mut Vec<StateId>) {
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
                follows.iter().for_each(|behind| self.at(*behind, open));
            } else {
                self.ends = true;
            }
            return;
        }
        for edge in self.grammar.edges(state) {
            self.along(*edge, open);
        }
    }

    fn along(&mut self, edge: Edge, open: &mut Vec<StateId>) {
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
