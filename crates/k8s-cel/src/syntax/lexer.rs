//! The tokens of CEL.

use k8s_go_text::scan::{split_digits, split_while};

use super::SourceError;
use super::token::{Kind, Token};

/// The punctuation. Longer tokens are first.
const PUNCTUATION: [(&str, Kind); 24] = [
    ("&&", Kind::And),
    ("||", Kind::Or),
    ("==", Kind::Equal),
    ("!=", Kind::NotEqual),
    ("<=", Kind::LessEqual),
    (">=", Kind::GreaterEqual),
    ("<", Kind::Less),
    (">", Kind::Greater),
    ("!", Kind::Not),
    ("+", Kind::Plus),
    ("-", Kind::Minus),
    ("*", Kind::Times),
    ("/", Kind::Divide),
    ("%", Kind::Modulo),
    ("?", Kind::Question),
    (":", Kind::Colon),
    (".", Kind::Dot),
    (",", Kind::Comma),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("[", Kind::OpenList),
    ("]", Kind::CloseList),
    ("{", Kind::OpenMap),
    ("}", Kind::CloseMap),
];

/// The tokens of an expression.
pub(super) struct Tokens {
    /// The tokens, with a token for the end.
    pub(super) tokens: Vec<Token>,
    /// The bytes that are not part of a token, space or a comment.
    pub(super) invalid: Vec<(u32, u32)>,
}

/// Returns the tokens of an expression. Other characters are left out, and are problems.
pub(super) fn tokenize(source: &str, problems: &mut Vec<SourceError>) -> Tokens {
    let mut tokens = Vec::new();
    let mut left_out = Vec::new();
    let mut rest = source;
    loop {
        rest = skip(rest);
        let place = |rest: &str| u32::try_from(source.len() - rest.len()).unwrap_or(u32::MAX);
        let start = place(rest);
        if rest.is_empty() {
            tokens.push(Token {
                kind: Kind::End,
                start,
                end: start,
            });
            return Tokens {
                tokens,
                invalid: left_out,
            };
        }
        match next_token(rest) {
            Ok((kind, after)) => {
                rest = after;
                tokens.push(Token {
                    kind,
                    start,
                    end: place(after),
                });
            }
            Err(after) => {
                let bad = rest.strip_suffix(after).unwrap_or(rest);
                let text = format!("Syntax error: token recognition error at: '{bad}'");
                problems.push(SourceError::new(start, text));
                left_out.push((start, place(after)));
                rest = after;
            }
        }
    }
}

/// Returns the rest after space and comments.
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

/// Returns the first token and the rest. The error is the rest after the character that no token
/// can have there.
fn next_token(rest: &str) -> Result<(Kind, &str), &str> {
    let starts_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if starts_number(rest) || rest.strip_prefix('.').is_some_and(starts_number) {
        return Ok(number(rest));
    }
    if rest.starts_with(['"', '\'']) {
        return quoted(rest).map(|after| (Kind::Text, after));
    }
    if let Some(after) = marked(rest) {
        return Ok(after);
    }
    if rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let (word, after) = split_while(rest, |c| c.is_ascii_alphanumeric() || c == '_');
        let kind = match word {
            "true" => Kind::True,
            "false" => Kind::False,
            "null" => Kind::Null,
            "in" => Kind::In,
            _ => Kind::Ident,
        };
        return Ok((kind, after));
    }
    if let Some(name) = rest.strip_prefix('`') {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_.-/ ".contains(c);
        let (name, after) = split_while(name, is_part);
        return match after.strip_prefix('`') {
            Some(after) if !name.is_empty() => Ok((Kind::Quoted, after)),
            _ => Err(behind_first(after)),
        };
    }
    let mut signs = PUNCTUATION.into_iter();
    if let Some((kind, after)) =
        signs.find_map(|(sign, kind)| Some((kind, rest.strip_prefix(sign)?)))
    {
        return Ok((kind, after));
    }
    let after = behind_first(rest);
    Err(if rest.starts_with(['=', '&', '|']) {
        behind_first(after)
    } else {
        after
    })
}

fn behind_first(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}

/// Returns the number at the start, and the rest.
fn number(rest: &str) -> (Kind, &str) {
    let unsigned = |after: &'_ str| after.starts_with(['u', 'U']);
    if let Some(hex) = rest.strip_prefix("0x") {
        let (digits, after) = split_while(hex, |c| c.is_ascii_hexdigit());
        if !digits.is_empty() {
            return if unsigned(after) {
                (Kind::Uint, behind_first(after))
            } else {
                (Kind::Int, after)
            };
        }
    }
    let (_, whole) = split_digits(rest);
    let mut after = whole;
    for (marks, signs) in [(&['.'][..], &[][..]), (&['e', 'E'], &['+', '-'])] {
        if let Some(part) = after.strip_prefix(marks)
            && let (1.., behind) = {
                let (digits, behind) = split_digits(part.strip_prefix(signs).unwrap_or(part));
                (digits.len(), behind)
            }
        {
            after = behind;
        }
    }
    if after.len() != whole.len() {
        (Kind::Double, after)
    } else if unsigned(after) {
        (Kind::Uint, behind_first(after))
    } else {
        (Kind::Int, after)
    }
}

/// Returns a string or bytes with a mark before the quote. If the quote is not closed, the mark is
/// a name.
fn marked(rest: &str) -> Option<(Kind, &str)> {
    let (kind, body) = match rest.strip_prefix(['b', 'B']) {
        Some(body) => (Kind::Bytes, body),
        None => (Kind::Text, rest),
    };
    let (raw, body) = match body.strip_prefix(['r', 'R']) {
        Some(body) => (true, body),
        None => (false, body),
    };
    if !body.starts_with(['"', '\'']) {
        return None;
    }
    let after = if raw { raw_quoted(body) } else { quoted(body) };
    after.ok().map(|after| (kind, after))
}

/// Returns the rest after a string in quotes. The error is the rest after the first invalid
/// character.
fn quoted(body: &str) -> Result<&str, &str> {
    let (quote, inner) = body.split_at_checked(1).unwrap_or((body, ""));
    // An empty string may be the start of a longer string, with three quotes.
    if let Some(long) = inner
        .strip_prefix(quote)
        .and_then(|b| b.strip_prefix(quote))
    {
        let mut rest = long;
        loop {
            if let Some(after) = closing(rest, quote) {
                return Ok(after);
            }
            let after = match rest.strip_prefix('\\') {
                Some(escaped) => escape(escaped).ok(),
                None if rest.is_empty() => None,
                None => Some(behind_first(rest)),
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
            return Err(behind_first(rest));
        }
        rest = match rest.strip_prefix('\\') {
            Some(escaped) => escape(escaped)?,
            None => behind_first(rest),
        };
    }
}

/// Returns the rest like [`quoted`], for a string without escapes.
fn raw_quoted(body: &str) -> Result<&str, &str> {
    let (quote, inner) = body.split_at_checked(1).unwrap_or((body, ""));
    if let Some(long) = inner
        .strip_prefix(quote)
        .and_then(|b| b.strip_prefix(quote))
        && let Some((_, after)) = long.split_once(&quote.repeat(3))
    {
        return Ok(after);
    }
    let (_, after) = split_while(inner, |c| !quote.starts_with(c) && c != '\n' && c != '\r');
    after.strip_prefix(quote).ok_or(after)
}

/// Returns the rest after three quotes.
fn closing<'t>(rest: &'t str, quote: &str) -> Option<&'t str> {
    let rest = rest.strip_prefix(quote)?;
    rest.strip_prefix(quote)?.strip_prefix(quote)
}

/// Returns the rest after an escape without its backslash. The error is the rest after the first
/// invalid character.
fn escape(rest: &str) -> Result<&str, &str> {
    let after = behind_first(rest);
    let hex = |c: char| c.is_ascii_hexdigit();
    let octal = |c: char| ('0'..='7').contains(&c);
    match rest.chars().next() {
        Some('a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '"' | '\'' | '\\' | '?' | '`') => Ok(after),
        Some('x' | 'X') => digits(after, 2, hex),
        Some('u') => digits(after, 4, hex),
        Some('U') => digits(after, 8, hex),
        Some('0'..='3') => digits(after, 2, octal),
        _ => Err(after),
    }
}

fn digits(mut rest: &str, count: u8, is_one: fn(char) -> bool) -> Result<&str, &str> {
    for _ in 0..count {
        let after = behind_first(rest);
        if !rest.starts_with(is_one) {
            return Err(after);
        }
        rest = after;
    }
    Ok(rest)
}
