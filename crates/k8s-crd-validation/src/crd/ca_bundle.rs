//! Validation of a CA bundle: the certificates with which an API server authenticates a webhook.

use k8s_go_text::base64::{self, Alphabet};

// The delimiters of a PEM block: the lines `-----BEGIN label-----` and `-----END label-----`. `END`
// begins with the line break before the line.
const BEGIN: &str = "-----BEGIN ";
const END: &str = "\n-----END ";
const DASHES: &str = "-----";

/// Returns the error message for an invalid CA bundle, or `None` for a valid bundle: base64 of
/// certificates in PEM, or of no bytes. Of each certificate, only the outer structure is checked:
/// an ASN.1 sequence that begins with a sequence.
pub(super) fn find_bundle_problem(bundle: &str) -> Option<&'static str> {
    let bytes = decode(bundle).unwrap_or_default();
    if bytes.is_empty() {
        return None;
    }
    let string = String::from_utf8_lossy(&bytes);
    let mut remaining_string = &*string;
    let mut first_problem = None;
    while !remaining_string.is_empty() {
        let Some(block) = next_block(remaining_string) else {
            first_problem.get_or_insert("unable to parse bytes as PEM block");
            break;
        };
        remaining_string = block.remaining_string;
        if block.label == "CERTIFICATE" && !block.has_headers {
            // One valid certificate is enough.
            let problem = find_certificate_problem(&block.bytes)?;
            first_problem.get_or_insert(problem);
        }
    }
    Some(first_problem.unwrap_or("no valid certificate authority data seen"))
}

/// Returns a CA bundle as a server prints it: without line breaks.
pub(super) fn to_canonical(bundle: &str) -> String {
    base64::encode(&decode(bundle).unwrap_or_default())
}

/// A PEM block whose body is base64.
struct PemBlock<'s> {
    /// The label, such as `CERTIFICATE`.
    label: &'s str,
    /// True if there are header lines, such as `Proc-Type: 4,ENCRYPTED`.
    has_headers: bool,
    /// The decoded body.
    bytes: Vec<u8>,
    /// The string after the block.
    remaining_string: &'s str,
}

/// Returns the next PEM block whose body is base64.
fn next_block(string: &str) -> Option<PemBlock<'_>> {
    let mut remaining_string = string;
    loop {
        let (before_end, after_end) = remaining_string.split_once(END)?;
        if let Some(block) = read_block(remaining_string, before_end, after_end) {
            return Some(block);
        }
        remaining_string = after_end;
    }
}

/// Reads the block that ends between `before_end` and `after_end`, which are parts of `string`. The
/// last `BEGIN` before the end begins the block.
fn read_block<'s>(string: &'s str, before_end: &str, after_end: &'s str) -> Option<PemBlock<'s>> {
    let begin = before_end.rfind(BEGIN)?;
    let (before_block, block) = string.split_at_checked(begin)?;
    if !before_block.is_empty() && !before_block.ends_with('\n') {
        return None;
    }
    let (label_line, mut content) = split_line(block.strip_prefix(BEGIN)?);
    let label = label_line.strip_suffix(DASHES)?;
    let mut has_headers = false;
    while let (line, after_line) = split_line(content)
        && line.contains(':')
    {
        has_headers = true;
        content = after_line;
        if string.len() - content.len() > before_end.len() {
            // The headers extend to the line of the end.
            return None;
        }
    }
    // In a block without a body, the line break before the end belongs to the line of the label.
    let content_start = string.len() - content.len();
    let body = before_end.get(content_start..).unwrap_or_default();
    let after_label = after_end.strip_prefix(label)?.strip_prefix(DASHES)?;
    let (after_dashes, remaining_string) = split_line(after_label);
    if !after_dashes.is_empty() {
        return None;
    }
    Some(PemBlock {
        label,
        has_headers,
        bytes: decode_body(body)?,
        remaining_string,
    })
}

/// Returns the first line, without its line break and trailing spaces and tabs, and the string
/// after the line.
fn split_line(string: &str) -> (&str, &str) {
    let (line, after_line) = match string.split_once('\n') {
        Some((line, after_line)) => (line.strip_suffix('\r').unwrap_or(line), after_line),
        None => (string, ""),
    };
    (line.trim_end_matches([' ', '\t']), after_line)
}

/// Returns the error message for an invalid certificate, or `None`. Only the outer structure is
/// checked.
fn find_certificate_problem(der: &[u8]) -> Option<&'static str> {
    let Some((body, trailing_bytes)) = split_sequence(der) else {
        return Some("failed to parse certificate: x509: malformed certificate");
    };
    if split_sequence(body).is_none() {
        return Some("failed to parse certificate: x509: malformed tbs certificate");
    }
    // Like Go, check for trailing data after the content.
    (!trailing_bytes.is_empty()).then_some("failed to parse certificate: x509: trailing data")
}

/// Returns the content of the ASN.1 sequence at the beginning of `der`, and the bytes after the
/// sequence.
fn split_sequence(der: &[u8]) -> Option<(&[u8], &[u8])> {
    // In DER, the tag of a sequence is 0x30. A length below 0x80 has one byte. Otherwise, the low
    // seven bits are the number of bytes of the length: Go reads up to four bytes. DER forbids a
    // longer form than necessary.
    let [0x30, length, after_length @ ..] = der else {
        return None;
    };
    if *length < 0x80 {
        return after_length.split_at_checked(usize::from(*length));
    }
    let (length, after_length) = after_length.split_at_checked(usize::from(*length & 0x7f))?;
    if length.len() > 4 || length.first().is_none_or(|first| *first == 0) {
        return None;
    }
    let length = length.iter().try_fold(0_usize, |length, byte| {
        length.checked_mul(256)?.checked_add(usize::from(*byte))
    })?;
    if length < 0x80 {
        return None;
    }
    after_length.split_at_checked(length)
}

/// Decodes base64 with padding. Ignores line breaks, as Go does.
fn decode(string: &str) -> Option<Vec<u8>> {
    base64::decode(string, Alphabet::Standard).ok()
}

/// Decodes the body of a PEM block. Ignores spaces and tabs too, as Go does.
fn decode_body(body: &str) -> Option<Vec<u8>> {
    decode(&body.replace([' ', '\t'], ""))
}

#[cfg(test)]
mod tests {
    use super::{decode, decode_body, find_bundle_problem, split_sequence, to_canonical};

    #[test]
    fn base64_without_padding_is_invalid() {
        for (string, bytes) in [
            ("", &b""[..]),
            ("eA==", b"x"),
            ("eHk=", b"xy"),
            ("eHl6", b"xyz"),
        ] {
            assert_eq!(decode(string).as_deref(), Some(bytes), "{string}");
        }
        for string in ["eA", "eA=", "e", "eA==eA==", "!"] {
            assert_eq!(decode(string), None, "{string}");
        }
    }

    #[test]
    fn line_breaks_in_base64_are_ignored() {
        assert_eq!(to_canonical("eH\nk\r="), "eHk=");
        assert_eq!(decode_body("e H\tk\n="), Some(b"xy".to_vec()));
        assert_eq!(decode("eH k="), None);
    }

    #[test]
    fn invalid_certificates_have_the_message_of_go() {
        let no_block = "unable to parse bytes as PEM block";
        let malformed = "failed to parse certificate: x509: malformed certificate";
        let malformed_inside = "failed to parse certificate: x509: malformed tbs certificate";
        let trailing = "failed to parse certificate: x509: trailing data";
        // In this order: no bytes, twice; the string `x`; a block with another label; a certificate
        // of three zero bytes; an empty sequence; a sequence in a sequence; the same with a zero
        // byte after it.
        for (bundle, message) in [
            ("", None),
            ("\n", None),
            ("eA==", Some(no_block)),
            (
                "LS0tLS1CRUdJTiBYLS0tLS0KQUFBQQotLS0tLUVORCBYLS0tLS0K",
                Some("no valid certificate authority data seen"),
            ),
            (
                "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBQUEKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=",
                Some(malformed),
            ),
            (
                "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1BQT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=",
                Some(malformed_inside),
            ),
            (
                "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1BSXdBQT09Ci0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K",
                None,
            ),
            (
                "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1BSXdBQUE9Ci0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K",
                Some(trailing),
            ),
        ] {
            assert_eq!(find_bundle_problem(bundle), message, "{bundle}");
        }
    }

    /// A sequence whose length has four bytes has at least 16 MiB: leading zeros are invalid.
    #[test]
    fn the_length_of_a_sequence_has_one_to_four_bytes() {
        for length in [&[0x80][..], &[1, 0], &[1, 0, 0], &[1, 0, 0, 0]] {
            let content_len = length
                .iter()
                .fold(0, |len, byte| len * 256 + usize::from(*byte));
            let mut der = vec![0x30, 0x80 + u8::try_from(length.len()).unwrap()];
            der.extend(length);
            der.resize(der.len() + content_len + 1, 0);
            let lens = split_sequence(&der).map(|(content, after)| (content.len(), after.len()));
            assert_eq!(lens, Some((content_len, 1)), "{length:?}");
        }
    }
}
