//! URLs, as Go's `net/url` reads them, and as rules take them.

mod authority;
mod escape;
mod parts;

use core::fmt;

use k8s_json_internals::quote::Quoted;

use self::escape::{Place, escaped, kept, unescaped};
use self::parts::{Kind, Parts};

/// A URL.
#[derive(Clone, Debug)]
pub struct Url {
    /// The scheme in small letters; empty without one.
    pub scheme: String,
    /// With its port; escapes are resolved.
    pub host: String,
    /// The path with its escapes.
    pub escaped_path: String,
    /// As it is written.
    query: String,
    /// The whole, in one of the ways to write it, by which URLs are compared.
    text: String,
}

/// Whether a text is an absolute URL or an absolute path.
#[must_use]
pub fn is_request_uri(text: &str) -> bool {
    parts::read(text, Kind::Request).is_ok()
}

/// Checks that a text is an absolute URL or an absolute path.
///
/// # Errors
///
/// What Go says.
pub fn check_request_uri(text: &str) -> Result<(), String> {
    match parts::read(text, Kind::Request) {
        Ok(_) => Ok(()),
        Err(why) => Err(said(text, &why)),
    }
}

fn said(text: &str, why: &dyn fmt::Display) -> String {
    format!("parse {}: {why}", Quoted(text))
}

impl Url {
    /// Reads a URL.
    ///
    /// # Errors
    ///
    /// What an API server says.
    pub fn parse(text: &str) -> Result<Self, String> {
        read(text).map_err(|why| format!("URL parse error during conversion from string: {why}"))
    }

    fn of(parts: &Parts<'_>, fragment: &str) -> Self {
        let scheme = parts.scheme.to_ascii_lowercase();
        let host = unescaped(parts.host(), Place::Host);
        let escaped_path = kept(parts.path, Place::Path);
        let mut text = String::new();
        if !scheme.is_empty() {
            text.push_str(&scheme);
            text.push(':');
        }
        let is_empty = host.is_empty() && parts.path.is_empty() && parts.user().is_none();
        if parts.authority.is_some() && !is_empty {
            text.push_str("//");
        }
        if let Some(user) = parts.user() {
            let mut halves = user.splitn(2, ':');
            let again = |half: &str| escaped(&unescaped(half, Place::User), Place::User);
            text.push_str(&again(halves.next().unwrap_or_default()));
            if let Some(password) = halves.next() {
                text.push(':');
                text.push_str(&again(password));
            }
            text.push('@');
        }
        text.push_str(&escaped(&host, Place::Host));
        text.push_str(parts.opaque);
        text.push_str(&escaped_path);
        if let Some(query) = parts.query {
            text.push('?');
            text.push_str(query);
        }
        if !fragment.is_empty() {
            text.push('#');
            text.push_str(&kept(fragment, Place::Fragment));
        }
        Self {
            scheme,
            host: escape::text(&host),
            escaped_path,
            query: parts.query.unwrap_or_default().to_owned(),
            text,
        }
    }

    /// The host without its port, and an address without its brackets.
    #[must_use]
    pub fn hostname(&self) -> &str {
        let (name, _) = self.name_and_port();
        let inner = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'));
        inner.unwrap_or(name)
    }

    /// The port, which is empty without one.
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

    /// The names in the query with their values, in the order in which they are first there. What cannot be read is left out.
    #[must_use]
    pub fn query(&self) -> Vec<(String, Vec<String>)> {
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for pair in self.query.split('&') {
            if pair.is_empty() || pair.contains(';') {
                continue;
            }
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let is_read = |text| escape::check(text, Place::Query).is_ok();
            if !is_read(name) || !is_read(value) {
                continue;
            }
            let read = |text| escape::text(&unescaped(text, Place::Query));
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

fn read(text: &str) -> Result<Url, String> {
    check_request_uri(text)?;
    // The server reads it twice, as one that is requested has no fragment.
    let (before, fragment) = match text.split_once('#') {
        Some((before, fragment)) => (before, Some(fragment)),
        None => (text, None),
    };
    let parts = parts::read(before, Kind::Any).map_err(|why| said(before, &why))?;
    if let Some(fragment) = fragment {
        escape::check(fragment, Place::Fragment).map_err(|why| said(text, &why))?;
    }
    Ok(Url::of(&parts, fragment.unwrap_or_default()))
}

/// In the way by which URLs are compared.
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
