//! Comparison of names. Names only rank the results that the rules determine.

/// Returns a name without case and punctuation: `rolling_update` and `RollingUpdate` are equal.
pub(crate) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns true if a field is named like a value: one name begins with the other.
pub(crate) fn is_named_like(field: &str, value: &str) -> bool {
    /// The minimum length of a prefix. Shorter names match by chance.
    const LEAST: usize = 3;
    let [field, value] = [field, value].map(plain);
    field == value && !value.is_empty()
        || value.len() >= LEAST && field.starts_with(&*value)
        || field.len() >= LEAST && value.starts_with(&*field)
}
