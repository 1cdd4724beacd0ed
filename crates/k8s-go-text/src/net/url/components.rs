//! Splits a URL into its components, without allocation and without resolving escapes.

use super::authority::{self, Authority};
use super::error::UrlError;
use super::escape::{self, EscapeMode};

/// The kind of URL to accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParseMode {
    /// A URL of a request, which has a scheme or an absolute path.
    RequestUri,
    Any,
}

/// The components of a valid URL.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UrlComponents<'t> {
    /// The scheme, which may be empty.
    pub(super) scheme: &'t str,
    pub(super) authority: Option<Authority<'t>>,
    /// The part after the scheme, if it does not start with a slash.
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

/// Splits a URL without a fragment into its components, and checks each component.
pub(super) fn parse_components(
    string: &str,
    mode: ParseMode,
) -> Result<UrlComponents<'_>, UrlError<'_>> {
    if string.bytes().any(|byte| byte.is_ascii_control()) {
        return Err(UrlError::Message(
            "net/url: invalid control character in URL",
        ));
    }
    let mut components = UrlComponents::default();
    if string.is_empty() && mode == ParseMode::RequestUri {
        return Err(UrlError::Message("empty url"));
    }
    if string == "*" {
        components.path = string;
        return Ok(components);
    }
    let (scheme, rest) = split_scheme(string)?;
    components.scheme = scheme;
    let (rest, query) = match rest.split_once('?') {
        Some((rest, query)) => (rest, Some(query)),
        None => (rest, None),
    };
    components.query = query;
    if !rest.starts_with('/') {
        if !scheme.is_empty() {
            // As in Go, the rest is not checked for schemes such as `mailto:`.
            components.opaque = rest;
            return Ok(components);
        }
        if mode == ParseMode::RequestUri {
            return Err(UrlError::Message("invalid URI for request"));
        }
        let (first_segment, _) = rest.split_once('/').unwrap_or((rest, ""));
        if first_segment.contains(':') {
            return Err(UrlError::Message(
                "first path segment in URL cannot contain colon",
            ));
        }
    }
    components.path = rest;
    let has_authority = !scheme.is_empty() || mode == ParseMode::Any && !rest.starts_with("///");
    if has_authority && let Some(rest) = rest.strip_prefix("//") {
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        components.authority = Some(authority::parse_authority(scheme, authority)?);
        components.path = path;
    }
    escape::check_escapes(components.path, EscapeMode::Path)?;
    Ok(components)
}

/// Returns the scheme, which may be empty, and the rest.
fn split_scheme(string: &str) -> Result<(&str, &str), UrlError<'_>> {
    let is_scheme_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    match string.split_once(':') {
        Some(("", _)) => Err(UrlError::Message("missing protocol scheme")),
        Some((scheme, rest))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.bytes().all(is_scheme_byte) =>
        {
            Ok((scheme, rest))
        }
        _ => Ok(("", string)),
    }
}
