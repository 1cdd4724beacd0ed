//! The rules of the CEL grammar. Left recursion is written as loops, as ANTLR rewrites it.

use super::transition_network::Rule;
use crate::syntax::token::{Kind, TokenSet};

/// A part of a rule.
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

fn token(kind: Kind) -> RulePart {
    RulePart::Token(TokenSet::from_kind(kind))
}

fn any_token(kinds: &[Kind]) -> RulePart {
    let all = |all: TokenSet, kind: &Kind| all.union(TokenSet::from_kind(*kind));
    RulePart::Token(kinds.iter().fold(TokenSet::empty(), all))
}

const fn rule_part(rule: Rule) -> RulePart {
    RulePart::Rule(rule, 0)
}

fn optional(part: RulePart) -> RulePart {
    RulePart::Optional(Box::new(part))
}

fn star(parts: Vec<RulePart>) -> RulePart {
    RulePart::Star(Box::new(RulePart::Sequence(parts)))
}

/// Returns a list of items that are separated by commas.
fn comma_separated(item: impl Fn() -> Vec<RulePart>) -> RulePart {
    let mut parts = item();
    let mut next = vec![token(Kind::Comma)];
    next.extend(item());
    parts.push(star(next));
    RulePart::Sequence(parts)
}

/// Returns the definition of a rule.
pub(super) fn rule_definition(rule: Rule) -> RulePart {
    use RulePart::{Choice, Plus, Sequence};
    match rule {
        Rule::Start => Sequence(vec![rule_part(Rule::Expr), token(Kind::End)]),
        Rule::Expr => Sequence(vec![
            rule_part(Rule::ConditionalOr),
            optional(Sequence(vec![
                token(Kind::Question),
                rule_part(Rule::ConditionalOr),
                token(Kind::Colon),
                rule_part(Rule::Expr),
            ])),
        ]),
        Rule::ConditionalOr => chain(Rule::ConditionalAnd, Kind::Or),
        Rule::ConditionalAnd => chain(Rule::Relation, Kind::And),
        Rule::Relation => relation(),
        Rule::Calc => calc(),
        Rule::Unary => {
            let prefixed =
                |sign| Sequence(vec![Plus(Box::new(token(sign))), rule_part(Rule::Member)]);
            Choice(vec![
                rule_part(Rule::Member),
                prefixed(Kind::Not),
                prefixed(Kind::Minus),
            ])
        }
        Rule::Member => member(),
        Rule::Primary => primary(),
        Rule::ExprList => comma_separated(|| vec![rule_part(Rule::Expr)]),
        Rule::ListInit => comma_separated(|| vec![rule_part(Rule::OptExpr)]),
        Rule::FieldInit => comma_separated(|| {
            vec![
                rule_part(Rule::OptField),
                token(Kind::Colon),
                rule_part(Rule::Expr),
            ]
        }),
        Rule::OptField => Sequence(vec![
            optional(token(Kind::Question)),
            rule_part(Rule::EscapeIdent),
        ]),
        Rule::MapInit => comma_separated(|| {
            vec![
                rule_part(Rule::OptExpr),
                token(Kind::Colon),
                rule_part(Rule::Expr),
            ]
        }),
        Rule::EscapeIdent => Choice(vec![token(Kind::Ident), token(Kind::Quoted)]),
        Rule::OptExpr => Sequence(vec![optional(token(Kind::Question)), rule_part(Rule::Expr)]),
        Rule::Literal => literal(),
    }
}

fn literal() -> RulePart {
    let prefixed = |kind| RulePart::Sequence(vec![optional(token(Kind::Minus)), token(kind)]);
    RulePart::Choice(vec![
        prefixed(Kind::Int),
        token(Kind::Uint),
        prefixed(Kind::Double),
        token(Kind::Text),
        token(Kind::Bytes),
        token(Kind::True),
        token(Kind::False),
        token(Kind::Null),
    ])
}

fn chain(term: Rule, operator: Kind) -> RulePart {
    RulePart::Sequence(vec![
        rule_part(term),
        star(vec![token(operator), rule_part(term)]),
    ])
}

fn arguments() -> [RulePart; 3] {
    [
        token(Kind::Open),
        optional(rule_part(Rule::ExprList)),
        token(Kind::Close),
    ]
}

fn member() -> RulePart {
    use RulePart::{Choice, Precedence, Sequence};
    let mut call = vec![Precedence(2), token(Kind::Dot), token(Kind::Ident)];
    call.extend(arguments());
    Sequence(vec![
        rule_part(Rule::Primary),
        star(vec![Choice(vec![
            Sequence(vec![
                Precedence(3),
                token(Kind::Dot),
                optional(token(Kind::Question)),
                rule_part(Rule::EscapeIdent),
            ]),
            Sequence(call),
            Sequence(vec![
                Precedence(1),
                token(Kind::OpenList),
                optional(token(Kind::Question)),
                rule_part(Rule::Expr),
                token(Kind::CloseList),
            ]),
        ])]),
    ])
}

fn primary() -> RulePart {
    use RulePart::{Choice, Sequence};
    let name = || [optional(token(Kind::Dot)), token(Kind::Ident)];
    let braced = |open, rule, close| {
        [
            token(open),
            optional(rule_part(rule)),
            optional(token(Kind::Comma)),
            token(close),
        ]
    };
    let mut call: Vec<RulePart> = name().into();
    call.extend(arguments());
    let mut message: Vec<RulePart> = name().into();
    message.push(star(vec![token(Kind::Dot), token(Kind::Ident)]));
    message.extend(braced(Kind::OpenMap, Rule::FieldInit, Kind::CloseMap));
    Choice(vec![
        Sequence(name().into()),
        Sequence(call),
        Sequence(vec![
            token(Kind::Open),
            rule_part(Rule::Expr),
            token(Kind::Close),
        ]),
        Sequence(braced(Kind::OpenList, Rule::ListInit, Kind::CloseList).into()),
        Sequence(braced(Kind::OpenMap, Rule::MapInit, Kind::CloseMap).into()),
        Sequence(message),
        rule_part(Rule::Literal),
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
        rule_part(Rule::Calc),
        star(vec![
            RulePart::Precedence(1),
            any_token(&operators),
            RulePart::Rule(Rule::Relation, 2),
        ]),
    ])
}

fn calc() -> RulePart {
    use RulePart::{Choice, Precedence, Sequence};
    Sequence(vec![
        rule_part(Rule::Unary),
        star(vec![Choice(vec![
            Sequence(vec![
                Precedence(2),
                any_token(&[Kind::Times, Kind::Divide, Kind::Modulo]),
                RulePart::Rule(Rule::Calc, 3),
            ]),
            Sequence(vec![
                Precedence(1),
                any_token(&[Kind::Plus, Kind::Minus]),
                RulePart::Rule(Rule::Calc, 2),
            ]),
        ])]),
    ])
}
