//! The differences that are on purpose: `../DIFFERENCES.md` has a row for each.

use crate::answer::Answer;
use crate::case::Case;

/// The predicate that foretells both answers.
pub(crate) fn foretold(_case: &Case, _ours: &Answer, _theirs: &Answer) -> Option<&'static str> {
    None
}
