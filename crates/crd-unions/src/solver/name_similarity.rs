//! Similarity of names, for naming hints, findings and weak unions. Unions themselves are inferred
//! from the rules alone.

/// Returns a name without case and punctuation: `rolling_update` and `RollingUpdate` are equal.
pub(crate) fn normalize_name(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns true if a field is named like a value: one name begins with the other.
pub(crate) fn is_named_like(field: &str, value: &str) -> bool {
    /// The minimum length of a prefix. Shorter names match by chance.
    const MIN_PREFIX: usize = 3;
    let [field, value] = [field, value].map(normalize_name);
    field == value && !value.is_empty()
        || value.len() >= MIN_PREFIX && field.starts_with(&*value)
        || field.len() >= MIN_PREFIX && value.starts_with(&*field)
}
