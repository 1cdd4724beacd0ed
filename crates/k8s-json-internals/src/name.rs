//! Names as DNS has them, of which most of Kubernetes' names are made; and whether two names are one.

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

/// Whether two names, of any kind, are one. Most are short, and sooner compared than a function is called for it.
#[inline]
#[must_use]
pub fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    match a.len() {
        length if length != b.len() => false,
        4..=8 => a.first_chunk::<4>() == b.first_chunk() && a.last_chunk::<4>() == b.last_chunk(),
        9..=16 => a.first_chunk::<8>() == b.first_chunk() && a.last_chunk::<8>() == b.last_chunk(),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn names_of_all_lengths_are_the_same_if_all_their_bytes_are() {
        for length in 0..40 {
            let name = "n".repeat(length);
            assert!(is_same(&name, &name.clone()));
            assert!(!is_same(&name, &format!("{name}n")));
            for at in 0..length {
                let mut other = name.clone();
                other.replace_range(at..=at, "m");
                assert!(!is_same(&name, &other), "{other}");
            }
        }
    }
}
