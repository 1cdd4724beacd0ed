//! The parts of a URL, as they are written, without allocation.

use super::authority::{self, Authority};
use super::error::Why;
use super::escape::{self, Place};

/// The kind of URL to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A URL as in a request: it has a scheme or an absolute path.
    Request,
    Any,
}

/// The parts of a valid URL.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts<'t> {
    /// The scheme, or an empty string.
    pub(super) scheme: &'t str,
    pub(super) authority: Option<Authority<'t>>,
    /// The part after a scheme, if it does not begin with a slash.
    pub(super) opaque: &'t str,
    pub(super) path: &'t str,
    pub(super) query: Option<&'t str>,
}

impl<'t> Parts<'t> {
    pub(super) fn host(&self) -> &'t str {
        self.authority.map_or("", |authority| authority.host)
    }

    pub(super) fn user(&self) -> Option<&'t str> {
        self.authority?.user
    }
}

pub(super) fn read(text: &str, kind: Kind) -> Result<Parts<'_>, Why<'_>> {
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return Err(Why::Said("net/url: invalid control character in URL"));
    }
    let mut parts = Parts::default();
    if text.is_empty() && kind == Kind::Request {
        return Err(Why::Said("empty url"));
    }
    if text == "*" {
        parts.path = text;
        return Ok(parts);
    }
    let (scheme, rest) = scheme(text)?;
    parts.scheme = scheme;
    let (rest, query) = match rest.split_once('?') {
        Some((rest, query)) => (rest, Some(query)),
        None => (rest, None),
    };
    parts.query = query;
    if !rest.starts_with('/') {
        if !scheme.is_empty() {
            // The rest is not checked for schemes such as `mailto:`.
            parts.opaque = rest;
            return Ok(parts);
        }
        if kind == Kind::Request {
            return Err(Why::Said("invalid URI for request"));
        }
        let (first, _) = rest.split_once('/').unwrap_or((rest, ""));
        if first.contains(':') {
            return Err(Why::Said("first path segment in URL cannot contain colon"));
        }
    }
    parts.path = rest;
    let has_authority = !scheme.is_empty() || kind == Kind::Any && !rest.starts_with("///");
    if has_authority && let Some(rest) = rest.strip_prefix("//") {
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        parts.authority = Some(authority::read(scheme, authority)?);
        parts.path = path;
    }
    escape::check(parts.path, Place::Path)?;
    Ok(parts)
}

/// Returns the scheme, which may be empty, and the rest.
fn scheme(text: &str) -> Result<(&str, &str), Why<'_>> {
    let is_more = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    match text.split_once(':') {
        Some(("", _)) => Err(Why::Said("missing protocol scheme")),
        Some((scheme, rest))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.bytes().all(is_more) =>
        {
            Ok((scheme, rest))
        }
        _ => Ok(("", text)),
    }
}
