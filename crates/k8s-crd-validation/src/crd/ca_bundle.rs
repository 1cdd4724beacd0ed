//! Validation of a CA bundle: the certificates with which an API server authenticates a webhook.

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// Returns the error message for an invalid CA bundle: base64 of certificates in PEM. Of each
/// certificate, only the outer structure is checked: an ASN.1 sequence that begins with a sequence.
pub(super) fn find_problem(bundle: &str) -> Option<&'static str> {
    let bytes = decode(bundle).unwrap_or_default();
    let string = String::from_utf8_lossy(&bytes);
    let mut rest = &*string;
    let mut message = "unable to parse bytes as PEM block";
    while let Some((label, body, after)) = next_block(rest) {
        rest = after;
        if label == "CERTIFICATE" {
            // The body is valid base64, because `next_block` returns no other blocks.
            let der = decode(body).unwrap_or_default();
            message = find_certificate_problem(&der)?;
        } else if message.starts_with("unable") {
            message = "no valid certificate authority data seen";
        }
    }
    Some(message)
}

/// Returns the next PEM block whose body is base64: the label (such as `CERTIFICATE`), the body,
/// and the string after the block.
fn next_block(string: &str) -> Option<(&str, &str, &str)> {
    let mut rest = string;
    loop {
        let path = rest.find(BEGIN)?;
        let (before, block_start) = rest.split_at(path);
        let is_at_line_start = before.is_empty() || before.ends_with('\n');
        rest = block_start.strip_prefix(BEGIN)?;
        let (line, after) = rest.split_once('\n')?;
        let Some(label) = line.trim_end().strip_suffix(DASHES) else {
            continue;
        };
        let end = format!("{END}{label}{DASHES}");
        if let Some((body, after)) = after.split_once(&*end)
            && is_at_line_start
            && decode(body).is_some()
        {
            return Some((label, body, after));
        }
    }
}

/// Returns the error message for an invalid certificate. Only the outer structure is checked.
fn find_certificate_problem(der: &[u8]) -> Option<&'static str> {
    let Some((body, after)) = sequence(der) else {
        return Some("failed to parse certificate: x509: malformed certificate");
    };
    if sequence(body).is_none() {
        return Some("failed to parse certificate: x509: malformed tbs certificate");
    }
    // Like Go, check for trailing data after the content.
    (!after.is_empty()).then_some("failed to parse certificate: x509: trailing data")
}

/// Returns the content of the ASN.1 sequence at the beginning of `der`, and the bytes after the
/// sequence.
fn sequence(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let [0x30, length, rest @ ..] = der else {
        return None;
    };
    if *length < 0x80 {
        return rest.split_at_checked(usize::from(*length));
    }
    let (length, rest) = rest.split_at_checked(usize::from(*length & 0x7f))?;
    let length = length.iter().try_fold(0_usize, |length, byte| {
        length.checked_mul(256)?.checked_add(usize::from(*byte))
    })?;
    rest.split_at_checked(length)
}

/// Decodes base64 with padding. Line breaks are ignored, as in Go.
fn decode(string: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(string.len() / 4 * 3);
    let (mut bits, mut count, mut padding) = (0_u32, 0, 0);
    for byte in string.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                padding += 1;
                continue;
            }
            _ => return None,
        };
        if padding > 0 {
            return None;
        }
        bits = bits << 6 | u32::from(value);
        count += 1;
        if count % 4 == 0 {
            bytes.extend_from_slice(bits.to_be_bytes().get(1..)?);
            bits = 0;
        }
    }
    let rest = match (count % 4, padding) {
        (0, 0) => 0,
        (2, 2) => 1,
        (3, 1) => 2,
        _ => return None,
    };
    let last = (bits << (6 * (4 - count % 4) % 24)).to_be_bytes();
    bytes.extend_from_slice(last.get(1..=rest)?);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{decode, find_problem};

    #[test]
    fn base64_needs_padding() {
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
    fn invalid_certificates_have_the_message_of_go() {
        let no_block = "unable to parse bytes as PEM block";
        let malformed = "failed to parse certificate: x509: malformed certificate";
        let malformed_inside = "failed to parse certificate: x509: malformed tbs certificate";
        let trailing = "failed to parse certificate: x509: trailing data";
        // In this order: the string `x`; a block with another label; a certificate of three zero
        // bytes; an empty sequence; a sequence in a sequence; the same with a zero byte after it.
        for (bundle, message) in [
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
            assert_eq!(find_problem(bundle), message, "{bundle}");
        }
    }
}
