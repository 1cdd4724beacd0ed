//! Types of objects without a name: the server makes one up, with a number that is another each time.

/// A message of the server with `object` for each of them, as we call them.
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
