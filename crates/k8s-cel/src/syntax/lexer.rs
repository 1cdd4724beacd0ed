//! The lexer of CEL.

use k8s_go_text::scan::{split_digits, split_while};

use super::SourceError;
use super::token::{Token, TokenKind};

/// The punctuation tokens, longer ones first.
const PUNCTUATION: [(&str, TokenKind); 24] = [
    ("&&", TokenKind::And),
    ("||", TokenKind::Or),
    ("==", TokenKind::Equal),
    ("!=", TokenKind::NotEqual),
    ("<=", TokenKind::LessEqual),
    (">=", TokenKind::GreaterEqual),
    ("<", TokenKind::Less),
    (">", TokenKind::Greater),
    ("!", TokenKind::Not),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Times),
    ("/", TokenKind::Divide),
    ("%", TokenKind::Modulo),
    ("?", TokenKind::Question),
    (":", TokenKind::Colon),
    (".", TokenKind::Dot),
    (",", TokenKind::Comma),
    ("(", TokenKind::OpenParen),
    (")", TokenKind::CloseParen),
    ("[", TokenKind::OpenBracket),
    ("]", TokenKind::CloseBracket),
    ("{", TokenKind::OpenBrace),
    ("}", TokenKind::CloseBrace),
];

/// The tokens of an expression.
pub(super) struct Tokens {
    /// The tokens, followed by an end token.
    pub(super) tokens: Vec<Token>,
    /// The byte ranges that are neither tokens nor white space nor comments.
    pub(super) invalid_ranges: Vec<(u32, u32)>,
}

/// Splits an expression into tokens. Characters outside of tokens are reported as errors, and
/// skipped.
pub(super) fn tokenize(source: &str, errors: &mut Vec<SourceError>) -> Tokens {
    let mut tokens = Vec::new();
    let mut invalid_ranges = Vec::new();
    let mut rest = source;
    loop {
        rest = skip_space_and_comments(rest);
        let position = |rest: &str| u32::try_from(source.len() - rest.len()).unwrap_or(u32::MAX);
        let start = position(rest);
        if rest.is_empty() {
            tokens.push(Token {
                kind: TokenKind::End,
                start,
                end: start,
            });
            return Tokens {
                tokens,
                invalid_ranges,
            };
        }
        match next_token(rest) {
            Ok((kind, after)) => {
                rest = after;
                tokens.push(Token {
                    kind,
                    start,
                    end: position(after),
                });
            }
            Err(after) => {
                let invalid_part = rest.strip_suffix(after).unwrap_or(rest);
                let message = format!("Syntax error: token recognition error at: '{invalid_part}'");
                errors.push(SourceError::new(start, message));
                invalid_ranges.push((start, position(after)));
                rest = after;
            }
        }
    }
}

/// Returns the source after white space and comments.
fn skip_space_and_comments(source: &str) -> &str {
    let mut rest = source;
    loop {
        let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
        let Some(comment) = trimmed.strip_prefix("//") else {
            return trimmed;
        };
        rest = comment.split_once('\n').map_or("", |(_, after)| after);
    }
}

/// Returns the kind of the first token, and the rest. The error is the rest after the character
/// that no token allows.
fn next_token(rest: &str) -> Result<(TokenKind, &str), &str> {
    let starts_number = |source: &str| source.starts_with(|c: char| c.is_ascii_digit());
    if starts_number(rest) || rest.strip_prefix('.').is_some_and(starts_number) {
        return Ok(scan_number(rest));
    }
    if rest.starts_with(['"', '\'']) {
        return end_of_string(rest).map(|after| (TokenKind::String, after));
    }
    if let Some(after) = prefixed_string(rest) {
        return Ok(after);
    }
    if rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let (word, after) = split_while(rest, |c| c.is_ascii_alphanumeric() || c == '_');
        let kind = match word {
            "true" => TokenKind::True,
            "false" => TokenKind::False,
            "null" => TokenKind::Null,
            "in" => TokenKind::In,
            _ => TokenKind::Ident,
        };
        return Ok((kind, after));
    }
    if let Some(name) = rest.strip_prefix('`') {
        let is_name_char = |c: char| c.is_ascii_alphanumeric() || "_.-/ ".contains(c);
        let (name, after) = split_while(name, is_name_char);
        return match after.strip_prefix('`') {
            Some(after) if !name.is_empty() => Ok((TokenKind::EscapedIdent, after)),
            _ => Err(skip_char(after)),
        };
    }
    let mut punctuation = PUNCTUATION.into_iter();
    if let Some((kind, after)) =
        punctuation.find_map(|(sign, kind)| Some((kind, rest.strip_prefix(sign)?)))
    {
        return Ok((kind, after));
    }
    let after = skip_char(rest);
    Err(if rest.starts_with(['=', '&', '|']) {
        skip_char(after)
    } else {
        after
    })
}

fn skip_char(source: &str) -> &str {
    let mut chars = source.chars();
    chars.next();
    chars.as_str()
}

/// Returns the kind of the number at the start, and the rest.
fn scan_number(rest: &str) -> (TokenKind, &str) {
    let has_unsigned_suffix = |after: &'_ str| after.starts_with(['u', 'U']);
    if let Some(hex) = rest.strip_prefix("0x") {
        let (digits, after) = split_while(hex, |c| c.is_ascii_hexdigit());
        if !digits.is_empty() {
            return if has_unsigned_suffix(after) {
                (TokenKind::Uint, skip_char(after))
            } else {
                (TokenKind::Int, after)
            };
        }
    }
    let (_, after_integer) = split_digits(rest);
    let mut after = after_integer;
    // The fraction, then the exponent. Each needs at least one digit.
    for (markers, signs) in [(&['.'][..], &[][..]), (&['e', 'E'], &['+', '-'])] {
        if let Some(after_marker) = after.strip_prefix(markers)
            && let (1.., remaining) = {
                let (digits, remaining) =
                    split_digits(after_marker.strip_prefix(signs).unwrap_or(after_marker));
                (digits.len(), remaining)
            }
        {
            after = remaining;
        }
    }
    if after.len() != after_integer.len() {
        (TokenKind::Double, after)
    } else if has_unsigned_suffix(after) {
        (TokenKind::Uint, skip_char(after))
    } else {
        (TokenKind::Int, after)
    }
}

/// Returns the kind and the rest of a string or bytes literal with an optional prefix. Without a
/// closing quote, the prefix is an identifier, and the result is `None`.
fn prefixed_string(rest: &str) -> Option<(TokenKind, &str)> {
    let (kind, body) = match rest.strip_prefix(['b', 'B']) {
        Some(body) => (TokenKind::Bytes, body),
        None => (TokenKind::String, rest),
    };
    let (is_raw, body) = match body.strip_prefix(['r', 'R']) {
        Some(body) => (true, body),
        None => (false, body),
    };
    if !body.starts_with(['"', '\'']) {
        return None;
    }
    let after = if is_raw {
        end_of_raw_string(body)
    } else {
        end_of_string(body)
    };
    after.ok().map(|after| (kind, after))
}

/// Returns the rest after a quoted string. The error is the rest after the first invalid character.
fn end_of_string(body: &str) -> Result<&str, &str> {
    let (quote, inner) = body.split_at_checked(1).unwrap_or((body, ""));
    // Two quotes may be an empty string, or the start of a string in triple quotes.
    if let Some(after_triple_quote) = inner
        .strip_prefix(quote)
        .and_then(|rest| rest.strip_prefix(quote))
    {
        let mut rest = after_triple_quote;
        loop {
            if let Some(after) = strip_triple_quote(rest, quote) {
                return Ok(after);
            }
            let after = match rest.strip_prefix('\\') {
                Some(escaped) => skip_escape(escaped).ok(),
                None if rest.is_empty() => None,
                None => Some(skip_char(rest)),
            };
            match after {
                Some(after) => rest = after,
                None => break,
            }
        }
    }
    let mut rest = inner;
    loop {
        if let Some(after) = rest.strip_prefix(quote) {
            return Ok(after);
        }
        if rest.is_empty() || rest.starts_with(['\n', '\r']) {
            return Err(skip_char(rest));
        }
        rest = match rest.strip_prefix('\\') {
            Some(escaped) => skip_escape(escaped)?,
            None => skip_char(rest),
        };
    }
}

/// Returns the rest after a quoted string without escapes; see [`end_of_string`].
fn end_of_raw_string(body: &str) -> Result<&str, &str> {
    let (quote, inner) = body.split_at_checked(1).unwrap_or((body, ""));
    if let Some(after_triple_quote) = inner
        .strip_prefix(quote)
        .and_then(|rest| rest.strip_prefix(quote))
        && let Some((_, after)) = after_triple_quote.split_once(&quote.repeat(3))
    {
        return Ok(after);
    }
    let (_, after) = split_while(inner, |c| !quote.starts_with(c) && c != '\n' && c != '\r');
    after.strip_prefix(quote).ok_or(after)
}

/// Returns the rest after three closing quotes.
fn strip_triple_quote<'t>(rest: &'t str, quote: &str) -> Option<&'t str> {
    let rest = rest.strip_prefix(quote)?;
    rest.strip_prefix(quote)?.strip_prefix(quote)
}

/// Returns the rest after an escape whose backslash is consumed. The error is the rest after the
/// first invalid character.
fn skip_escape(rest: &str) -> Result<&str, &str> {
    let after = skip_char(rest);
    let hex = |c: char| c.is_ascii_hexdigit();
    let octal = |c: char| ('0'..='7').contains(&c);
    match rest.chars().next() {
        Some('a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '"' | '\'' | '\\' | '?' | '`') => Ok(after),
        Some('x' | 'X') => skip_digits(after, 2, hex),
        Some('u') => skip_digits(after, 4, hex),
        Some('U') => skip_digits(after, 8, hex),
        Some('0'..='3') => skip_digits(after, 2, octal),
        _ => Err(after),
    }
}

fn skip_digits(mut rest: &str, count: u8, is_digit: fn(char) -> bool) -> Result<&str, &str> {
    for _ in 0..count {
        let after = skip_char(rest);
        if !rest.starts_with(is_digit) {
            return Err(after);
        }
        rest = after;
    }
    Ok(rest)
}
