//! Validation of names in metadata, with the messages of `k8s.io/apimachinery/pkg/util/validation`.

use std::borrow::Cow;

use k8s_go_text::name::{is_dns1123_label, is_dns1123_subdomain};

/// The error messages about a string. An empty list means that the string is valid.
pub(crate) type NameErrors = Vec<String>;

// The patterns are only printed in messages. The checks are written by hand.
const LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN: &str = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const DNS_1035_LABEL: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";
const KEY: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE: &str = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
const KEY_RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/// The unit of a length in a message. Lengths are always counted in bytes, but some of Kubernetes'
/// messages print "characters".
#[derive(Clone, Copy)]
enum LengthUnit {
    Bytes,
    Characters,
}

/// Checks a DNS subdomain: labels with dots between them.
pub(crate) fn check_dns1123_subdomain(string: &str) -> NameErrors {
    check_subdomain_in(LengthUnit::Characters, string)
}

fn check_subdomain_in(unit: LengthUnit, string: &str) -> NameErrors {
    let mut messages = check_length(253, unit, string.len());
    if !is_dns1123_subdomain(string) {
        messages.push(subdomain_message());
    }
    messages
}

/// Checks a `generateName`: the prefix of a DNS subdomain, to which a server appends random
/// characters. The last character may be a dash.
pub(crate) fn check_dns1123_subdomain_prefix(string: &str) -> NameErrors {
    let Some(start) = string.strip_suffix('-').filter(|start| !start.is_empty()) else {
        return check_dns1123_subdomain(string);
    };
    // Before the check, Kubernetes replaces the byte before the dash and the dash by one letter.
    // The byte before the dash is therefore not checked.
    let mut messages = check_length(253, LengthUnit::Characters, start.len());
    let [labels @ .., _] = start.as_bytes() else {
        return messages;
    };
    let mut labels = labels.rsplit(|byte| *byte == b'.');
    let is_last_label_valid = labels.next().is_none_or(|last| {
        last.iter()
            .all(|byte| is_dns1123_label(&[*byte]) || *byte == b'-')
            && !last.starts_with(b"-")
    });
    if !is_last_label_valid || !labels.all(is_dns1123_label) {
        messages.push(subdomain_message());
    }
    messages
}

/// Checks a DNS label: a name without dots.
pub(super) fn check_dns1123_label(string: &str) -> NameErrors {
    let mut messages = check_length(63, LengthUnit::Characters, string.len());
    if is_dns1123_label(string.as_bytes()) {
        return messages;
    }
    messages.push(if is_dns1123_subdomain(string) {
        "must not contain dots".to_owned()
    } else {
        pattern_message(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
            "'my-name',  or '123-abc'",
            LABEL,
        )
    });
    messages
}

/// Checks a DNS-1035 label, which begins with a letter. Kinds in lower case are such labels.
pub(crate) fn check_dns1035_label(string: &str) -> NameErrors {
    let mut messages = check_length(63, LengthUnit::Characters, string.len());
    if !is_dns1123_label(string.as_bytes())
        || !string.starts_with(|first: char| first.is_ascii_lowercase())
    {
        messages.push(pattern_message(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
            "'my-name',  or 'abc-123'",
            DNS_1035_LABEL,
        ));
    }
    messages
}

/// Checks a segment of a URL path.
pub(super) fn check_path_segment(string: &str) -> NameErrors {
    if let "." | ".." = string {
        return vec![format!("may not be '{string}'")];
    }
    check_path_segment_prefix(string)
}

/// Checks the prefix of a segment of a URL path.
pub(super) fn check_path_segment_prefix(string: &str) -> NameErrors {
    let found = ["/", "%"]
        .into_iter()
        .filter(|character| string.contains(character));
    found
        .map(|character| format!("may not contain '{character}'"))
        .collect()
}

/// Checks a label key or a finalizer: a name with an optional prefix, as in `example.com/name`.
pub(super) fn check_qualified_name(string: &str) -> NameErrors {
    let (prefix, name) = match string.split_once('/') {
        None => (None, string),
        Some((prefix, name)) if !name.contains('/') => (Some(prefix), name),
        Some(_) => {
            let rule = pattern_message(&format!("a valid label key {KEY_RULE}"), KEY_EXAMPLES, KEY);
            return vec![format!(
                "{rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    let mut messages = match prefix {
        None => Vec::new(),
        Some("") => vec!["prefix part must be non-empty".to_owned()],
        Some(prefix) => {
            let messages = check_subdomain_in(LengthUnit::Bytes, prefix).into_iter();
            messages
                .map(|message| format!("prefix part {message}"))
                .collect()
        }
    };
    if name.is_empty() {
        messages.push("name part must be non-empty".to_owned());
    } else {
        let too_long = check_length(63, LengthUnit::Bytes, name.len()).into_iter();
        messages.extend(too_long.map(|message| format!("name part {message}")));
    }
    if !is_key_name(name) {
        let rule = pattern_message(KEY_RULE, KEY_EXAMPLES, KEY);
        messages.push(format!("name part {rule}"));
    }
    messages
}

/// Checks an annotation key: a label key whose prefix may also have upper-case letters.
pub(super) fn check_annotation_key(string: &str) -> NameErrors {
    check_qualified_name(&lowercase(string))
}

const KEY_EXAMPLES: &str = "'MyName',  or 'my.name',  or '123-abc'";

/// Checks the value of a label.
pub(super) fn check_label_value(string: &str) -> NameErrors {
    let mut messages = check_length(63, LengthUnit::Bytes, string.len());
    if !string.is_empty() && !is_key_name(string) {
        messages.push(pattern_message(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
            "'MyValue',  or 'my_value',  or '12345'",
            LABEL_VALUE,
        ));
    }
    messages
}

/// Returns the string in lower case. As in Go's `strings.ToLower`, each character is replaced by a
/// single character.
pub(crate) fn lowercase(string: &str) -> Cow<'_, str> {
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if string.bytes().all(is_lower) {
        return string.into();
    }
    let letters = string.chars();
    letters
        .map(|c| c.to_lowercase().next().unwrap_or(c))
        .collect()
}

/// Returns true if a string is a valid name part of a label key.
fn is_key_name(string: &str) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let bytes = string.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return false;
    };
    first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric() && bytes.iter().all(is_inner)
}

/// Returns the message for a string that is not a DNS subdomain.
fn subdomain_message() -> String {
    pattern_message(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        "'example.com'",
        SUBDOMAIN,
    )
}

/// Returns the message for a string that does not match a pattern.
fn pattern_message(rule: &str, examples: &str, pattern: &str) -> String {
    format!("{rule} (e.g. {examples}, regex used for validation is '{pattern}')")
}

/// Returns the message for a string that is too long, or an empty list.
fn check_length(max: usize, unit: LengthUnit, length: usize) -> NameErrors {
    let unit = match unit {
        LengthUnit::Bytes => "bytes",
        LengthUnit::Characters => "characters",
    };
    if length <= max {
        return Vec::new();
    }
    vec![format!("must be no more than {max} {unit}")]
}
