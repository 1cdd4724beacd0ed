//! Checks encoded words of RFC 2047, such as `=?utf-8?q?J=C3=B6rg?=`. Encoded words of an unknown
//! charset are rejected.

use k8s_go_text::base64::{self, Alphabet};
use k8s_go_text::scan::is_hex_digit;

use super::parser::{AddressError, ParseResult};

/// The form of a word.
pub(super) enum Word {
    Plain,
    Encoded { is_empty: bool },
}

/// Returns the form of a word, or an error for an unknown charset. A word with an invalid encoding
/// counts as plain.
pub(super) fn check_word(word: &[u8]) -> ParseResult<Word> {
    let Some((charset, encoding, encoded)) = split_encoded_word(word) else {
        return Ok(Word::Plain);
    };
    let is_valid = match encoding {
        [b'b' | b'B'] => base64::decode_each(encoded, Alphabet::Standard, |_| {}).is_ok(),
        [b'q' | b'Q'] => is_quoted_printable(encoded),
        _ => false,
    };
    if !is_valid {
        return Ok(Word::Plain);
    }
    if !is_known_charset(charset) {
        return Err(AddressError);
    }
    Ok(Word::Encoded {
        is_empty: encoded.is_empty(),
    })
}

/// Checks the words of a comment. The backslash of an escape is not part of its word.
pub(super) fn check_words(comment: &[u8]) -> ParseResult {
    // Comments are rare, so an allocation is acceptable.
    let mut unescaped = Vec::with_capacity(comment.len());
    let mut rest = comment.iter();
    while let Some(byte) = rest.next() {
        let byte = if *byte == b'\\' {
            rest.next()
        } else {
            Some(byte)
        };
        unescaped.extend(byte);
    }
    for word in unescaped.split(|byte| matches!(byte, b' ' | b'\t')) {
        check_word(word)?;
    }
    Ok(())
}

/// Splits a word into the charset, the encoding and the encoded bytes.
fn split_encoded_word(word: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    // The shortest encoded word is `=?x?q??=`.
    if word.len() < 8 {
        return None;
    }
    let inner = word.strip_prefix(b"=?")?.strip_suffix(b"?=")?;
    let mut parts = inner.split(|byte| *byte == b'?');
    let (charset, encoding, encoded) = (parts.next()?, parts.next()?, parts.next()?);
    (parts.next().is_none() && !charset.is_empty()).then_some((charset, encoding, encoded))
}

/// Returns true if a charset is known. Letters are compared by Unicode case folding, which maps the
/// long `ſ` to `s`.
fn is_known_charset(charset: &[u8]) -> bool {
    [&b"utf-8"[..], b"iso-8859-1", b"us-ascii"]
        .into_iter()
        .any(|known| equals_by_case_folding(charset, known))
}

/// Returns true if the charset equals `known` by Unicode case folding.
fn equals_by_case_folding(mut charset: &[u8], known: &[u8]) -> bool {
    for letter in known {
        charset = match charset {
            [byte, rest @ ..] if byte.eq_ignore_ascii_case(letter) => rest,
            // The bytes of `ſ`.
            [0xc5, 0xbf, rest @ ..] if *letter == b's' => rest,
            _ => return false,
        };
    }
    charset.is_empty()
}

/// Returns true for printable ASCII characters, white space, and escapes such as `=3D`.
fn is_quoted_printable(mut encoded: &[u8]) -> bool {
    loop {
        encoded = match encoded {
            [] => return true,
            [b'=', a, b, rest @ ..] if is_hex_digit(*a) && is_hex_digit(*b) => rest,
            [b'=', ..] => return false,
            [b' '..=b'~' | b'\n' | b'\r' | b'\t', rest @ ..] => rest,
            _ => return false,
        }
    }
}
