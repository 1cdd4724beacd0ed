//! Base64 with the alphabet for URLs, as values of format `byte` are read in CEL.

/// The bytes of a text, padding included. The place that an error names is the one that an API server names.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len() / 4 * 3 + 2);
    let (mut bits, mut held) = (0_u32, 0);
    for (at, byte) in bytes.iter().enumerate() {
        if is_line_break(*byte) {
            continue;
        }
        let Some(value) = value_of(*byte) else {
            padding(bytes, at, held)?;
            return Ok(out);
        };
        bits = bits << 6 | u32::from(value);
        match held {
            0 => {}
            1 => out.push(low(bits >> 4)),
            2 => out.push(low(bits >> 2)),
            _ => out.push(low(bits)),
        }
        held = (held + 1) % 4;
    }
    if held > 0 {
        return Err(wrong(bytes.len() - held));
    }
    Ok(out)
}

/// Checks what follows so many characters of a group of four, from the first one that is none of the alphabet.
fn padding(bytes: &[u8], at: usize, held: usize) -> Result<(), String> {
    if bytes.get(at) != Some(&b'=') || held < 2 {
        return Err(wrong(at));
    }
    let after = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| is_line_break(**byte)).count()
    };
    let mut end = after(at + 1);
    if held == 2 {
        match bytes.get(end) {
            Some(b'=') => end = after(end + 1),
            Some(_) => return Err(wrong(end - 1)),
            None => return Err(wrong(end)),
        }
    }
    if end < bytes.len() {
        return Err(wrong(end));
    }
    Ok(())
}

fn wrong(at: usize) -> String {
    format!("illegal base64 data at input byte {at}")
}

const fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
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

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn errors_name_the_place_that_a_server_names() {
        let cases = [
            ("YQ==", None),
            ("YWJj\nYQ=\n=\n", None),
            ("ab", Some(0)),
            ("A", Some(0)),
            ("YWJjab", Some(4)),
            ("YWJ/", Some(3)),
            ("=", Some(0)),
            ("Y=Q=", Some(1)),
            ("YQ=", Some(3)),
            ("YQ=Q", Some(2)),
            ("YWI=x", Some(4)),
        ];
        for (text, at) in cases {
            let wanted = at.map(|at: usize| format!("illegal base64 data at input byte {at}"));
            assert_eq!(decode(text).err(), wanted, "{text}");
        }
    }
}
