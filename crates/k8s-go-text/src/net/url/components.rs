//! The parts of a URL, as they are written, without allocation.

use super::authority::{self, Authority};
use super::error::UrlError;
use super::escape::{self, EscapeMode};

/// The kind of URL to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParseMode {
    /// A URL as in a request: it has a scheme or an absolute path.
    RequestUri,
    Any,
}

/// The parts of a valid URL.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UrlComponents<'t> {
    /// The scheme, or an empty string.
    pub(super) scheme: &'t str,
    pub(super) authority: Option<Authority<'t>>,
    /// The part after a scheme, if it does not begin with a slash.
    pub(super) opaque: &'t str,
    pub(super) path: &'t str,
    pub(super) query: Option<&'t str>,
}

impl<'t> UrlComponents<'t> {
    pub(super) fn host(&self) -> &'t str {
        self.authority.map_or("", |authority| authority.host)
    }

    pub(super) fn user(&self) -> Option<&'t str> {
        self.authority?.user
    }
}

pub(super) fn parse_components(
    text: &str,
    kind: ParseMode,
) -> Result<UrlComponents<'_>, UrlError<'_>> {
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return Err(UrlError::Message(
            "net/url: invalid control character in URL",
        ));
    }
    let mut parts = UrlComponents::default();
    if text.is_empty() && kind == ParseMode::RequestUri {
        return Err(UrlError::Message("empty url"));
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
        if kind == ParseMode::RequestUri {
            return Err(UrlError::Message("invalid URI for request"));
        }
        let (first, _) = rest.split_once('/').unwrap_or((rest, ""));
        if first.contains(':') {
            return Err(UrlError::Message(
                "first path segment in URL cannot contain colon",
            ));
        }
    }
    parts.path = rest;
    let has_authority = !scheme.is_empty() || kind == ParseMode::Any && !rest.starts_with("///");
    if has_authority && let Some(rest) = rest.strip_prefix("//") {
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        parts.authority = Some(authority::parse_authority(scheme, authority)?);
        parts.path = path;
    }
    escape::check_escapes(parts.path, EscapeMode::Path)?;
    Ok(parts)
}

/// Returns the scheme, which may be empty, and the rest.
fn scheme(text: &str) -> Result<(&str, &str), UrlError<'_>> {
    let is_more = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    match text.split_once(':') {
        Some(("", _)) => Err(UrlError::Message("missing protocol scheme")),
        Some((scheme, rest))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.bytes().all(is_more) =>
        {
            Ok((scheme, rest))
        }
        _ => Ok(("", text)),
    }
}
