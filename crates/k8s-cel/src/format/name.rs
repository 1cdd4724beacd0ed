//! `k8s-short-name` and `k8s-long-name`, known since 1.34; and the names that metadata has, which are made alike.

/// A name of one part, of up to 63 bytes.
pub(super) fn is_short_name(text: &str) -> bool {
    text.len() <= 63 && is_part(text.as_bytes())
}

/// Parts with dots between them, of up to 253 bytes. A part may be longer than a short name.
pub(super) fn is_long_name(text: &str) -> bool {
    text.len() <= 253 && has_parts(text)
}

/// Parts with dots between them.
#[must_use]
pub fn has_parts(text: &str) -> bool {
    text.as_bytes().split(|byte| *byte == b'.').all(is_part)
}

/// Small letters, digits and dashes; a dash stands neither first nor last.
#[must_use]
pub const fn is_part(text: &[u8]) -> bool {
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
