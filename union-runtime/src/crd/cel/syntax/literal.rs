//! Numbers, texts and bytes as they are written.

use super::Literal;

/// A text or bytes in quotes, if one starts here, and its length.
pub(super) fn quoted(rest: &str) -> Result<Option<(Literal, usize)>, String> {
    let mut raw = false;
    let mut bytes = false;
    let mut prefix = 0;
    for c in rest.chars().take(2) {
        match c {
            'r' | 'R' if !raw => raw = true,
            'b' | 'B' if !bytes => bytes = true,
            _ => break,
        }
        prefix += 1;
    }
    let body = &rest[prefix..];
    let Some(quote) = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find(|quote| body.starts_with(quote))
    else {
        return Ok(None);
    };
    let body = &body[quote.len()..];
    let unclosed = || format!("token recognition error at: '{}'", rest.trim_end());
    let length = length_of(body, quote, raw).ok_or_else(unclosed)?;
    let text = body[..length].replace("\r\n", "\n").replace('\r', "\n");
    let literal = if bytes {
        Literal::Bytes(unescape(&text, raw, true)?)
    } else {
        let text = String::from_utf8(unescape(&text, raw, false)?);
        Literal::Text(text.map_err(|_| "invalid unicode code point".to_owned())?)
    };
    Ok(Some((literal, prefix + length + 2 * quote.len())))
}

/// The length of what stands before the closing quote.
fn length_of(body: &str, quote: &str, raw: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &body[at..];
        if rest.starts_with(quote) {
            return Some(at);
        }
        let mut chars = rest.chars();
        let c = chars.next()?;
        at += c.len_utf8();
        if c == '\n' && quote.len() == 1 {
            return None;
        }
        if c == '\\' && !raw {
            at += chars.next()?.len_utf8();
        }
    }
}

fn unescape(text: &str, raw: bool, bytes: bool) -> Result<Vec<u8>, String> {
    if raw || !text.contains('\\') {
        return Ok(text.as_bytes().to_vec());
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..start]);
        rest = &rest[start + 1..];
        rest = escape(rest, bytes, &mut out)?;
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

/// Reads what follows a backslash, and returns the rest.
fn escape<'t>(rest: &'t str, bytes: bool, out: &mut Vec<u8>) -> Result<&'t str, String> {
    let bad = || "unable to unescape string".to_owned();
    let c = rest.chars().next().ok_or_else(bad)?;
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
        return Ok(&rest[1..]);
    }
    let (skip, digits, radix) = match c {
        'x' | 'X' => (1, 2, 16),
        'u' if !bytes => (1, 4, 16),
        'U' if !bytes => (1, 8, 16),
        '0'..='3' => (0, 3, 8),
        _ => return Err(bad()),
    };
    let code = rest.get(skip..skip + digits).ok_or_else(bad)?;
    let code = u32::from_str_radix(code, radix).map_err(|_| bad())?;
    if bytes {
        out.push(u8::try_from(code).map_err(|_| bad())?);
    } else {
        let c = char::from_u32(code).ok_or_else(bad)?;
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(&rest[skip + digits..])
}

/// The number that starts here, without a sign, and its length.
pub(super) fn number(rest: &str) -> Result<(Literal, usize), String> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    if let Some(hex) = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        let length = hex.bytes().take_while(u8::is_ascii_hexdigit).count();
        if length > 0 {
            let unsigned = hex[length..].starts_with(['u', 'U']);
            let value = u64::from_str_radix(&hex[..length], 16);
            return integer(value.ok(), unsigned)
                .map(|value| (value, length + 2 + usize::from(unsigned)));
        }
    }
    let whole = digits(rest);
    let mut length = whole;
    let mut is_double = false;
    if rest[length..].starts_with('.') && digits(&rest[length + 1..]) > 0 {
        length += 1 + digits(&rest[length + 1..]);
        is_double = true;
    }
    if rest[length..].starts_with(['e', 'E']) {
        let exponent = &rest[length + 1..];
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let count = digits(&exponent[sign..]);
        if count > 0 {
            length += 1 + sign + count;
            is_double = true;
        }
    }
    if is_double {
        let value: f64 = rest[..length]
            .parse()
            .map_err(|_| "invalid double literal")?;
        return Ok((Literal::Double(value), length));
    }
    let unsigned = rest[length..].starts_with(['u', 'U']);
    integer(rest[..length].parse().ok(), unsigned)
        .map(|value| (value, length + usize::from(unsigned)))
}

/// An integer; 2^63 stays unsigned here, since a minus may follow from the parser.
fn integer(value: Option<u64>, unsigned: bool) -> Result<Literal, String> {
    match value {
        Some(value) if unsigned => Ok(Literal::Uint(value)),
        Some(value) => match i64::try_from(value) {
            Ok(value) => Ok(Literal::Int(value)),
            Err(_) if value == 1 << 63 => Ok(Literal::Int(i64::MIN)),
            Err(_) => Err("invalid int literal".to_owned()),
        },
        None => Err("invalid int literal".to_owned()),
    }
}
