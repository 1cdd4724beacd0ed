//! DNS names, on which most names of Kubernetes are based.

/// Returns true for valid parts, separated by dots.
#[must_use]
pub fn is_dns1123_subdomain(text: &str) -> bool {
    text.as_bytes()
        .split(|byte| *byte == b'.')
        .all(is_dns1123_label)
}

/// Returns true for a part of lower case letters, digits and dashes that neither begins nor ends
/// with a dash.
#[must_use]
pub const fn is_dns1123_label(text: &[u8]) -> bool {
    if let [] | [b'-', ..] | [.., b'-'] = text {
        return false;
    }
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        if !is_inner(*byte) {
            return false;
        }
        rest = after;
    }
    true
}

const fn is_inner(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')
}
