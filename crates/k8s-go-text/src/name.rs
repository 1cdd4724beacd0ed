//! DNS names, which most names of Kubernetes follow.

/// Returns true for labels that are separated by dots (RFC 1123).
#[must_use]
pub fn is_dns1123_subdomain(string: &str) -> bool {
    string
        .as_bytes()
        .split(|byte| *byte == b'.')
        .all(is_dns1123_label)
}

/// Returns true for lower case letters, digits and dashes, without a dash at the start or the end.
#[must_use]
pub const fn is_dns1123_label(bytes: &[u8]) -> bool {
    if let [] | [b'-', ..] | [.., b'-'] = bytes {
        return false;
    }
    let mut rest = bytes;
    while let [byte, after @ ..] = rest {
        if !is_label_byte(*byte) {
            return false;
        }
        rest = after;
    }
    true
}

const fn is_label_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')
}
