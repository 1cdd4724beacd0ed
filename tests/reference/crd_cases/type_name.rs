//! The names of unnamed object types, for which the server generates a name with a random number.

/// Replaces each generated name in a message by `object`, as in our messages.
pub(crate) fn plain(text: &str) -> String {
    let mut parts = text.split("selfType");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_name = |sign: char| sign.is_ascii_alphanumeric() || "._@".contains(sign);
        plain.push_str("object");
        plain.push_str(part.trim_start_matches(is_name));
    }
    plain
}
