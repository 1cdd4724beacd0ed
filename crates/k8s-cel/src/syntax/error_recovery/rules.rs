//! The definitions of the grammar's rules, as in the definition of the language, with left
//! recursion as loops.

use super::transition_network::Rule;
use crate::syntax::token::{Kind, TokenSet};

/// A part of a rule, as the functions below define it.
pub(super) enum RulePart {
    Token(TokenSet),
    Rule(Rule, u8),
    Sequence(Vec<Self>),
    Choice(Vec<Self>),
    Optional(Box<Self>),
    Star(Box<Self>),
    Plus(Box<Self>),
    Precedence(u8),
}

fn t(kind: Kind) -> RulePart {
    RulePart::Token(TokenSet::from_kind(kind))
}

fn any(kinds: &[Kind]) -> RulePart {
    let all = |all: TokenSet, kind: &Kind| all.union(TokenSet::from_kind(*kind));
    RulePart::Token(kinds.iter().fold(TokenSet::empty(), all))
}

const fn r(rule: Rule) -> RulePart {
    RulePart::Rule(rule, 0)
}

fn optional(part: RulePart) -> RulePart {
    RulePart::Optional(Box::new(part))
}

fn star(parts: Vec<RulePart>) -> RulePart {
    RulePart::Star(Box::new(RulePart::Sequence(parts)))
}

/// Returns items with commas between.
fn list(item: impl Fn() -> Vec<RulePart>) -> RulePart {
    let mut parts = item();
    let mut more = vec![t(Kind::Comma)];
    more.extend(item());
    parts.push(star(more));
    RulePart::Sequence(parts)
}

/// Returns the definition of a rule, as in the definition of the language, with left recursion as
/// loops.
pub(super) fn rule_definition(rule: Rule) -> RulePart {
    use RulePart::{Choice, Plus, Sequence};
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
        Rule::Relation => relation(),
        Rule::Calc => calc(),
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

fn chain(term: Rule, operator: Kind) -> RulePart {
    RulePart::Sequence(vec![r(term), star(vec![t(operator), r(term)])])
}

fn arguments() -> [RulePart; 3] {
    [t(Kind::Open), optional(r(Rule::ExprList)), t(Kind::Close)]
}

fn member() -> RulePart {
    use RulePart::{Choice, Precedence, Sequence};
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

fn primary() -> RulePart {
    use RulePart::{Choice, Sequence};
    let name = || [optional(t(Kind::Dot)), t(Kind::Ident)];
    let braced = |open, rule, close| {
        [
            t(open),
            optional(r(rule)),
            optional(t(Kind::Comma)),
            t(close),
        ]
    };
    let mut call: Vec<RulePart> = name().into();
    call.extend(arguments());
    let mut message: Vec<RulePart> = name().into();
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

fn relation() -> RulePart {
    let operators = [
        Kind::Less,
        Kind::LessEqual,
        Kind::GreaterEqual,
        Kind::Greater,
        Kind::Equal,
        Kind::NotEqual,
        Kind::In,
    ];
    RulePart::Sequence(vec![
        r(Rule::Calc),
        star(vec![
            RulePart::Precedence(1),
            any(&operators),
            RulePart::Rule(Rule::Relation, 2),
        ]),
    ])
}

fn calc() -> RulePart {
    use RulePart::{Choice, Precedence, Sequence};
    Sequence(vec![
        r(Rule::Unary),
        star(vec![Choice(vec![
            Sequence(vec![
                Precedence(2),
                any(&[Kind::Times, Kind::Divide, Kind::Modulo]),
                RulePart::Rule(Rule::Calc, 3),
            ]),
            Sequence(vec![
                Precedence(1),
                any(&[Kind::Plus, Kind::Minus]),
                RulePart::Rule(Rule::Calc, 2),
            ]),
        ])]),
    ])
}
