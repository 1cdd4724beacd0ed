//! The formats of the CEL library, such as `format.dns1123Label()`, with the messages of an API
//! server for invalid strings.

use k8s_go_text::name::{is_dns1123_label, is_dns1123_subdomain};
use k8s_go_text::net::url;

use super::{date, hex, uuid};

/// A format of the CEL library.
#[derive(Debug)]
pub(crate) struct CelFormat {
    pub(crate) name: &'static str,
    /// The server's estimate of the length of the format's regular expression (`MaxRegexSize`),
    /// which determines the cost of a check.
    pub(crate) size: u64,
    check: fn(&str) -> Vec<String>,
}

impl PartialEq for CelFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

static CEL_FORMATS: [CelFormat; 13] = [
    cel_format("dns1123Label", 30, dns1123_label),
    cel_format("dns1123Subdomain", 60, dns1123_subdomain),
    cel_format("dns1035Label", 30, dns1035_label),
    cel_format("qualifiedName", 60, qualified_name),
    cel_format("dns1123LabelPrefix", 30, |string| {
        dns1123_label(&mask_trailing_dash(string))
    }),
    cel_format("dns1123SubdomainPrefix", 60, |string| {
        dns1123_subdomain(&mask_trailing_dash(string))
    }),
    cel_format("dns1035LabelPrefix", 30, |string| {
        dns1035_label(&mask_trailing_dash(string))
    }),
    cel_format("labelValue", 40, label_value),
    cel_format("uri", 1103, |string| {
        url::check_request_uri(string).err().into_iter().collect()
    }),
    cel_format("uuid", 72, |string| {
        error_unless(uuid::is_uuid(string), "does not match the UUID format")
    }),
    cel_format("byte", 84, |string| {
        error_unless(hex::is_base64(string), "invalid base64")
    }),
    cel_format("date", 71, |string| {
        error_unless(date::is_date(string), "invalid date")
    }),
    cel_format("datetime", 71, |string| {
        error_unless(date::is_date_time(string), "invalid datetime")
    }),
];

const fn cel_format(name: &'static str, size: u64, check: fn(&str) -> Vec<String>) -> CelFormat {
    CelFormat { name, size, check }
}

impl CelFormat {
    /// Returns the format with the name.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        CEL_FORMATS.iter().find(|format| format.name == name)
    }

    /// Returns the messages of an API server for a string, or an empty list if the string is valid.
    pub(crate) fn check(&self, string: &str) -> Vec<String> {
        (self.check)(string)
    }
}

const DNS1123_LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and \
    end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
    '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const DNS1123_SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
    start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
    '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const DNS1035_LABEL: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic \
    character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is \
    '[a-z]([-a-z0-9]*[a-z0-9])?')";
const QUALIFIED_NAME: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric \
    character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
    '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start \
    and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is \
    '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/// Returns the message unless the string is valid.
fn error_unless(is_valid: bool, message: &str) -> Vec<String> {
    if is_valid {
        Vec::new()
    } else {
        vec![message.to_owned()]
    }
}

/// Returns an error for a string of more than `max` bytes. `unit` is the server's word for bytes,
/// which is "characters" for some formats.
fn check_max_length(string: &str, max: usize, unit: &str) -> Option<String> {
    (string.len() > max).then(|| format!("must be no more than {max} {unit}"))
}

fn dns1123_label(string: &str) -> Vec<String> {
    let mut errors = Vec::from_iter(check_max_length(string, 63, "characters"));
    if !is_dns1123_label(string.as_bytes()) {
        let error = if is_dns1123_subdomain(string) {
            "must not contain dots"
        } else {
            DNS1123_LABEL
        };
        errors.push(error.to_owned());
    }
    errors
}

fn dns1123_subdomain(string: &str) -> Vec<String> {
    let mut errors = Vec::from_iter(check_max_length(string, 253, "characters"));
    errors.extend(error_unless(
        is_dns1123_subdomain(string),
        DNS1123_SUBDOMAIN,
    ));
    errors
}

fn dns1035_label(string: &str) -> Vec<String> {
    let mut errors = Vec::from_iter(check_max_length(string, 63, "characters"));
    let is_valid =
        is_dns1123_label(string.as_bytes()) && string.starts_with(|c: char| c.is_ascii_lowercase());
    errors.extend(error_unless(is_valid, DNS1035_LABEL));
    errors
}

/// Returns the name that the server checks instead of a prefix of a generated name: a final dash
/// and the character before the dash are replaced by the letter `a`.
fn mask_trailing_dash(string: &str) -> String {
    match string.strip_suffix('-') {
        Some(start) => {
            let mut chars = start.chars();
            match chars.next_back() {
                Some(_) => format!("{}a", chars.as_str()),
                None => string.to_owned(),
            }
        }
        None => string.to_owned(),
    }
}

fn is_label_value(string: &str) -> bool {
    let is_alphanumeric = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = string.as_bytes();
    let is_label_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    is_alphanumeric(bytes.first())
        && is_alphanumeric(bytes.last())
        && bytes.iter().all(is_label_byte)
}

fn label_value(string: &str) -> Vec<String> {
    let mut errors = Vec::from_iter(check_max_length(string, 63, "bytes"));
    errors.extend(error_unless(
        string.is_empty() || is_label_value(string),
        LABEL_VALUE,
    ));
    errors
}

fn qualified_name(string: &str) -> Vec<String> {
    let (prefix, name) = match string.split_once('/') {
        Some((_, name)) if name.contains('/') => {
            return vec![format!(
                "a valid label key {QUALIFIED_NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, string),
    };
    let mut errors = Vec::new();
    if let Some(prefix) = prefix {
        if prefix.is_empty() {
            errors.push("prefix part must be non-empty".to_owned());
        } else {
            let length_error = check_max_length(prefix, 253, "bytes");
            let syntax_error = error_unless(is_dns1123_subdomain(prefix), DNS1123_SUBDOMAIN);
            let prefix_errors = length_error.into_iter().chain(syntax_error);
            errors.extend(prefix_errors.map(|error| format!("prefix part {error}")));
        }
    }
    if name.is_empty() {
        errors.push("name part must be non-empty".to_owned());
    } else {
        let length_error = check_max_length(name, 63, "bytes");
        errors.extend(length_error.map(|error| format!("name part {error}")));
    }
    if !is_label_value(name) {
        errors.push(format!("name part {QUALIFIED_NAME}"));
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::{CelFormat, DNS1123_LABEL, DNS1123_SUBDOMAIN, QUALIFIED_NAME};

    fn assert_messages(cases: &[(&str, &str, &[&str])]) {
        for (format, string, messages) in cases {
            let format = CelFormat::find(format).expect("a format");
            assert_eq!(format.check(string), *messages, "{} {string}", format.name);
        }
    }

    #[test]
    fn messages_match_the_server() {
        let (long, dots) = ("a".repeat(64), "a.".repeat(32));
        let length_error = "must be no more than 63 characters";
        assert_messages(&[
            ("dns1123Label", "a", &[]),
            ("dns1123Label", "a.b", &["must not contain dots"]),
            ("dns1123Label", &long, &[length_error]),
            ("dns1123Label", &dots, &[length_error, DNS1123_LABEL]),
            ("dns1123Subdomain", "a..b", &[DNS1123_SUBDOMAIN]),
            ("labelValue", "", &[]),
            ("labelValue", &long, &["must be no more than 63 bytes"]),
            ("uri", "foo", &["parse \"foo\": invalid URI for request"]),
            ("byte", "aGVsbG8", &["invalid base64"]),
        ]);
    }

    #[test]
    fn prefixes_may_end_with_a_dash() {
        assert_messages(&[
            ("dns1123LabelPrefix", "a-", &[]),
            ("dns1123LabelPrefix", "A-", &[]),
            ("dns1123LabelPrefix", "-", &[DNS1123_LABEL]),
            ("dns1123LabelPrefix", "\u{e9}\u{e9}-", &[DNS1123_LABEL]),
            ("dns1123SubdomainPrefix", "a.b.-", &[]),
        ]);
    }

    #[test]
    fn qualified_names_have_an_optional_prefix() {
        let name_error = format!("name part {QUALIFIED_NAME}");
        let prefix_error = format!("prefix part {DNS1123_SUBDOMAIN}");
        assert_messages(&[
            ("qualifiedName", "a.b/c_d", &[]),
            (
                "qualifiedName",
                "a/",
                &["name part must be non-empty", &name_error],
            ),
            ("qualifiedName", "/a", &["prefix part must be non-empty"]),
            ("qualifiedName", "A/a", &[&prefix_error]),
        ]);
    }
}
