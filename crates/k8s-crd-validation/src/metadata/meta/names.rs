//! Names in metadata, and the messages of an API server about them.

use std::borrow::Cow;

use k8s_go_text::name::{is_dns1123_label, is_dns1123_subdomain};

/// The errors of a string. An empty list, the usual result, does not allocate.
pub(crate) type NameErrors = Vec<String>;

const PART: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN: &str = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const DNS_1035: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";
const KEY: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE: &str = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
const OF_KEYS: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/// The unit of lengths in messages. Lengths are always counted in bytes, but some messages of the
/// server have "characters".
#[derive(Clone, Copy)]
enum LengthUnit {
    Bytes,
    Characters,
}

/// Checks a DNS subdomain: a name of several parts.
pub(crate) fn check_dns1123_subdomain(text: &str) -> NameErrors {
    check_subdomain_in(LengthUnit::Characters, text)
}

fn check_subdomain_in(unit: LengthUnit, text: &str) -> NameErrors {
    let mut wrong = longer_than(253, unit, text.len());
    if !is_dns1123_subdomain(text) {
        wrong.push(not_subdomain());
    }
    wrong
}

/// Checks the beginning of a DNS subdomain, to which a server appends a suffix: its last character
/// may be a dash.
pub(crate) fn check_dns1123_subdomain_prefix(text: &str) -> NameErrors {
    let Some(start) = text.strip_suffix('-').filter(|start| !start.is_empty()) else {
        return check_dns1123_subdomain(text);
    };
    // The last two bytes count as one letter.
    let mut wrong = longer_than(253, LengthUnit::Characters, start.len());
    let [parts @ .., _] = start.as_bytes() else {
        return wrong;
    };
    let mut parts = parts.rsplit(|byte| *byte == b'.');
    let is_last = parts.next().is_none_or(|last| {
        last.iter()
            .all(|byte| is_dns1123_label(&[*byte]) || *byte == b'-')
            && !last.starts_with(b"-")
    });
    if !is_last || !parts.all(is_dns1123_label) {
        wrong.push(not_subdomain());
    }
    wrong
}

/// Checks a DNS label: a name of one part.
pub(super) fn check_dns1123_label(text: &str) -> NameErrors {
    let mut wrong = longer_than(63, LengthUnit::Characters, text.len());
    if is_dns1123_label(text.as_bytes()) {
        return wrong;
    }
    wrong.push(if is_dns1123_subdomain(text) {
        "must not contain dots".to_owned()
    } else {
        unmatched(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
            "'my-name',  or '123-abc'",
            PART,
        )
    });
    wrong
}

/// Checks a DNS-1035 label, such as a kind in lower case.
pub(crate) fn check_dns1035_label(text: &str) -> NameErrors {
    let mut wrong = longer_than(63, LengthUnit::Characters, text.len());
    if !is_dns1123_label(text.as_bytes())
        || !text.starts_with(|first: char| first.is_ascii_lowercase())
    {
        wrong.push(unmatched(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
            "'my-name',  or 'abc-123'",
            DNS_1035,
        ));
    }
    wrong
}

/// Checks a segment of an API path.
pub(super) fn check_path_segment(text: &str) -> NameErrors {
    if let "." | ".." = text {
        return vec![format!("may not be '{text}'")];
    }
    check_path_segment_prefix(text)
}

pub(super) fn check_path_segment_prefix(text: &str) -> NameErrors {
    let found = ["/", "%"].into_iter().filter(|sign| text.contains(sign));
    found
        .map(|sign| format!("may not contain '{sign}'"))
        .collect()
}

/// Checks a label key or a finalizer: a name with an optional domain before it.
pub(super) fn check_qualified_name(text: &str) -> NameErrors {
    let (prefix, name) = match text.split_once('/') {
        None => (None, text),
        Some((prefix, name)) if !name.contains('/') => (Some(prefix), name),
        Some(_) => {
            let what = unmatched(&format!("a valid label key {OF_KEYS}"), KEY_EXAMPLES, KEY);
            return vec![format!(
                "{what} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    let mut wrong = match prefix {
        None => Vec::new(),
        Some("") => vec!["prefix part must be non-empty".to_owned()],
        Some(prefix) => {
            let wrong = check_subdomain_in(LengthUnit::Bytes, prefix).into_iter();
            wrong.map(|wrong| format!("prefix part {wrong}")).collect()
        }
    };
    if name.is_empty() {
        wrong.push("name part must be non-empty".to_owned());
    } else {
        let long = longer_than(63, LengthUnit::Bytes, name.len()).into_iter();
        wrong.extend(long.map(|long| format!("name part {long}")));
    }
    if !is_key_name(name) {
        let what = unmatched(OF_KEYS, KEY_EXAMPLES, KEY);
        wrong.push(format!("name part {what}"));
    }
    wrong
}

/// Checks an annotation key. Unlike in a label key, upper case is checked as lower case.
pub(super) fn check_annotation_key(text: &str) -> NameErrors {
    check_qualified_name(&lowercase(text))
}

const KEY_EXAMPLES: &str = "'MyName',  or 'my.name',  or '123-abc'";

pub(super) fn check_label_value(text: &str) -> NameErrors {
    let mut wrong = longer_than(63, LengthUnit::Bytes, text.len());
    if !text.is_empty() && !is_key_name(text) {
        wrong.push(unmatched(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
            "'MyValue',  or 'my_value',  or '12345'",
            LABEL_VALUE,
        ));
    }
    wrong
}

/// Returns the string in lower case, as Go does it: each character becomes one character.
pub(crate) fn lowercase(text: &str) -> Cow<'_, str> {
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if text.bytes().all(is_lower) {
        return text.into();
    }
    let letters = text.chars();
    letters
        .map(|c| c.to_lowercase().next().unwrap_or(c))
        .collect()
}

fn is_key_name(text: &str) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return false;
    };
    first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric() && bytes.iter().all(is_inner)
}

fn not_subdomain() -> String {
    unmatched(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        "'example.com'",
        SUBDOMAIN,
    )
}

fn unmatched(what: &str, examples: &str, pattern: &str) -> String {
    format!("{what} (e.g. {examples}, regex used for validation is '{pattern}')")
}

fn longer_than(most: usize, unit: LengthUnit, length: usize) -> NameErrors {
    let unit = match unit {
        LengthUnit::Bytes => "bytes",
        LengthUnit::Characters => "characters",
    };
    if length <= most {
        return Vec::new();
    }
    vec![format!("must be no more than {most} {unit}")]
}
