//! The intended differences: each has a row in `../DIFFERENCES.md`.

use crate::answer::Answer;
use crate::case::Case;

/// Returns the name of the predicate that explains the difference, if there is one.
pub(crate) fn explaining_predicate(
    case: &Case,
    ours: &Answer,
    theirs: &Answer,
) -> Option<&'static str> {
    if is_selector_of_old_libraries(case, theirs) {
        return Some("old-selectors");
    }
    if is_crash(case, ours, theirs) {
        return Some("crash");
    }
    if is_address(ours, theirs) {
        return Some("address");
    }
    if is_unnamed(ours, theirs) {
        return Some("unnamed");
    }
    if is_old_join(ours, theirs) {
        return Some("old-join");
    }
    is_beside_syntax(ours, theirs).then_some("beside-syntax")
}

/// Returns true if the server's libraries are too old for the functions `fieldSelector` and
/// `labelSelector`. No real server that knows these functions has such old libraries.
fn is_selector_of_old_libraries(case: &Case, theirs: &Answer) -> bool {
    ["fieldSelector", "labelSelector"].iter().any(|name| {
        let message = format!("undeclared reference to '{name}'");
        case.expression.contains(name) && theirs.compile.contains(&message)
    })
}

/// Returns true if only the numbers in names of unresolved types differ, such as `_var6`. A server
/// assigns these numbers in the random order of a map.
fn is_unnamed(ours: &Answer, theirs: &Answer) -> bool {
    let without_numbers = |answer: &Answer| {
        let mut parts = answer.compile.split("_var");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| {
            text + "_var" + part.trim_start_matches(|c: char| c.is_ascii_digit())
        })
    };
    theirs.compile.contains("_var") && without_numbers(ours) == without_numbers(theirs)
}

/// Returns true if only the message of `join` about an element that is not a string differs. Before
/// 1.29, the server's message contains the element as Go prints it; ours contains the reason.
fn is_old_join(ours: &Answer, theirs: &Answer) -> bool {
    let Some(reason) = ours.error.strip_prefix("join: invalid input: ") else {
        return false;
    };
    let found = match reason.strip_prefix("invalid data, expected string, got ") {
        None => "<nil>",
        Some(found) => found,
    };
    let as_theirs = |error: String| {
        let ours = ours.clone();
        Answer { error, ..ours } == *theirs
    };
    as_theirs(format!(
        "expected all elements to be of type string, but got {found}"
    )) || as_theirs(format!(
        "unsupported conversion to ref.Val: (*errors.errorString){reason}"
    ))
}

/// Returns true if the server's message contains a memory address, where our message contains the
/// type of the value.
fn is_address(ours: &Answer, theirs: &Answer) -> bool {
    ["join: invalid input: ", "insert failed: key ", "value "]
        .iter()
        .any(|start| {
            let is_of = |answer: &Answer| answer.error.starts_with(start);
            is_of(ours) && is_of(theirs) && theirs.error.contains(" 0x")
        })
        && Answer {
            error: theirs.error.clone(),
            ..ours.clone()
        } == *theirs
}

/// Returns true if the syntax errors are the same, and other errors differ. After a syntax error,
/// the server also checks the part of the expression that it could parse.
fn is_beside_syntax(ours: &Answer, theirs: &Answer) -> bool {
    const OF_TREE: [&str; 6] = [
        "unable to unescape string",
        "unsupported syntax '",
        "argument ",
        "sortBy can only be applied to ",
        "invalid ",
        "reserved identifier: ",
    ];
    let of_syntax = |answer: &Answer| -> Option<Vec<String>> {
        let mistakes = answer.compile.strip_prefix("compilation failed: ERROR: ")?;
        let mut found = Vec::new();
        for mistake in mistakes.split("\nERROR: ") {
            let (_, text) = mistake.split_once(": ")?;
            if text.starts_with("Syntax error: ") {
                found.push(mistake.to_owned());
            } else if !OF_TREE.iter().any(|known| text.starts_with(known)) {
                return None;
            }
        }
        Some(found)
    };
    match (of_syntax(ours), of_syntax(theirs)) {
        (Some(ours), Some(theirs)) => !ours.is_empty() && ours == theirs,
        _ => false,
    }
}

/// Returns true if the server's code panics when it compiles the expression, so that the server has
/// no result to compare.
fn is_crash(case: &Case, ours: &Answer, theirs: &Answer) -> bool {
    const CRASHES: [&str; 2] = [
        "runtime error: hash of unhashable type ",
        "runtime error: index out of range [0] with length 0",
    ];
    // Before 1.32, a template that is not a literal crashes the validation of `format`.
    let is_format_crash = case.expression.contains(".format(")
        && theirs
            .panic
            .starts_with("runtime error: invalid memory address or nil pointer");
    let is_known = CRASHES.iter().any(|text| theirs.panic.starts_with(text));
    (is_known || is_format_crash) && ours.panic.is_empty()
}
