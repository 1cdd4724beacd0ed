//! Parses literals: numbers, strings and bytes.

use super::Literal;
use super::token::TokenKind;

/// The sign of a number. The lexeme of a token does not include the sign.
#[derive(Clone, Copy)]
enum Sign {
    Positive,
    Negative,
}

/// The kind of a literal in quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QuotedKind {
    String,
    Bytes,
}

/// Parses a literal token; `None` for other kinds of tokens. The error is the server's message for
/// an invalid value.
pub(super) fn parse_literal(
    kind: TokenKind,
    lexeme: &str,
) -> Option<Result<Literal, &'static str>> {
    Some(match kind {
        TokenKind::True => Ok(Literal::Bool(true)),
        TokenKind::False => Ok(Literal::Bool(false)),
        TokenKind::Null => Ok(Literal::Null),
        TokenKind::Int => parse_int(lexeme, Sign::Positive),
        TokenKind::Uint => parse_uint(lexeme),
        TokenKind::Double => parse_double(lexeme, Sign::Positive),
        TokenKind::String => unquote(lexeme, QuotedKind::String).map(|bytes| {
            let string = String::from_utf8(bytes);
            Literal::String(string.unwrap_or_default())
        }),
        TokenKind::Bytes => {
            let lexeme = lexeme.strip_prefix(['b', 'B']).unwrap_or(lexeme);
            unquote(lexeme, QuotedKind::Bytes).map(Literal::Bytes)
        }
        _ => return None,
    })
}

/// Parses the number after a minus; `None` for tokens that are not signed numbers.
pub(super) fn parse_negative_literal(
    kind: TokenKind,
    lexeme: &str,
) -> Option<Result<Literal, &'static str>> {
    match kind {
        TokenKind::Int => Some(parse_int(lexeme, Sign::Negative)),
        TokenKind::Double => Some(parse_double(lexeme, Sign::Negative)),
        _ => None,
    }
}

fn parse_int(lexeme: &str, sign: Sign) -> Result<Literal, &'static str> {
    let value = parse_u64(lexeme).map(i128::from).map(|value| match sign {
        Sign::Positive => value,
        Sign::Negative => -value,
    });
    let value = value.and_then(|value| i64::try_from(value).ok());
    value.map(Literal::Int).ok_or("invalid int literal")
}

fn parse_uint(lexeme: &str) -> Result<Literal, &'static str> {
    let lexeme = lexeme.strip_suffix(['u', 'U']).unwrap_or(lexeme);
    parse_u64(lexeme)
        .map(Literal::Uint)
        .ok_or("invalid uint literal")
}

fn parse_u64(lexeme: &str) -> Option<u64> {
    match lexeme.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => lexeme.parse().ok(),
    }
}

fn parse_double(lexeme: &str, sign: Sign) -> Result<Literal, &'static str> {
    let value: Option<f64> = lexeme.parse().ok();
    let value = value.filter(|value| value.is_finite());
    let value = value.ok_or("invalid double literal")?;
    Ok(Literal::Double(match sign {
        Sign::Positive => value,
        Sign::Negative => -value,
    }))
}

/// Returns the unescaped bytes between the quotes.
fn unquote(lexeme: &str, kind: QuotedKind) -> Result<Vec<u8>, &'static str> {
    let (is_raw, lexeme) = match lexeme.strip_prefix(['r', 'R']) {
        Some(lexeme) => (true, lexeme),
        None => (false, lexeme),
    };
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let inner = |quote: &&str| lexeme.strip_prefix(*quote)?.strip_suffix(*quote);
    let inner = quotes.iter().find_map(inner).unwrap_or_default();
    let inner = inner.replace("\r\n", "\n").replace('\r', "\n");
    if is_raw || !inner.contains('\\') {
        return Ok(inner.into_bytes());
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = &*inner;
    while let Some((before, escaped)) = rest.split_once('\\') {
        out.extend_from_slice(before.as_bytes());
        rest = unescape(escaped, kind, &mut out)?;
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

/// Parses the escape after a backslash, and returns the rest.
fn unescape<'t>(
    rest: &'t str,
    kind: QuotedKind,
    out: &mut Vec<u8>,
) -> Result<&'t str, &'static str> {
    const INVALID_ESCAPE: &str = "unable to unescape string";
    let mut chars = rest.chars();
    let c = chars.next().ok_or(INVALID_ESCAPE)?;
    let after = chars.as_str();
    let (code_digits, digits, radix) = match c {
        'x' | 'X' => (after, 2, 16),
        'u' if kind == QuotedKind::String => (after, 4, 16),
        'U' if kind == QuotedKind::String => (after, 8, 16),
        '0'..='3' => (rest, 3, 8),
        'u' | 'U' => return Err(INVALID_ESCAPE),
        _ => {
            out.push(simple_escape(c));
            return Ok(after);
        }
    };
    let (code, after) = code_digits.split_at_checked(digits).ok_or(INVALID_ESCAPE)?;
    let code = u32::from_str_radix(code, radix).map_err(|_| INVALID_ESCAPE)?;
    if kind == QuotedKind::Bytes {
        out.push(u8::try_from(code).map_err(|_| INVALID_ESCAPE)?);
    } else {
        let c = char::from_u32(code).ok_or("invalid unicode code point")?;
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(after)
}

/// Returns the byte of a one-letter escape.
fn simple_escape(c: char) -> u8 {
    match c {
        'a' => 0x7,
        'b' => 0x8,
        'f' => 0xc,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 0xb,
        c => u8::try_from(c).unwrap_or_default(),
    }
}
