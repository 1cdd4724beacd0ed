//! The rules of the CEL grammar. Left recursion is written as loops, as ANTLR rewrites it. The
//! precedence of an alternative of such a rule is its number, counted from the last alternative.

use super::transition_network::Rule;
use crate::syntax::token::{TokenKind, TokenSet};

/// A part of a rule.
pub(super) enum RulePart {
    Token(TokenSet),
    /// A rule, with the minimum precedence of the operators that it may contain.
    Rule(Rule, u8),
    Sequence(Vec<Self>),
    Choice(Vec<Self>),
    Optional(Box<Self>),
    Star(Box<Self>),
    Plus(Box<Self>),
    /// The precedence of the operator that follows.
    Precedence(u8),
}

fn token(kind: TokenKind) -> RulePart {
    RulePart::Token(TokenSet::from_kind(kind))
}

fn any_token(kinds: &[TokenKind]) -> RulePart {
    let add = |set: TokenSet, kind: &TokenKind| set.union(TokenSet::from_kind(*kind));
    RulePart::Token(kinds.iter().fold(TokenSet::empty(), add))
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
    let mut next = vec![token(TokenKind::Comma)];
    next.extend(item());
    parts.push(star(next));
    RulePart::Sequence(parts)
}

/// Returns the definition of a rule.
pub(super) fn rule_definition(rule: Rule) -> RulePart {
    use RulePart::{Choice, Plus, Sequence};
    match rule {
        Rule::Start => Sequence(vec![rule_part(Rule::Expr), token(TokenKind::End)]),
        Rule::Expr => Sequence(vec![
            rule_part(Rule::ConditionalOr),
            optional(Sequence(vec![
                token(TokenKind::Question),
                rule_part(Rule::ConditionalOr),
                token(TokenKind::Colon),
                rule_part(Rule::Expr),
            ])),
        ]),
        Rule::ConditionalOr => operator_chain(Rule::ConditionalAnd, TokenKind::Or),
        Rule::ConditionalAnd => operator_chain(Rule::Relation, TokenKind::And),
        Rule::Relation => relation(),
        Rule::Calc => calc(),
        Rule::Unary => {
            let prefixed =
                |sign| Sequence(vec![Plus(Box::new(token(sign))), rule_part(Rule::Member)]);
            Choice(vec![
                rule_part(Rule::Member),
                prefixed(TokenKind::Not),
                prefixed(TokenKind::Minus),
            ])
        }
        Rule::Member => member(),
        Rule::Primary => primary(),
        Rule::ExprList => comma_separated(|| vec![rule_part(Rule::Expr)]),
        Rule::ListInit => comma_separated(|| vec![rule_part(Rule::OptExpr)]),
        Rule::FieldInit => comma_separated(|| {
            vec![
                rule_part(Rule::OptField),
                token(TokenKind::Colon),
                rule_part(Rule::Expr),
            ]
        }),
        Rule::OptField => Sequence(vec![
            optional(token(TokenKind::Question)),
            rule_part(Rule::EscapeIdent),
        ]),
        Rule::MapInit => comma_separated(|| {
            vec![
                rule_part(Rule::OptExpr),
                token(TokenKind::Colon),
                rule_part(Rule::Expr),
            ]
        }),
        Rule::EscapeIdent => Choice(vec![
            token(TokenKind::Ident),
            token(TokenKind::EscapedIdent),
        ]),
        Rule::OptExpr => Sequence(vec![
            optional(token(TokenKind::Question)),
            rule_part(Rule::Expr),
        ]),
        Rule::Literal => literal(),
    }
}

fn literal() -> RulePart {
    let prefixed = |kind| RulePart::Sequence(vec![optional(token(TokenKind::Minus)), token(kind)]);
    RulePart::Choice(vec![
        prefixed(TokenKind::Int),
        token(TokenKind::Uint),
        prefixed(TokenKind::Double),
        token(TokenKind::String),
        token(TokenKind::Bytes),
        token(TokenKind::True),
        token(TokenKind::False),
        token(TokenKind::Null),
    ])
}

fn operator_chain(term: Rule, operator: TokenKind) -> RulePart {
    RulePart::Sequence(vec![
        rule_part(term),
        star(vec![token(operator), rule_part(term)]),
    ])
}

fn arguments() -> [RulePart; 3] {
    [
        token(TokenKind::OpenParen),
        optional(rule_part(Rule::ExprList)),
        token(TokenKind::CloseParen),
    ]
}

fn member() -> RulePart {
    use RulePart::{Choice, Precedence, Sequence};
    let mut call = vec![
        Precedence(2),
        token(TokenKind::Dot),
        token(TokenKind::Ident),
    ];
    call.extend(arguments());
    Sequence(vec![
        rule_part(Rule::Primary),
        star(vec![Choice(vec![
            Sequence(vec![
                Precedence(3),
                token(TokenKind::Dot),
                optional(token(TokenKind::Question)),
                rule_part(Rule::EscapeIdent),
            ]),
            Sequence(call),
            Sequence(vec![
                Precedence(1),
                token(TokenKind::OpenBracket),
                optional(token(TokenKind::Question)),
                rule_part(Rule::Expr),
                token(TokenKind::CloseBracket),
            ]),
        ])]),
    ])
}

fn primary() -> RulePart {
    use RulePart::{Choice, Sequence};
    let name = || [optional(token(TokenKind::Dot)), token(TokenKind::Ident)];
    let braced = |open, rule, close| {
        [
            token(open),
            optional(rule_part(rule)),
            optional(token(TokenKind::Comma)),
            token(close),
        ]
    };
    let mut call: Vec<RulePart> = name().into();
    call.extend(arguments());
    let mut message: Vec<RulePart> = name().into();
    message.push(star(vec![token(TokenKind::Dot), token(TokenKind::Ident)]));
    message.extend(braced(
        TokenKind::OpenBrace,
        Rule::FieldInit,
        TokenKind::CloseBrace,
    ));
    Choice(vec![
        Sequence(name().into()),
        Sequence(call),
        Sequence(vec![
            token(TokenKind::OpenParen),
            rule_part(Rule::Expr),
            token(TokenKind::CloseParen),
        ]),
        Sequence(
            braced(
                TokenKind::OpenBracket,
                Rule::ListInit,
                TokenKind::CloseBracket,
            )
            .into(),
        ),
        Sequence(braced(TokenKind::OpenBrace, Rule::MapInit, TokenKind::CloseBrace).into()),
        Sequence(message),
        rule_part(Rule::Literal),
    ])
}

fn relation() -> RulePart {
    let operators = [
        TokenKind::Less,
        TokenKind::LessEqual,
        TokenKind::GreaterEqual,
        TokenKind::Greater,
        TokenKind::Equal,
        TokenKind::NotEqual,
        TokenKind::In,
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
                any_token(&[TokenKind::Times, TokenKind::Divide, TokenKind::Modulo]),
                RulePart::Rule(Rule::Calc, 3),
            ]),
            Sequence(vec![
                Precedence(1),
                any_token(&[TokenKind::Plus, TokenKind::Minus]),
                RulePart::Rule(Rule::Calc, 2),
            ]),
        ])]),
    ])
}
