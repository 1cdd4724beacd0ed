//! `uri`: an absolute URI or an absolute path, as Go reads it from a request.

use super::ip::is_plain_v6;
use k8s_json_internals::scan::is_hex;

pub(super) fn is_uri(text: &str) -> bool {
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return false;
    }
    if text == "*" {
        return true;
    }
    let Ok((scheme, rest)) = split_scheme(text) else {
        return false;
    };
    let rest = rest.split_once('?').map_or(rest, |(path, _)| path);
    let Some(scheme) = scheme else {
        return rest.starts_with('/') && has_whole_escapes(rest);
    };
    if !rest.starts_with('/') {
        // `mailto:` and the like: anything goes.
        return true;
    }
    let Some(rest) = rest.strip_prefix("//") else {
        return has_whole_escapes(rest);
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    is_authority(scheme, authority) && has_whole_escapes(path)
}

/// There is a colon, but nothing before it.
struct NoScheme;

fn split_scheme(text: &str) -> Result<(Option<&str>, &str), NoScheme> {
    let is_more = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    match text.split_once(':') {
        Some(("", _)) => Err(NoScheme),
        Some((scheme, rest))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.bytes().all(is_more) =>
        {
            Ok((Some(scheme), rest))
        }
        _ => Ok((None, text)),
    }
}

/// Whether each `%` has two hex digits after it.
fn has_whole_escapes(text: &str) -> bool {
    let mut parts = text.as_bytes().split(|byte| *byte == b'%');
    parts.next();
    parts.all(|part| matches!(part, [a, b, ..] if is_hex(*a) && is_hex(*b)))
}

fn is_authority(scheme: &str, authority: &str) -> bool {
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (user, host),
        None => ("", authority),
    };
    is_host(scheme, host) && user.bytes().all(is_user_byte) && has_whole_escapes(user)
}

fn is_user_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte)
}

fn is_host(scheme: &str, host: &str) -> bool {
    match host.rsplit_once('[') {
        Some(("", rest)) => {
            let Some((address, port)) = rest.rsplit_once(']') else {
                return false;
            };
            return is_port(port) && is_literal(address);
        }
        Some(_) => return false,
        None => {}
    }
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    // Lists of hosts are taken where the scheme is not that of the web.
    let cut = if is_web {
        host.split_once(':')
    } else {
        host.rsplit_once(':')
    };
    cut.is_none_or(|(_, port)| is_digits(port)) && has_host_bytes(host)
}

/// Nothing, or a colon and digits, which may be none.
fn is_port(text: &str) -> bool {
    text.strip_prefix(':').map_or(text.is_empty(), is_digits)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What stands in brackets: an address of the new kind, and its zone after `%25`.
fn is_literal(text: &str) -> bool {
    let Some((address, zone)) = text.split_once("%25") else {
        return is_plain_v6(text.as_bytes());
    };
    is_plain_v6(address.as_bytes()) && !zone.is_empty() && has_zone_bytes(zone)
}

/// Only bytes beyond ASCII may be escaped in a host, and `%` itself.
fn has_host_bytes(host: &str) -> bool {
    is_escaped(host, |value| value >= 0x80 || value == b'%')
}

fn has_zone_bytes(zone: &str) -> bool {
    is_escaped(zone, |value| {
        value == b'%' || value == b' ' || is_host_byte(value)
    })
}

/// Whether a text has bytes of a host, or escapes of bytes that may be escaped.
fn is_escaped(text: &str, may_be_escaped: impl Fn(u8) -> bool) -> bool {
    let mut rest = text.as_bytes();
    loop {
        rest = match rest {
            [] => return true,
            [b'%', a, b, after @ ..] => match (hex(*a), hex(*b)) {
                (Some(a), Some(b)) if may_be_escaped(a << 4 | b) => after,
                _ => return false,
            },
            [byte, after @ ..] if *byte >= 0x80 || is_host_byte(*byte) => after,
            _ => return false,
        }
    }
}

fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!\"$&'()*+,-.:;<=>[]_~".contains(&byte)
}

fn hex(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}
