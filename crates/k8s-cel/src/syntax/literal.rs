//! Numbers, texts and bytes as they are written.

use super::Literal;
use crate::split::{split_digits, split_while};

/// A text or bytes in quotes, if one starts here, and what follows.
pub(super) fn quoted(rest: &str) -> Result<Option<(Literal, &str)>, String> {
    let mut raw = false;
    let mut bytes = false;
    let mut marked = rest;
    for _ in 0..2 {
        let mut chars = marked.chars();
        match chars.next() {
            Some('r' | 'R') if !raw => raw = true,
            Some('b' | 'B') if !bytes => bytes = true,
            _ => break,
        }
        marked = chars.as_str();
    }
    let Some((quote, body)) = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find_map(|quote| Some((quote, marked.strip_prefix(quote)?)))
    else {
        return Ok(None);
    };
    let unclosed = || format!("token recognition error at: '{}'", rest.trim_end());
    let (text, after) = split_quoted(body, quote, raw).ok_or_else(unclosed)?;
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let literal = if bytes {
        Literal::Bytes(unescape(&text, raw, true)?)
    } else {
        let text = String::from_utf8(unescape(&text, raw, false)?);
        Literal::Text(text.map_err(|_| "invalid unicode code point".to_owned())?)
    };
    Ok(Some((literal, after)))
}

/// What stands before the closing quote, and after it.
fn split_quoted<'t>(body: &'t str, quote: &str, raw: bool) -> Option<(&'t str, &'t str)> {
    let mut chars = body.chars();
    loop {
        let rest = chars.as_str();
        if let Some(after) = rest.strip_prefix(quote) {
            return Some((body.get(..body.len() - rest.len())?, after));
        }
        let c = chars.next()?;
        if c == '\n' && quote.len() == 1 {
            return None;
        }
        if c == '\\' && !raw {
            chars.next()?;
        }
    }
}

fn unescape(text: &str, raw: bool, bytes: bool) -> Result<Vec<u8>, String> {
    if raw || !text.contains('\\') {
        return Ok(text.as_bytes().to_vec());
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escaped)) = rest.split_once('\\') {
        out.extend_from_slice(before.as_bytes());
        rest = escape(escaped, bytes, &mut out)?;
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

/// Reads what follows a backslash, and returns the rest.
fn escape<'t>(rest: &'t str, bytes: bool, out: &mut Vec<u8>) -> Result<&'t str, String> {
    let bad = || "unable to unescape string".to_owned();
    let mut chars = rest.chars();
    let c = chars.next().ok_or_else(bad)?;
    let after = chars.as_str();
    let simple = match c {
        'a' => Some('\u{7}'),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\u{b}'),
        '\\' | '\'' | '"' | '`' | '?' => Some(c),
        _ => None,
    };
    if let Some(simple) = simple {
        out.push(u8::try_from(simple).unwrap_or_default());
        return Ok(after);
    }
    let (number, digits, radix) = match c {
        'x' | 'X' => (after, 2, 16),
        'u' if !bytes => (after, 4, 16),
        'U' if !bytes => (after, 8, 16),
        '0'..='3' => (rest, 3, 8),
        _ => return Err(bad()),
    };
    let (code, after) = number.split_at_checked(digits).ok_or_else(bad)?;
    // A number may have a sign for Rust.
    if code.starts_with('+') {
        return Err(bad());
    }
    let code = u32::from_str_radix(code, radix).map_err(|_| bad())?;
    if bytes {
        out.push(u8::try_from(code).map_err(|_| bad())?);
    } else {
        let c = char::from_u32(code).ok_or_else(bad)?;
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(after)
}

/// The number that starts here, without a sign, and what follows.
pub(super) fn number(rest: &str) -> Result<(Literal, &str), String> {
    if let Some(hex) = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        let (digits, after) = split_while(hex, |c| c.is_ascii_hexdigit());
        if !digits.is_empty() {
            return integer(u64::from_str_radix(digits, 16).ok(), after);
        }
    }
    let (whole, mut after) = split_digits(rest);
    let mut is_double = false;
    if let Some(fraction) = after.strip_prefix('.')
        && let (1.., rest) = count_digits(fraction)
    {
        after = rest;
        is_double = true;
    }
    if let Some(exponent) = after.strip_prefix(['e', 'E'])
        && let (1.., rest) = count_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))
    {
        after = rest;
        is_double = true;
    }
    if is_double {
        let text = rest.get(..rest.len() - after.len());
        let value = text.and_then(|text| text.parse().ok());
        return Ok((
            Literal::Double(value.ok_or("invalid double literal")?),
            after,
        ));
    }
    integer(whole.parse().ok(), after)
}

fn count_digits(text: &str) -> (usize, &str) {
    let (digits, rest) = split_digits(text);
    (digits.len(), rest)
}

/// An integer, and what follows it and its mark; 2^63 stays unsigned here, since a minus may follow from the parser.
fn integer(value: Option<u64>, after: &str) -> Result<(Literal, &str), String> {
    let wrong = || "invalid int literal".to_owned();
    let value = value.ok_or_else(wrong)?;
    if let Some(after) = after.strip_prefix(['u', 'U']) {
        return Ok((Literal::Uint(value), after));
    }
    let value = match i64::try_from(value) {
        Ok(value) => value,
        Err(_) if value == 1 << 63 => i64::MIN,
        Err(_) => return Err(wrong()),
    };
    Ok((Literal::Int(value), after))
}
