//! URLs as Go reads them (RFC 3986, and what Go makes of it): as far as a CRD is judged by them.

use core::fmt::Write as _;
use core::net::Ipv6Addr;
use std::borrow::Cow;

use k8s_json_internals::quote::Quoted;

/// The parts of a URL that are asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Url<'t> {
    /// In small letters.
    pub(super) scheme: String,
    pub(super) host: String,
    /// Name and password, as they are written in a URL.
    pub(super) user: Option<String>,
    pub(super) fragment: String,
    pub(super) query: &'t str,
}

impl<'t> Url<'t> {
    /// Reads a URL, or says what is wrong with it, as Go words it.
    pub(super) fn parse(text: &'t str) -> Result<Self, String> {
        let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
        let mut url = Self::read(before, false).map_err(|problem| worded(before, &problem))?;
        // Seen: the text of this error has the fragment too.
        url.fragment =
            unescaped(fragment, Part::Other).map_err(|problem| worded(text, &problem))?;
        Ok(url)
    }

    /// Reads the URL of a request, which has no fragment, and no relative path.
    pub(super) fn parse_request(text: &'t str) -> Result<Self, String> {
        Self::read(text, true).map_err(|problem| worded(text, &problem))
    }

    fn read(text: &'t str, is_of_request: bool) -> Result<Self, String> {
        if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
            return Err("net/url: invalid control character in URL".to_owned());
        }
        let mut url = Self::default();
        if text == "*" {
            return Ok(url);
        }
        if text.is_empty() && is_of_request {
            return Err("empty url".to_owned());
        }
        let (scheme, rest) = split_scheme(text)?;
        url.scheme = scheme.to_ascii_lowercase();
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        url.query = query;
        if !rest.starts_with('/') {
            if !scheme.is_empty() {
                return Ok(url);
            }
            if is_of_request {
                return Err("invalid URI for request".to_owned());
            }
            let first = rest.split('/').next().unwrap_or_default();
            if first.contains(':') {
                return Err("first path segment in URL cannot contain colon".to_owned());
            }
        }
        let has_authority = !scheme.is_empty() || !is_of_request && !rest.starts_with("///");
        let mut path = rest;
        if let Some(after) = rest.strip_prefix("//").filter(|_| has_authority) {
            let end = after.find('/').unwrap_or(after.len());
            let (authority, after) = after.split_at(end);
            (url.user, url.host) = read_authority(authority)?;
            path = after;
        }
        unescaped(path, Part::Other)?;
        Ok(url)
    }
}

fn worded(text: &str, problem: &str) -> String {
    format!("parse {}: {problem}", Quoted(text))
}

/// The scheme, if there is one, and what follows the colon.
fn split_scheme(text: &str) -> Result<(&str, &str), String> {
    let is_in_scheme =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let end = text.bytes().take_while(|byte| is_in_scheme(*byte)).count();
    let (scheme, rest) = text.split_at(end);
    let Some(rest) = rest.strip_prefix(':') else {
        return Ok(("", text));
    };
    if scheme.is_empty() {
        return Err("missing protocol scheme".to_owned());
    }
    if scheme.starts_with(|first: char| first.is_ascii_alphabetic()) {
        Ok((scheme, rest))
    } else {
        Ok(("", text))
    }
}

/// User and host.
fn read_authority(authority: &str) -> Result<(Option<String>, String), String> {
    let Some((user, host)) = authority.rsplit_once('@') else {
        return Ok((None, read_host(authority)?));
    };
    let host = read_host(host)?;
    let is_valid = |c: char| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c);
    if !user.chars().all(is_valid) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    let (name, password) = match user.split_once(':') {
        Some((name, password)) => (name, Some(password)),
        None => (user, None),
    };
    let mut text = escaped_user(&unescaped_bytes(name, Part::Other)?);
    if let Some(password) = password {
        text.push(':');
        text.push_str(&escaped_user(&unescaped_bytes(password, Part::Other)?));
    }
    Ok((Some(text), host))
}

fn read_host(host: &str) -> Result<String, String> {
    match host.rfind('[') {
        Some(0) => {
            let Some((address, port)) = host.rsplit_once(']') else {
                return Err("missing ']' in host".to_owned());
            };
            check_port(port)?;
            let address = address.strip_prefix('[').unwrap_or(address);
            check_address(address)?;
        }
        Some(_) => return Err("invalid IP-literal".to_owned()),
        None => {
            if let Some(colon) = host.find(':') {
                check_port(host.get(colon..).unwrap_or_default())?;
            }
        }
    }
    unescaped(host, Part::Host)
}

/// A port with its colon, or nothing.
fn check_port(port: &str) -> Result<(), String> {
    let digits = port.strip_prefix(':');
    let is_valid = port.is_empty()
        || digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    if is_valid {
        return Ok(());
    }
    Err(format!("invalid port {} after host", Quoted(port)))
}

/// An address in brackets, with a zone or without.
fn check_address(text: &str) -> Result<(), String> {
    let (address, zone) = text.split_once("%25").unwrap_or((text, ""));
    unescaped(zone, Part::Zone)?;
    let address = unescaped(address, Part::Host)?;
    if address.parse::<Ipv6Addr>().is_ok() {
        return Ok(());
    }
    if address.parse::<core::net::Ipv4Addr>().is_ok() {
        return Err("invalid IP-literal".to_owned());
    }
    // Go says more where there is a colon or a dot in it.
    let quoted = Quoted(&address);
    Err(format!(
        "invalid host: ParseAddr({quoted}): unable to parse IP"
    ))
}

/// Where a text with escapes stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Host,
    Zone,
    Other,
}

fn unescaped(text: &str, part: Part) -> Result<String, String> {
    let bytes = unescaped_bytes(text, part)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn unescaped_bytes(text: &str, part: Part) -> Result<Cow<'_, [u8]>, String> {
    let is_plain = |c: char| c != '%' && (part == Part::Other || is_of_host(c));
    if text.chars().all(is_plain) {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c != '%' {
            if part != Part::Other && !is_of_host(c) {
                let found = Quoted(c.encode_utf8(&mut [0; 4])).to_string();
                return Err(format!("invalid character {found} in host name"));
            }
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        let escape: String = text.get(at..).unwrap_or_default().chars().take(3).collect();
        let byte = escape.get(1..3).and_then(|hex| {
            let is_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
            u8::from_str_radix(hex, 16).ok().filter(|_| is_hex)
        });
        match byte {
            // A host has no letters that are escaped, but for those of other scripts.
            Some(byte) if part != Part::Host || byte >= 0x80 || byte == b'%' => {
                bytes.push(byte);
                chars.nth(1);
            }
            _ => return Err(format!("invalid URL escape {}", Quoted(&escape))),
        }
    }
    Ok(Cow::Owned(bytes))
}

fn is_of_host(c: char) -> bool {
    !c.is_ascii() || c.is_ascii_alphanumeric() || "-_.~!$&'()*+,;=:[]<>\"".contains(c)
}

/// A name or password as it is written in a URL.
fn escaped_user(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-_.~$&+,;=".contains(byte) {
            text.push(char::from(*byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}
