//! What a `$ref` says.

use std::borrow::Cow;

/// The JSON pointer of a reference into its own document: what stands behind `#`, where other characters than those of a
/// URL are percent-encoded (RFC 6901, 6).
pub(crate) fn pointer_of(reference: &str) -> Option<Cow<'_, str>> {
    let pointer = reference.strip_prefix('#')?;
    if !pointer.contains('%') {
        return Some(pointer.into());
    }
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let [byte, after @ ..] = rest {
        let escaped = hexadecimal(after).filter(|_| *byte == b'%');
        bytes.push(escaped.unwrap_or(*byte));
        rest = if escaped.is_some() {
            &after[2..]
        } else {
            after
        };
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// The byte that the first two digits stand for.
fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let digits = digits.get(..2)?;
    let digit = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(digit(digits[0])? * 16 + digit(digits[1])?).ok()
}
