//! The user and the host of a URL.

use core::net::IpAddr;

use super::error::Why;
use super::escape::{self, Place};
use crate::net::ip;

/// The part between `//` and the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Authority<'t> {
    pub(super) user: Option<&'t str>,
    /// The host with its port.
    pub(super) host: &'t str,
}

pub(super) fn read<'t>(scheme: &str, text: &'t str) -> Result<Authority<'t>, Why<'t>> {
    let (user, host) = match text.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, text),
    };
    check_host(scheme, host)?;
    if let Some(user) = user {
        if !user.bytes().all(is_user_byte) {
            return Err(Why::Said("net/url: invalid userinfo"));
        }
        let (name, password) = user.split_once(':').unwrap_or((user, ""));
        escape::check(name, Place::User)?;
        escape::check(password, Place::User)?;
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

fn check_host<'t>(scheme: &str, host: &'t str) -> Result<(), Why<'t>> {
    match host.rsplit_once('[') {
        Some(("", inner)) => return check_literal(inner),
        Some(_) => return Err(Why::Said("invalid IP-literal")),
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
    Ok(escape::check(host, Place::Host)?)
}

/// Checks an IPv6 address in brackets, and the port after the bracket.
fn check_literal(inner: &str) -> Result<(), Why<'_>> {
    let Some((address, port)) = inner.rsplit_once(']') else {
        return Err(Why::Said("missing ']' in host"));
    };
    check_port(port)?;
    let (plain, zone) = address.split_at(address.find("%25").unwrap_or(address.len()));
    escape::check(plain, Place::Host)?;
    escape::check(zone, Place::Zone)?;
    // Any zone is valid if it is not empty.
    let is_read = |read: ip::Read| matches!(read.address, IpAddr::V6(_)) && !read.has_zone;
    if zone != "%25" && ip::read(plain.as_bytes()).is_ok_and(is_read) {
        return Ok(());
    }
    let mut whole = escape::unescaped(plain, Place::Host);
    whole.extend(escape::unescaped(zone, Place::Zone));
    match ip::read(&whole) {
        Ok(_) => Err(Why::Said("invalid IP-literal")),
        Err(why) => Err(Why::Host(why.to_string())),
    }
}

/// Checks a port: an empty string, or a colon with any number of digits.
fn check_port(text: &str) -> Result<(), Why<'_>> {
    let is_right = text.strip_prefix(':').map_or(text.is_empty(), is_digits);
    if is_right {
        Ok(())
    } else {
        Err(Why::Port(text))
    }
}

pub(super) fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
