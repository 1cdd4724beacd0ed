//! Names, which only rank what the rules say.

/// A name without case and signs: `rolling_update` and `RollingUpdate` are one.
pub(crate) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether a field is called like a value: the one begins with the other.
pub(crate) fn is_named_like(field: &str, value: &str) -> bool {
    /// Shorter names are alike by chance.
    const LEAST: usize = 3;
    let [field, value] = [field, value].map(plain);
    field == value && !value.is_empty()
        || value.len() >= LEAST && field.starts_with(&*value)
        || field.len() >= LEAST && value.starts_with(&*field)
}
