//! Parses and prints a URL, as Go's `net/url` does.

use core::fmt;

use k8s_json_internals::quote::GoQuoted;

use super::components::{ParseMode, UrlComponents};
use super::escape::{EscapeMode, escape_bytes, escape_if_needed, unescape_bytes};
use super::{authority, components, escape};

/// A URL. In its strings, each byte that is not UTF-8 is a replacement character.
#[derive(Clone, Debug)]
pub struct Url {
    /// The scheme in lower case; empty without one.
    pub scheme: String,
    /// The user as Go prints it, with the password if there is one.
    pub user: Option<String>,
    /// The host with its port; escapes are resolved.
    pub host: String,
    /// The path with its escapes.
    pub escaped_path: String,
    /// The query as it is written.
    pub raw_query: String,
    /// The fragment; escapes are resolved, so that it may have bytes that are not UTF-8.
    pub fragment: Vec<u8>,
    /// The URL as Go prints it, by which URLs are compared.
    text: String,
}

/// Returns true for an absolute URL or an absolute path.
#[must_use]
pub fn is_request_uri(text: &str) -> bool {
    components::parse_components(text, ParseMode::RequestUri).is_ok()
}

/// Checks that a string is an absolute URL or an absolute path.
///
/// # Errors
///
/// Returns Go's error message if the string is neither.
pub fn check_request_uri(text: &str) -> Result<(), String> {
    match components::parse_components(text, ParseMode::RequestUri) {
        Ok(_) => Ok(()),
        Err(why) => Err(parse_error(text, &why)),
    }
}

fn parse_error(text: &str, why: &dyn fmt::Display) -> String {
    format!("parse {}: {why}", GoQuoted(text))
}

impl Url {
    /// Parses a URL, as `url.Parse` does.
    ///
    /// # Errors
    ///
    /// Returns Go's error message if the string is not a URL.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
        let parts = components::parse_components(before, ParseMode::Any)
            .map_err(|why| parse_error(before, &why))?;
        // The message of this error also contains the fragment.
        escape::check_escapes(fragment, EscapeMode::Fragment)
            .map_err(|why| parse_error(text, &why))?;
        Ok(Self::from_components(&parts, fragment))
    }

    /// Parses an absolute URL or an absolute path without a fragment, as `url.ParseRequestURI`
    /// does.
    ///
    /// # Errors
    ///
    /// Returns Go's error message if the string is neither.
    pub fn parse_request_uri(text: &str) -> Result<Self, String> {
        let parts = components::parse_components(text, ParseMode::RequestUri)
            .map_err(|why| parse_error(text, &why))?;
        Ok(Self::from_components(&parts, ""))
    }

    /// Parses a URL as the function `url` of CEL does: an absolute URL, optionally with a fragment.
    ///
    /// # Errors
    ///
    /// Returns Go's error message if the string is not an absolute URL or path.
    pub fn parse_in_rule(text: &str) -> Result<Self, String> {
        check_request_uri(text)?;
        Self::parse(text)
    }

    fn from_components(parts: &UrlComponents<'_>, fragment: &str) -> Self {
        let scheme = parts.scheme.to_ascii_lowercase();
        let user = parts.user().map(printed_user);
        let host = unescape_bytes(parts.host(), EscapeMode::Host);
        let escaped_path = escape_if_needed(parts.path, EscapeMode::Path);
        let mut text = String::new();
        if !scheme.is_empty() {
            text.push_str(&scheme);
            text.push(':');
        }
        let is_empty = host.is_empty() && parts.path.is_empty() && user.is_none();
        if parts.authority.is_some() && !is_empty {
            text.push_str("//");
        }
        if let Some(user) = &user {
            text.push_str(user);
            text.push('@');
        }
        text.push_str(&escape_bytes(&host, EscapeMode::Host));
        text.push_str(parts.opaque);
        // The part before the first colon would be parsed as a scheme.
        let (first, _) = escaped_path.split_once('/').unwrap_or((&escaped_path, ""));
        if text.is_empty() && first.contains(':') {
            text.push_str("./");
        }
        text.push_str(&escaped_path);
        if let Some(query) = parts.query {
            text.push('?');
            text.push_str(query);
        }
        if !fragment.is_empty() {
            text.push('#');
            text.push_str(&escape_if_needed(fragment, EscapeMode::Fragment));
        }
        Self {
            scheme,
            user,
            host: escape::to_string_lossy(&host),
            escaped_path,
            raw_query: parts.query.unwrap_or_default().to_owned(),
            fragment: unescape_bytes(fragment, EscapeMode::Fragment),
            text,
        }
    }

    /// Returns the host without its port, and an address without its brackets.
    #[must_use]
    pub fn hostname(&self) -> &str {
        let (name, _) = self.name_and_port();
        let inner = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'));
        inner.unwrap_or(name)
    }

    /// Returns the port, which is empty without one.
    #[must_use]
    pub fn port(&self) -> &str {
        let (_, port) = self.name_and_port();
        port
    }

    fn name_and_port(&self) -> (&str, &str) {
        match self.host.rsplit_once(':') {
            Some((name, port)) if authority::is_digits(port) => (name, port),
            _ => (&self.host, ""),
        }
    }

    /// Returns the names of the query with their values, in the order of their first appearance.
    /// Invalid pairs are left out.
    #[must_use]
    pub fn query(&self) -> Vec<(String, Vec<String>)> {
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for pair in self.raw_query.split('&') {
            if pair.is_empty() || pair.contains(';') {
                continue;
            }
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let is_read = |text| escape::check_escapes(text, EscapeMode::Query).is_ok();
            if !is_read(name) || !is_read(value) {
                continue;
            }
            let read = |text| escape::to_string_lossy(&unescape_bytes(text, EscapeMode::Query));
            let name = read(name);
            let at = *places.entry(name.clone()).or_insert(found.len());
            match found.get_mut(at) {
                Some((_, values)) => values.push(read(value)),
                None => found.push((name, vec![read(value)])),
            }
        }
        found
    }
}

/// Returns a user and a password as Go prints them.
fn printed_user(written: &str) -> String {
    let again =
        |half: &str| escape_bytes(&unescape_bytes(half, EscapeMode::User), EscapeMode::User);
    match written.split_once(':') {
        Some((name, password)) => format!("{}:{}", again(name), again(password)),
        None => again(written),
    }
}

/// Prints the URL as Go does.
impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Url {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

#[cfg(test)]
mod tests {
    use super::Url;

    #[test]
    fn urls_are_printed_as_go_prints_them() {
        for (text, printed) in [
            ("HTTPS://u:p@h:1/a?b#c", "https://u:p@h:1/a?b#c"),
            ("a%3Ab|/c:d", "./a:b%7C/c:d"),
            ("a/b%3Ac|", "a/b:c%7C"),
            ("a%3Ab", "a%3Ab"),
            ("//h/a%3Ab|", "//h/a:b%7C"),
            ("mailto:a:b?c#", "mailto:a:b?c"),
            ("http:///a", "http:///a"),
            ("http:/a", "http:/a"),
            ("///a", "///a"),
            ("http://h?", "http://h?"),
            ("http://u%2F:%3a@h/%2f", "http://u%2F:%3A@h/%2f"),
        ] {
            let url = Url::parse(text).map(|url| url.to_string());
            assert_eq!(url.as_deref(), Ok(printed), "{text}");
        }
    }
}
