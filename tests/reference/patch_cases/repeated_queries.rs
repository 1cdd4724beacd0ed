//! The predicates that query the reference again, about the same documents or parts of the
//! documents.

use std::error::Error;

use serde_json::Value;

use crate::explain::Question;
use crate::mistakes::{self, KeptElement};
use crate::outcome::{Case, Outcome};
use crate::reference::Reference;
use crate::shrink::{parts, parts_at, shrink};

/// The number of queries to the reference if its result may be random.
const RANDOM_QUERIES: usize = 60;

/// The number of queries to the reference if it reports only one of several errors.
const ERROR_QUERIES: usize = 10;

/// The maximum number of errors in the documents of a case.
const MAX_ERRORS: usize = 30;

type Explanation = Result<Option<Vec<&'static str>>, Box<dyn Error>>;

/// Returns the names of the predicates that explain a result which no other predicate explains.
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

/// Returns the predicates for one of several results of the reference to the same query: much of
/// its work depends on the random order of Go's maps.
fn explain_by_random_order(reference: &mut Reference, question: &Question<'_>) -> Explanation {
    let answers = query_repeatedly(reference, question, question.case, RANDOM_QUERIES)?;
    Ok(answers.iter().find_map(|answer| question.explain(answer)))
}

fn query_repeatedly(
    reference: &mut Reference,
    question: &Question<'_>,
    case: &Case,
    count: usize,
) -> Result<Vec<Outcome>, Box<dyn Error>> {
    let name = question.op.name();
    let answers = reference.ask(&case.line_of(name, count))?;
    let answers = answers[name].as_array().into_iter().flatten();
    Ok(answers.map(Outcome::read).collect())
}

/// Returns true if the documents have both errors: for a part of the documents both sides report
/// the first error, and for another part both report the second, or the reference panics.
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
        let answers = query_repeatedly(reference, question, &small, ERROR_QUERIES)?;
        // The reference may break down where we have an error (`crash`).
        let has_error =
            |answer: &Outcome| is_outcome(answer, &wanted) || matches!(answer, Outcome::Panic(_));
        if !answers.iter().any(has_error) {
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

/// Returns a part of the documents for which our outcome is the expected one. The cause of each
/// error is removed, until the expected error is the first. Several causes may have one message, so
/// their paths count too.
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
        // The removal of the cause leaves all other errors.
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

/// Returns true if repeated merge keys explain the whole difference. If only one element with each
/// key is kept, both sides must agree; and if both have a result, the results must be equal except
/// for the elements with those keys: the patches, or else the objects after the patches.
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
            // Our patch may replace the whole list, so the results count.
            match (question.result_of(theirs), question.result_of(&ours)) {
                (Some(theirs), Some(ours)) => rest(&theirs) != rest(&ours),
                // The reference's patch may be one that servers reject.
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
        let answers = query_repeatedly(reference, &question, &once, ERROR_QUERIES)?;
        let mut names = answers.iter().map(|answer| question.explain(answer));
        if !names.any(|names| names.is_some()) {
            return Ok(false);
        }
    }
    Ok(true)
}
