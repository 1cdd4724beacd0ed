//! The predicates that query the reference again, about the same documents or parts of the
//! documents.

use std::error::Error;

use serde_json::Value;

use crate::explain::Question;
use crate::mistakes::{self, KeptElement};
use crate::outcome::{Case, Outcome};
use crate::reference::Reference;
use crate::shrink::{parts, parts_at, shrink};

/// The numbers of queries to the reference if its result may be random. Each number is used only if
/// no earlier query had the expected result. A result may depend on the first key of a map with
/// eight keys inside another such map, so its probability may be 1/64.
const RANDOM_QUERIES: [usize; 3] = [10, 50, 400];

/// The maximum number of errors that are removed from the documents of a case.
const MAX_ERRORS: usize = 30;

type Explanation = Result<Option<Vec<&'static str>>, Box<dyn Error>>;

/// Returns the names of the predicates that explain a result, if they must query the reference
/// again.
pub(crate) fn explain(
    reference: &mut Reference,
    question: &Question<'_>,
    theirs: &Outcome,
) -> Explanation {
    if let Some(mut names) = explain_by_random_order(reference, question)? {
        names.push("random");
        return Ok(Some(names));
    }
    if let (Outcome::Error(theirs), Outcome::Error(ours)) = (theirs, &question.ours())
        && has_both_errors(reference, question, [theirs, ours])?
    {
        return Ok(Some(vec!["which-error"]));
    }
    if differs_only_by_repeated_keys(reference, question, theirs)? {
        return Ok(Some(vec!["duplicate-keys"]));
    }
    Ok(None)
}

/// Repeats the query, because the reference's result may depend on the random order of Go's maps.
/// Returns the predicates that explain one of these results.
fn explain_by_random_order(reference: &mut Reference, question: &Question<'_>) -> Explanation {
    find_answer(reference, question, |answer| question.explain(answer))
}

/// Queries the reference repeatedly, and returns the first result of the function that is not
/// `None`.
fn find_answer<T>(
    reference: &mut Reference,
    question: &Question<'_>,
    find: impl Fn(&Outcome) -> Option<T>,
) -> Result<Option<T>, Box<dyn Error>> {
    let name = question.op.name();
    for count in RANDOM_QUERIES {
        let answers = reference.ask(&question.case.line_of(name, count))?;
        let mut answers = answers[name].as_array().into_iter().flatten();
        if let Some(found) = answers.find_map(|answer| find(&Outcome::read(answer))) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Returns true if the documents have both errors. Each error must have a part of the documents for
/// which both sides report the error, or for which we report the error and the reference panics.
fn has_both_errors(
    reference: &mut Reference,
    question: &Question<'_>,
    errors: [&str; 2],
) -> Result<bool, Box<dyn Error>> {
    for error in errors {
        let wanted = Outcome::Error(error.to_owned());
        let Some(part) = find_part_with_outcome(question, &wanted) else {
            return Ok(false);
        };
        let mut small = part.clone();
        shrink(&part, &mut |smaller| {
            let has_outcome = is_outcome(&question.about(smaller).ours(), &wanted);
            if has_outcome {
                small = smaller.clone();
            }
            Ok(has_outcome)
        })?;
        // The reference may panic where we report an error (`crash`).
        let has_error = |answer: &Outcome| {
            (is_outcome(answer, &wanted) || matches!(answer, Outcome::Panic(_))).then_some(())
        };
        if find_answer(reference, &question.about(&small), has_error)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns true if the outcome is the expected one. Two errors about a missing merge key are equal,
/// even if they are about different elements (`which-element`).
fn is_outcome(outcome: &Outcome, wanted: &Outcome) -> bool {
    match (outcome, wanted) {
        (Outcome::Error(one), Outcome::Error(other)) => {
            one == other || mistakes::are_about_same_missing_key(one, other)
        }
        (one, other) => one == other,
    }
}

/// Returns a part of the documents for which our outcome is the expected outcome. Removes the cause
/// of each other error, until the expected error is the first error. Errors are compared by message
/// and path, because several causes may have the same message.
fn find_part_with_outcome(question: &Question<'_>, wanted: &Outcome) -> Option<Case> {
    let mut case = question.case.clone();
    let (ours, path) = question.ours_with_path();
    if is_outcome(&ours, wanted) {
        return Some(case);
    }
    let mut met = vec![(ours, path)];
    for _ in 0..MAX_ERRORS {
        let mut next = None;
        let path = met.last().and_then(|(_, path)| path.as_ref());
        // First tries to remove the cause of the last error, which keeps all other errors.
        for part in parts_at(&case, path).chain(parts(&case)) {
            let found = question.about(&part).ours_with_path();
            if is_outcome(&found.0, wanted) {
                return Some(part);
            }
            if next.is_none() && matches!(found.0, Outcome::Error(_)) && !met.contains(&found) {
                next = Some((part, found));
            }
        }
        let (part, found) = next?;
        met.push(found);
        case = part;
    }
    None
}

/// Returns true if repeated merge keys explain the whole difference. Two conditions must be met:
/// both sides agree if only one element with each key is kept; and if both sides have a result, the
/// patches, or the objects after the patches, are equal except for elements with these keys.
fn differs_only_by_repeated_keys(
    reference: &mut Reference,
    question: &Question<'_>,
    theirs: &Outcome,
) -> Result<bool, Box<dyn Error>> {
    let (schema, case) = (question.schema, question.case);
    let twice = mistakes::repeated_keys(schema, case);
    if twice.is_empty() {
        return Ok(false);
    }
    let sorted = mistakes::sorted_originals(schema, case);
    let rest = |answer: &Value| {
        let mut left = mistakes::without(&twice, answer);
        // The order of lists of scalars has its own predicates (`sorted-original`,
        // `sorted-patch`).
        for merged in [true, false] {
            mistakes::sort_scalars(schema, &mut left, merged);
        }
        left
    };
    let differs = |ours: Outcome| match (theirs, ours) {
        (Outcome::Done(theirs), Outcome::Done(ours)) if rest(theirs) != rest(&ours) => {
            // Our patch may replace the whole list. Then the objects after the patches are
            // compared.
            match (question.result_of(theirs), question.result_of(&ours)) {
                (Some(theirs), Some(ours)) => rest(&theirs) != rest(&ours),
                // The reference's patch may be invalid, so that there is no object to compare.
                (None, Some(_)) => false,
                (_, None) => true,
            }
        }
        _ => false,
    };
    if differs(question.ours()) && differs(question.about(&sorted).ours()) {
        return Ok(false);
    }
    for keep in [KeptElement::First, KeptElement::Last] {
        let once = mistakes::without_repeated_keys(schema, case, keep);
        let question = question.about(&once);
        if explain_by_random_order(reference, &question)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}
