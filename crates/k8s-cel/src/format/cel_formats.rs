//! The formats that CEL names, such as `format.dns1123Label()`, with the messages of an API server
//! for invalid strings.

use k8s_go_text::name::{is_dns1123_label, is_dns1123_subdomain};
use k8s_go_text::net::url;

use super::{date, hex, uuid};

/// A format.
#[derive(Debug)]
pub(crate) struct CelFormat {
    pub(crate) name: &'static str,
    /// The length of the regular expression as the server assumes it. The cost depends on this
    /// length.
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
    cel_format("dns1123LabelPrefix", 30, |text| {
        dns1123_label(&without_dash(text))
    }),
    cel_format("dns1123SubdomainPrefix", 60, |text| {
        dns1123_subdomain(&without_dash(text))
    }),
    cel_format("dns1035LabelPrefix", 30, |text| {
        dns1035_label(&without_dash(text))
    }),
    cel_format("labelValue", 40, label_value),
    cel_format("uri", 1103, |text| {
        url::check_request_uri(text).err().into_iter().collect()
    }),
    cel_format("uuid", 72, |text| {
        error_unless(uuid::is_uuid(text), "does not match the UUID format")
    }),
    cel_format("byte", 84, |text| {
        error_unless(hex::is_base64(text), "invalid base64")
    }),
    cel_format("date", 71, |text| {
        error_unless(date::is_date(text), "invalid date")
    }),
    cel_format("datetime", 71, |text| {
        error_unless(date::is_date_time(text), "invalid datetime")
    }),
];

const fn cel_format(name: &'static str, size: u64, check: fn(&str) -> Vec<String>) -> CelFormat {
    CelFormat { name, size, check }
}

impl CelFormat {
    /// Returns the format with a name.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        CEL_FORMATS.iter().find(|format| format.name == name)
    }

    /// Returns the errors of a string, as an API server reports them.
    pub(crate) fn check(&self, text: &str) -> Vec<String> {
        (self.check)(text)
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

fn error_unless(is_right: bool, said: &str) -> Vec<String> {
    if is_right {
        Vec::new()
    } else {
        vec![said.to_owned()]
    }
}

fn too_long(text: &str, most: usize, unit: &str) -> Option<String> {
    (text.len() > most).then(|| format!("must be no more than {most} {unit}"))
}

fn dns1123_label(text: &str) -> Vec<String> {
    let mut said = Vec::from_iter(too_long(text, 63, "characters"));
    if !is_dns1123_label(text.as_bytes()) {
        let why = if is_dns1123_subdomain(text) {
            "must not contain dots"
        } else {
            DNS1123_LABEL
        };
        said.push(why.to_owned());
    }
    said
}

fn dns1123_subdomain(text: &str) -> Vec<String> {
    let mut said = Vec::from_iter(too_long(text, 253, "characters"));
    said.extend(error_unless(is_dns1123_subdomain(text), DNS1123_SUBDOMAIN));
    said
}

fn dns1035_label(text: &str) -> Vec<String> {
    let mut said = Vec::from_iter(too_long(text, 63, "characters"));
    let is_right =
        is_dns1123_label(text.as_bytes()) && text.starts_with(|c: char| c.is_ascii_lowercase());
    said.extend(error_unless(is_right, DNS1035_LABEL));
    said
}

/// Returns the start of a name for the check: the server replaces a dash at the end, and the
/// character before it, with a letter.
fn without_dash(text: &str) -> String {
    match text.strip_suffix('-') {
        Some(start) => {
            let mut chars = start.chars();
            match chars.next_back() {
                Some(_) => format!("{}a", chars.as_str()),
                None => text.to_owned(),
            }
        }
        None => text.to_owned(),
    }
}

fn is_label_value(text: &str) -> bool {
    let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    is_end(bytes.first()) && is_end(bytes.last()) && bytes.iter().all(is_inner)
}

fn label_value(text: &str) -> Vec<String> {
    let mut said = Vec::from_iter(too_long(text, 63, "bytes"));
    said.extend(error_unless(
        text.is_empty() || is_label_value(text),
        LABEL_VALUE,
    ));
    said
}

fn qualified_name(text: &str) -> Vec<String> {
    let (prefix, name) = match text.split_once('/') {
        Some((_, name)) if name.contains('/') => {
            return vec![format!(
                "a valid label key {QUALIFIED_NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, text),
    };
    let mut said = Vec::new();
    if let Some(prefix) = prefix {
        if prefix.is_empty() {
            said.push("prefix part must be non-empty".to_owned());
        } else {
            let long = too_long(prefix, 253, "bytes");
            let wrong = error_unless(is_dns1123_subdomain(prefix), DNS1123_SUBDOMAIN);
            let parts = long.into_iter().chain(wrong);
            said.extend(parts.map(|why| format!("prefix part {why}")));
        }
    }
    if name.is_empty() {
        said.push("name part must be non-empty".to_owned());
    } else {
        let long = too_long(name, 63, "bytes");
        said.extend(long.map(|why| format!("name part {why}")));
    }
    if !is_label_value(name) {
        said.push(format!("name part {QUALIFIED_NAME}"));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::{CelFormat, DNS1123_LABEL, DNS1123_SUBDOMAIN, QUALIFIED_NAME};

    fn check(cases: &[(&str, &str, &[&str])]) {
        for (format, text, said) in cases {
            let format = CelFormat::find(format).expect("a format");
            assert_eq!(format.check(text), *said, "{} {text}", format.name);
        }
    }

    #[test]
    fn what_is_wrong_is_said_as_a_server_says_it() {
        let (long, dots) = ("a".repeat(64), "a.".repeat(32));
        let too_long = "must be no more than 63 characters";
        check(&[
            ("dns1123Label", "a", &[]),
            ("dns1123Label", "a.b", &["must not contain dots"]),
            ("dns1123Label", &long, &[too_long]),
            ("dns1123Label", &dots, &[too_long, DNS1123_LABEL]),
            ("dns1123Subdomain", "a..b", &[DNS1123_SUBDOMAIN]),
            ("labelValue", "", &[]),
            ("labelValue", &long, &["must be no more than 63 bytes"]),
            ("uri", "foo", &["parse \"foo\": invalid URI for request"]),
            ("byte", "aGVsbG8", &["invalid base64"]),
        ]);
    }

    #[test]
    fn starts_of_names_may_end_with_a_dash() {
        check(&[
            ("dns1123LabelPrefix", "a-", &[]),
            ("dns1123LabelPrefix", "A-", &[]),
            ("dns1123LabelPrefix", "-", &[DNS1123_LABEL]),
            ("dns1123LabelPrefix", "\u{e9}\u{e9}-", &[DNS1123_LABEL]),
            ("dns1123SubdomainPrefix", "a.b.-", &[]),
        ]);
    }

    #[test]
    fn names_have_a_prefix_or_not() {
        let wrong = format!("name part {QUALIFIED_NAME}");
        let prefix = format!("prefix part {DNS1123_SUBDOMAIN}");
        check(&[
            ("qualifiedName", "a.b/c_d", &[]),
            (
                "qualifiedName",
                "a/",
                &["name part must be non-empty", &wrong],
            ),
            ("qualifiedName", "/a", &["prefix part must be non-empty"]),
            ("qualifiedName", "A/a", &[&prefix]),
        ]);
    }
}
