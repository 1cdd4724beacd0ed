//! The differences that are on purpose: `../DIFFERENCES.md` has a row for each.

use crate::answer::Answer;
use crate::case::Case;

/// The predicate that foretells both answers.
pub(crate) fn foretold(_case: &Case, ours: &Answer, theirs: &Answer) -> Option<&'static str> {
    is_crash(ours, theirs).then_some("crash")
}

/// Where the server's own code breaks down when an expression is compiled, which is no answer: what we say is what any other
/// expression gets.
fn is_crash(ours: &Answer, theirs: &Answer) -> bool {
    const CRASHES: [&str; 2] = [
        "runtime error: hash of unhashable type ",
        "runtime error: index out of range [0] with length 0",
    ];
    CRASHES.iter().any(|text| theirs.panic.starts_with(text)) && ours.panic.is_empty()
}
