//! The user and the host of a URL.

use core::net::IpAddr;

use super::error::UrlError;
use super::escape::{self, EscapeMode};
use crate::net::ip;

/// The part between `//` and the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Authority<'t> {
    pub(super) user: Option<&'t str>,
    /// The host with its port.
    pub(super) host: &'t str,
}

pub(super) fn parse_authority<'t>(
    scheme: &str,
    text: &'t str,
) -> Result<Authority<'t>, UrlError<'t>> {
    let (user, host) = match text.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, text),
    };
    check_host(scheme, host)?;
    if let Some(user) = user {
        if !user.bytes().all(is_user_byte) {
            return Err(UrlError::Message("net/url: invalid userinfo"));
        }
        let (name, password) = user.split_once(':').unwrap_or((user, ""));
        escape::check_escapes(name, EscapeMode::User)?;
        escape::check_escapes(password, EscapeMode::User)?;
    }
    Ok(Authority { user, host })
}

const fn is_user_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-' | b'.'
                | b'_'
                | b':'
                | b'~'
                | b'!'
                | b'$'
                | b'&'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b';'
                | b'='
                | b'%'
                | b'@'
        )
}

fn check_host<'t>(scheme: &str, host: &'t str) -> Result<(), UrlError<'t>> {
    match host.rsplit_once('[') {
        Some(("", inner)) => return check_literal(inner),
        Some(_) => return Err(UrlError::Message("invalid IP-literal")),
        None => {}
    }
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    // Lists of hosts are accepted if the scheme is neither `http` nor `https`.
    let colon = if is_web {
        host.find(':')
    } else {
        host.rfind(':')
    };
    if let Some(colon) = colon {
        let (_, port) = host.split_at(colon);
        check_port(port)?;
    }
    Ok(escape::check_escapes(host, EscapeMode::Host)?)
}

/// Checks an IPv6 address in brackets, and the port after the bracket.
fn check_literal(inner: &str) -> Result<(), UrlError<'_>> {
    let Some((address, port)) = inner.rsplit_once(']') else {
        return Err(UrlError::Message("missing ']' in host"));
    };
    check_port(port)?;
    let (plain, zone) = address.split_at(address.find("%25").unwrap_or(address.len()));
    escape::check_escapes(plain, EscapeMode::Host)?;
    escape::check_escapes(zone, EscapeMode::Zone)?;
    // Any zone is valid if it is not empty.
    let is_read = |read: ip::Addr| matches!(read.address, IpAddr::V6(_)) && !read.has_zone;
    if zone != "%25" && ip::parse_addr(plain.as_bytes()).is_ok_and(is_read) {
        return Ok(());
    }
    let mut whole = escape::unescape_bytes(plain, EscapeMode::Host);
    whole.extend(escape::unescape_bytes(zone, EscapeMode::Zone));
    match ip::parse_addr(&whole) {
        Ok(_) => Err(UrlError::Message("invalid IP-literal")),
        Err(why) => Err(UrlError::InvalidHost(why.to_string())),
    }
}

/// Checks a port: an empty string, or a colon with any number of digits.
fn check_port(text: &str) -> Result<(), UrlError<'_>> {
    let is_right = text.strip_prefix(':').map_or(text.is_empty(), is_digits);
    if is_right {
        Ok(())
    } else {
        Err(UrlError::InvalidPort(text))
    }
}

pub(super) fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
