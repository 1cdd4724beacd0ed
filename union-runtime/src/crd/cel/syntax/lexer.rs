//! Tokens of CEL.

use super::literal;
use super::{Literal, Problem};

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
    let mut at = 0;
    loop {
        at += skip(&source[at..]);
        let rest = &source[at..];
        let place = u32::try_from(at).unwrap_or(u32::MAX);
        let Some(first) = rest.chars().next() else {
            tokens.push((Token::End, place));
            return Ok(tokens);
        };
        let (token, length) = token(rest, first)
            .map_err(|text| Problem::new(place, format!("Syntax error: {text}")))?;
        tokens.push((token, place));
        at += length;
    }
}

/// How many bytes of space and comments come first.
fn skip(text: &str) -> usize {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
        if !trimmed.starts_with("//") {
            return text.len() - trimmed.len();
        }
        rest = trimmed.find('\n').map_or("", |end| &trimmed[end..]);
    }
}

fn token(rest: &str, first: char) -> Result<(Token, usize), String> {
    if let Some((literal, length)) = literal::quoted(rest)? {
        return Ok((Token::Literal(literal), length));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let word = word(rest);
        let token = match word {
            "true" => Token::Literal(Literal::Bool(true)),
            "false" => Token::Literal(Literal::Bool(false)),
            "null" => Token::Literal(Literal::Null),
            "in" => Token::Sign("in"),
            _ => Token::Ident(word.to_owned()),
        };
        return Ok((token, word.len()));
    }
    let starts_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if starts_number(rest) || (first == '.' && starts_number(&rest[1..])) {
        let (literal, length) = literal::number(rest)?;
        return Ok((Token::Literal(literal), length));
    }
    if first == '`' {
        let end = rest[1..].find('`').filter(|end| *end > 0);
        let end = end.ok_or("token recognition error at: '`'")?;
        return Ok((Token::Quoted(rest[1..=end].to_owned()), end + 2));
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    match sign {
        None | Some(&("=" | "&" | "|")) => Err(format!("token recognition error at: '{first}'")),
        Some(sign) => Ok((Token::Sign(sign), sign.len())),
    }
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}
