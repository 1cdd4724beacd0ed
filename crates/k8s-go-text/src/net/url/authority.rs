//! Parses the authority of a URL: the user and the host.

use core::net::IpAddr;

use super::error::UrlError;
use super::escape::{self, EscapeMode};
use crate::net::ip;

/// The authority of a URL, between `//` and the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Authority<'t> {
    pub(super) user: Option<&'t str>,
    /// The host and the port.
    pub(super) host: &'t str,
}

/// Parses and checks an authority. The rules for the port depend on the scheme.
pub(super) fn parse_authority<'t>(
    scheme: &str,
    string: &'t str,
) -> Result<Authority<'t>, UrlError<'t>> {
    let (user, host) = match string.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, string),
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
        Some(("", inner)) => return check_ip_literal(inner),
        Some(_) => return Err(UrlError::Message("invalid IP-literal")),
        None => {}
    }
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    // As in Go, other schemes allow a list of hosts.
    let colon_index = if is_web {
        host.find(':')
    } else {
        host.rfind(':')
    };
    if let Some(colon_index) = colon_index {
        let (_, port) = host.split_at(colon_index);
        check_port(port)?;
    }
    Ok(escape::check_escapes(host, EscapeMode::Host)?)
}

/// Checks an IP literal, which is an IPv6 address in brackets, and the port after the brackets.
/// `inner` is the string after the opening bracket.
fn check_ip_literal(inner: &str) -> Result<(), UrlError<'_>> {
    let Some((address, port)) = inner.rsplit_once(']') else {
        return Err(UrlError::Message("missing ']' in host"));
    };
    check_port(port)?;
    let (address_without_zone, zone) =
        address.split_at(address.find("%25").unwrap_or(address.len()));
    escape::check_escapes(address_without_zone, EscapeMode::Host)?;
    escape::check_escapes(zone, EscapeMode::Zone)?;
    // Fast path for a valid address. Any nonempty zone is valid.
    let is_valid_v6 =
        |parsed: ip::Addr| matches!(parsed.address, IpAddr::V6(_)) && !parsed.has_zone;
    if zone != "%25" && ip::parse_addr(address_without_zone.as_bytes()).is_ok_and(is_valid_v6) {
        return Ok(());
    }
    let mut unescaped = escape::unescape_bytes(address_without_zone, EscapeMode::Host);
    unescaped.extend(escape::unescape_bytes(zone, EscapeMode::Zone));
    match ip::parse_addr(&unescaped) {
        Ok(_) => Err(UrlError::Message("invalid IP-literal")),
        Err(error) => Err(UrlError::InvalidHost(error.to_string())),
    }
}

/// Checks a port: empty, or a colon with any number of digits.
fn check_port(string: &str) -> Result<(), UrlError<'_>> {
    let is_valid = string
        .strip_prefix(':')
        .map_or(string.is_empty(), is_digits);
    if is_valid {
        Ok(())
    } else {
        Err(UrlError::InvalidPort(string))
    }
}

pub(super) fn is_digits(string: &str) -> bool {
    string.bytes().all(|byte| byte.is_ascii_digit())
}
