//! Base64 with the alphabet for URLs, as values of format `byte` are read in CEL.

/// The bytes of a text, padding included.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, String> {
    let clean: Vec<u8> = text
        .bytes()
        .filter(|byte| !matches!(byte, b'\n' | b'\r'))
        .collect();
    let unpadded = clean
        .strip_suffix(b"==")
        .or_else(|| clean.strip_suffix(b"="))
        .unwrap_or(&clean);
    let wrong = |at: usize| format!("illegal base64 data at input byte {at}");
    let mut out = Vec::with_capacity(unpadded.len() / 4 * 3 + 2);
    let mut bits = 0_u32;
    for (i, byte) in unpadded.iter().enumerate() {
        let value = value_of(*byte).ok_or_else(|| wrong(i))?;
        bits = bits << 6 | u32::from(value);
        match i % 4 {
            0 => {}
            1 => out.push(low(bits >> 4)),
            2 => out.push(low(bits >> 2)),
            _ => out.push(low(bits)),
        }
    }
    let is_whole = clean.len().is_multiple_of(4)
        && unpadded.len() % 4 != 1
        && clean.len() - unpadded.len() == (4 - unpadded.len() % 4) % 4;
    if is_whole {
        Ok(out)
    } else {
        Err(wrong(clean.len()))
    }
}

fn low(bits: u32) -> u8 {
    bits.to_le_bytes()[0]
}

fn value_of(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    })
}
