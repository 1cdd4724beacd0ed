//! Names of object types in messages. A server generates a name with a random number, such as
//! `selfType123`.

/// Replaces each generated name in a message by `object`, which our messages contain.
pub(crate) fn plain(text: &str) -> String {
    let mut parts = text.split("selfType");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "._@".contains(c);
        plain.push_str("object");
        plain.push_str(part.trim_start_matches(is_name));
    }
    plain
}
