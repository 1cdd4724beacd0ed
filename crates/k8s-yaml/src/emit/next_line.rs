//! The character U+0085 (next line) in strings.

use std::borrow::Cow;

const NEXT_LINE: char = '\u{85}';

/// Returns a string as go-yaml reads it between double quotes. Go prints a value in JSON first, and
/// then reads the JSON as YAML, in which U+0085 is a line break: spaces around line breaks are
/// removed, a single line break becomes a space, and of several the first is removed.
pub(super) fn folded(string: &str) -> Cow<'_, str> {
    if !string.contains(NEXT_LINE) {
        return string.into();
    }
    let mut result = String::with_capacity(string.len());
    let mut rest = string;
    while let Some((line, following)) = rest.split_once(NEXT_LINE) {
        result.push_str(line.trim_end_matches(' '));
        let next = following.trim_start_matches([' ', NEXT_LINE]);
        let skipped_length = following.len() - next.len();
        let skipped = following.get(..skipped_length).unwrap_or_default();
        match skipped.matches(NEXT_LINE).count() {
            0 => result.push(' '),
            count => result.extend(std::iter::repeat_n('\n', count)),
        }
        rest = next;
    }
    result.push_str(rest);
    result.into()
}
