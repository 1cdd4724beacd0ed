//! Parses and prints URLs as Go's `net/url` does.

use core::fmt;

use k8s_json_internals::quote::GoQuoted;

use super::components::{ParseMode, UrlComponents};
use super::escape::{EscapeMode, escape_bytes, escape_if_needed, unescape_bytes};
use super::{authority, components, escape};

/// A URL. In its strings, each byte that is not UTF-8 is a replacement character.
#[derive(Clone, Debug)]
pub struct Url {
    /// The scheme in lower case, which may be empty.
    pub scheme: String,
    /// The user as Go prints it, with the password, if there is one.
    pub user: Option<String>,
    /// The host and the port, with escapes resolved.
    pub host: String,
    /// The path, with its escapes.
    pub escaped_path: String,
    /// The query, with its escapes.
    pub raw_query: String,
    /// The fragment, with escapes resolved. It may contain bytes that are not UTF-8.
    pub fragment: Vec<u8>,
    /// The URL as Go prints it. URLs are compared by this string.
    string: String,
}

/// Returns true for an absolute URL or an absolute path.
#[must_use]
pub fn is_request_uri(string: &str) -> bool {
    components::parse_components(string, ParseMode::RequestUri).is_ok()
}

/// Checks that a string is an absolute URL or an absolute path.
///
/// # Errors
///
/// Returns Go's error message if the string is neither.
pub fn check_request_uri(string: &str) -> Result<(), String> {
    match components::parse_components(string, ParseMode::RequestUri) {
        Ok(_) => Ok(()),
        Err(error) => Err(parse_error(string, &error)),
    }
}

/// Returns the message of a `url.Error` of Go.
fn parse_error(string: &str, error: &dyn fmt::Display) -> String {
    format!("parse {}: {error}", GoQuoted(string))
}

impl Url {
    /// Parses a URL, as Go's `url.Parse` does.
    ///
    /// # Errors
    ///
    /// Returns Go's error message if the string is not a URL.
    pub fn parse(string: &str) -> Result<Self, String> {
        let (without_fragment, fragment) = string.split_once('#').unwrap_or((string, ""));
        let components = components::parse_components(without_fragment, ParseMode::Any)
            .map_err(|error| parse_error(without_fragment, &error))?;
        // The message of this error contains the string with the fragment.
        escape::check_escapes(fragment, EscapeMode::Fragment)
            .map_err(|error| parse_error(string, &error))?;
        Ok(Self::from_components(&components, fragment))
    }

    /// Parses an absolute URL or an absolute path without a fragment, as Go's `url.ParseRequestURI`
    /// does.
    ///
    /// # Errors
    ///
    /// Returns Go's error message if the string is neither.
    pub fn parse_request_uri(string: &str) -> Result<Self, String> {
        let components = components::parse_components(string, ParseMode::RequestUri)
            .map_err(|error| parse_error(string, &error))?;
        Ok(Self::from_components(&components, ""))
    }

    /// Parses a URL as the CEL function `url` does: an absolute URL or path, optionally with a
    /// fragment.
    ///
    /// # Errors
    ///
    /// Returns Go's error message if the string is not an absolute URL or path.
    pub fn parse_in_rule(string: &str) -> Result<Self, String> {
        check_request_uri(string)?;
        Self::parse(string)
    }

    fn from_components(components: &UrlComponents<'_>, fragment: &str) -> Self {
        let scheme = components.scheme.to_ascii_lowercase();
        let user = components.user().map(format_user);
        let host = unescape_bytes(components.host(), EscapeMode::Host);
        let escaped_path = escape_if_needed(components.path, EscapeMode::Path);
        let mut string = String::new();
        if !scheme.is_empty() {
            string.push_str(&scheme);
            string.push(':');
        }
        let has_no_authority_and_path =
            host.is_empty() && components.path.is_empty() && user.is_none();
        if components.authority.is_some() && !has_no_authority_and_path {
            string.push_str("//");
        }
        if let Some(user) = &user {
            string.push_str(user);
            string.push('@');
        }
        string.push_str(&escape_bytes(&host, EscapeMode::Host));
        string.push_str(components.opaque);
        // Otherwise, the part before the first colon would parse as a scheme.
        let (first_segment, _) = escaped_path.split_once('/').unwrap_or((&escaped_path, ""));
        if string.is_empty() && first_segment.contains(':') {
            string.push_str("./");
        }
        string.push_str(&escaped_path);
        if let Some(query) = components.query {
            string.push('?');
            string.push_str(query);
        }
        if !fragment.is_empty() {
            string.push('#');
            string.push_str(&escape_if_needed(fragment, EscapeMode::Fragment));
        }
        Self {
            scheme,
            user,
            host: escape::to_string_lossy(&host),
            escaped_path,
            raw_query: components.query.unwrap_or_default().to_owned(),
            fragment: unescape_bytes(fragment, EscapeMode::Fragment),
            string,
        }
    }

    /// Returns the host without the port; an address is returned without its brackets.
    #[must_use]
    pub fn hostname(&self) -> &str {
        let (name, _) = self.name_and_port();
        let inner = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'));
        inner.unwrap_or(name)
    }

    /// Returns the port, which may be empty.
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

    /// Returns the names of the query with their values, in the order of their first occurrence.
    /// Invalid pairs are left out.
    #[must_use]
    pub fn query(&self) -> Vec<(String, Vec<String>)> {
        let mut entries: Vec<(String, Vec<String>)> = Vec::new();
        let mut positions = std::collections::HashMap::new();
        for pair in self.raw_query.split('&') {
            if pair.is_empty() || pair.contains(';') {
                continue;
            }
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let is_valid = |string| escape::check_escapes(string, EscapeMode::Query).is_ok();
            if !is_valid(name) || !is_valid(value) {
                continue;
            }
            let unescape =
                |string| escape::to_string_lossy(&unescape_bytes(string, EscapeMode::Query));
            let name = unescape(name);
            let position = *positions.entry(name.clone()).or_insert(entries.len());
            match entries.get_mut(position) {
                Some((_, values)) => values.push(unescape(value)),
                None => entries.push((name, vec![unescape(value)])),
            }
        }
        entries
    }
}

/// Returns a user and a password (`user:password`) as Go prints them.
fn format_user(user_info: &str) -> String {
    let normalize = |component: &str| {
        escape_bytes(
            &unescape_bytes(component, EscapeMode::User),
            EscapeMode::User,
        )
    };
    match user_info.split_once(':') {
        Some((name, password)) => format!("{}:{}", normalize(name), normalize(password)),
        None => normalize(user_info),
    }
}

/// Prints the URL as Go does.
impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.string)
    }
}

impl PartialEq for Url {
    fn eq(&self, other: &Self) -> bool {
        self.string == other.string
    }
}

#[cfg(test)]
mod tests {
    use super::Url;

    #[test]
    fn urls_are_printed_as_in_go() {
        for (string, printed) in [
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
            let url = Url::parse(string).map(|url| url.to_string());
            assert_eq!(url.as_deref(), Ok(printed), "{string}");
        }
    }
}
