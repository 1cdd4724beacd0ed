//! Names as DNS has them, of which most of Kubernetes' names are made.

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
