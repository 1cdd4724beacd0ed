//! Tokens of CEL.

use super::literal;
use super::{Literal, Problem};
use crate::split::split_while;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Ident(String),
    /// A name in backticks.
    Quoted(String),
    Literal(Literal),
    /// Punctuation, and the keyword `in`.
    Sign(&'static str),
    End,
}

/// A token and the byte at which it starts.
pub(super) type Placed = (Token, u32);

/// Longer ones first.
const SIGNS: [&str; 27] = [
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", ".", ",",
    "(", ")", "[", "]", "{", "}", "=", "&", "|",
];

pub(super) fn tokens(source: &str) -> Result<Vec<Placed>, Problem> {
    let mut tokens = Vec::new();
    let mut rest = source;
    loop {
        rest = skip(rest);
        let place = u32::try_from(source.len() - rest.len()).unwrap_or(u32::MAX);
        let Some(first) = rest.chars().next() else {
            tokens.push((Token::End, place));
            return Ok(tokens);
        };
        let token;
        (token, rest) = read(rest, first)
            .map_err(|text| Problem::new(place, format!("Syntax error: {text}")))?;
        tokens.push((token, place));
    }
}

/// What follows space and comments.
fn skip(text: &str) -> &str {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
        let Some(comment) = trimmed.strip_prefix("//") else {
            return trimmed;
        };
        rest = comment.split_once('\n').map_or("", |(_, after)| after);
    }
}

/// The token that comes first, and the rest.
fn read(rest: &str, first: char) -> Result<(Token, &str), String> {
    if let Some((literal, after)) = literal::quoted(rest)? {
        return Ok((Token::Literal(literal), after));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let (word, after) = split_while(rest, |c| c.is_ascii_alphanumeric() || c == '_');
        let token = match word {
            "true" => Token::Literal(Literal::Bool(true)),
            "false" => Token::Literal(Literal::Bool(false)),
            "null" => Token::Literal(Literal::Null),
            "in" => Token::Sign("in"),
            _ => Token::Ident(word.to_owned()),
        };
        return Ok((token, after));
    }
    let starts_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if starts_number(rest) || rest.strip_prefix('.').is_some_and(starts_number) {
        let (literal, after) = literal::number(rest)?;
        return Ok((Token::Literal(literal), after));
    }
    if let Some(quoted) = rest.strip_prefix('`') {
        let name = quoted.split_once('`').filter(|(name, _)| !name.is_empty());
        let (name, after) = name.ok_or("token recognition error at: '`'")?;
        return Ok((Token::Quoted(name.to_owned()), after));
    }
    let mut signs = SIGNS.into_iter();
    match signs.find_map(|sign| Some((sign, rest.strip_prefix(sign)?))) {
        None | Some(("=" | "&" | "|", _)) => Err(format!("token recognition error at: '{first}'")),
        Some((sign, after)) => Ok((Token::Sign(sign), after)),
    }
}
