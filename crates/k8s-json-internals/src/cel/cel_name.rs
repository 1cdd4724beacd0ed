//! Names of JSON properties as identifiers of CEL.

/// Words that CEL reserves for future use.
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// The literals and the operator of CEL that look like identifiers.
const KEYWORDS: [&str; 4] = ["true", "false", "null", "in"];

/// Returns true if CEL reserves a word for future use.
#[must_use]
pub fn is_reserved_word(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Returns the CEL identifier for a property's name, escaped as Kubernetes does. Returns `None` if
/// the name cannot be escaped, such as a name that begins with a digit.
#[must_use]
pub fn escape_identifier(name: &str) -> Option<String> {
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if is_reserved_word(name) || KEYWORDS.contains(&name) {
        return Some(format!("__{name}__"));
    }
    let mut identifier = String::with_capacity(name.len());
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        match c {
            '_' if chars.as_str().starts_with('_') => {
                chars.next();
                identifier.push_str("__underscores__");
            }
            '.' => identifier.push_str("__dot__"),
            '-' => identifier.push_str("__dash__"),
            '/' => identifier.push_str("__slash__"),
            _ if c == '_' || c.is_ascii_alphanumeric() => identifier.push(c),
            _ => return None,
        }
    }
    Some(identifier)
}

/// Returns the path of a field relative to its struct, in the form of `fieldPath` in CRDs.
#[must_use]
pub fn field_path(name: &str) -> String {
    if is_identifier(name) {
        format!(".{name}")
    } else {
        format!("['{name}']")
    }
}

fn is_identifier(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::escape_identifier;

    #[test]
    fn names_are_escaped_as_kubernetes_does_it() {
        let cases = [
            ("my_field", Some("my_field")),
            ("a__b", Some("a__underscores__b")),
            ("a___b", Some("a__underscores___b")),
            ("x.y", Some("x__dot__y")),
            ("a-b/c", Some("a__dash__b__slash__c")),
            ("namespace", Some("__namespace__")),
            ("type", Some("type")),
            ("1a", None),
            ("a$", None),
            ("", None),
        ];
        for (name, escaped) in cases {
            assert_eq!(escape_identifier(name).as_deref(), escaped, "{name}");
        }
    }
}
