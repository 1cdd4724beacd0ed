//! Takes texts apart.

/// What stands before the first character that is not such, and the rest.
pub(crate) fn split_while(text: &str, is_one: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|c| !is_one(c)).unwrap_or(text.len());
    text.split_at(end)
}

/// The digits that come first, and the rest.
pub(crate) fn split_digits(text: &str) -> (&str, &str) {
    split_while(text, |c| c.is_ascii_digit())
}
