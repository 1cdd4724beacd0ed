//! The values of literals: numbers, strings and bytes.

use super::Literal;
use super::token::Kind;

/// Returns the value of a literal; `None` for tokens of another kind. The error is the server's
/// message for a value that does not exist.
pub(super) fn parse_literal(kind: Kind, text: &str) -> Option<Result<Literal, &'static str>> {
    Some(match kind {
        Kind::True => Ok(Literal::Bool(true)),
        Kind::False => Ok(Literal::Bool(false)),
        Kind::Null => Ok(Literal::Null),
        Kind::Int => integer(text, false),
        Kind::Uint => unsigned(text),
        Kind::Double => double(text, false),
        Kind::Text => quoted(text, false).map(|bytes| {
            let text = String::from_utf8(bytes);
            Literal::String(text.unwrap_or_default())
        }),
        Kind::Bytes => {
            let text = text.strip_prefix(['b', 'B']).unwrap_or(text);
            quoted(text, true).map(Literal::Bytes)
        }
        _ => return None,
    })
}

/// Returns the value of a number after a minus, if its kind has a sign.
pub(super) fn parse_negative_literal(
    kind: Kind,
    text: &str,
) -> Option<Result<Literal, &'static str>> {
    match kind {
        Kind::Int => Some(integer(text, true)),
        Kind::Double => Some(double(text, true)),
        _ => None,
    }
}

fn integer(text: &str, negative: bool) -> Result<Literal, &'static str> {
    let value = whole(text)
        .map(i128::from)
        .map(|value| if negative { -value } else { value });
    let value = value.and_then(|value| i64::try_from(value).ok());
    value.map(Literal::Int).ok_or("invalid int literal")
}

fn unsigned(text: &str) -> Result<Literal, &'static str> {
    let text = text.strip_suffix(['u', 'U']).unwrap_or(text);
    whole(text).map(Literal::Uint).ok_or("invalid uint literal")
}

fn whole(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn double(text: &str, negative: bool) -> Result<Literal, &'static str> {
    let value: Option<f64> = text.parse().ok();
    let value = value.filter(|value| value.is_finite());
    let value = value.ok_or("invalid double literal")?;
    Ok(Literal::Double(if negative { -value } else { value }))
}

/// Returns the bytes between the quotes.
fn quoted(text: &str, bytes: bool) -> Result<Vec<u8>, &'static str> {
    let (raw, text) = match text.strip_prefix(['r', 'R']) {
        Some(text) => (true, text),
        None => (false, text),
    };
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let inner = |quote: &&str| text.strip_prefix(*quote)?.strip_suffix(*quote);
    let inner = quotes.iter().find_map(inner).unwrap_or_default();
    let inner = inner.replace("\r\n", "\n").replace('\r', "\n");
    if raw || !inner.contains('\\') {
        return Ok(inner.into_bytes());
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = &*inner;
    while let Some((before, escaped)) = rest.split_once('\\') {
        out.extend_from_slice(before.as_bytes());
        rest = escape(escaped, bytes, &mut out)?;
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

/// Reads the escape after a backslash, and returns the rest.
fn escape<'t>(rest: &'t str, bytes: bool, out: &mut Vec<u8>) -> Result<&'t str, &'static str> {
    const BAD: &str = "unable to unescape string";
    let mut chars = rest.chars();
    let c = chars.next().ok_or(BAD)?;
    let after = chars.as_str();
    let (number, digits, radix) = match c {
        'x' | 'X' => (after, 2, 16),
        'u' if !bytes => (after, 4, 16),
        'U' if !bytes => (after, 8, 16),
        '0'..='3' => (rest, 3, 8),
        'u' | 'U' => return Err(BAD),
        _ => {
            out.push(simple(c));
            return Ok(after);
        }
    };
    let (code, after) = number.split_at_checked(digits).ok_or(BAD)?;
    let code = u32::from_str_radix(code, radix).map_err(|_| BAD)?;
    if bytes {
        out.push(u8::try_from(code).map_err(|_| BAD)?);
    } else {
        let c = char::from_u32(code).ok_or("invalid unicode code point")?;
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(after)
}

/// Returns the byte of a letter after a backslash.
fn simple(c: char) -> u8 {
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
