//! The predicates that ask the reference again, about the same documents or parts of them.

use std::error::Error;

use crate::explain::Question;
use crate::fix::{self, Keep};
use crate::outcome::{Case, Outcome};
use crate::reference::Reference;
use crate::shrink::parts;

/// How often the reference is asked where its answer may be chance.
const OFTEN: usize = 60;

type Explained = Result<Option<Vec<&'static str>>, Box<dyn Error>>;

/// The names of the predicates that foretell an answer which none of the others does.
pub(crate) fn explain(
    reference: &mut Reference,
    question: &Question<'_>,
    theirs: &Outcome,
) -> Explained {
    if let Some(mut names) = by_chance(reference, question)? {
        names.push("random");
        return Ok(Some(names));
    }
    if let (Outcome::Error(theirs), Outcome::Error(ours)) = (theirs, &question.ours())
        && is_of_several(reference, question, [theirs, ours])?
    {
        return Ok(Some(vec!["which-error"]));
    }
    if spoils_what_is_twice_alone(reference, question, theirs)? {
        return Ok(Some(vec!["duplicate-keys"]));
    }
    Ok(None)
}

/// Whether the reference gives our answer too, now and then: much of what it does depends on the order of Go's maps.
fn by_chance(reference: &mut Reference, question: &Question<'_>) -> Explained {
    let answers = asked(reference, question, question.case)?;
    Ok(answers.iter().find_map(|answer| question.explain(answer)))
}

fn asked(
    reference: &mut Reference,
    question: &Question<'_>,
    case: &Case,
) -> Result<Vec<Outcome>, Box<dyn Error>> {
    let name = question.op.name();
    let answers = reference.ask(&case.line_of(name, OFTEN))?;
    let answers = answers[name].as_array().into_iter().flatten();
    Ok(answers.map(Outcome::read).collect())
}

/// Whether both errors are there: without one member or element of the documents both sides say the one, without another
/// both say the other.
fn is_of_several(
    reference: &mut Reference,
    question: &Question<'_>,
    errors: [&str; 2],
) -> Result<bool, Box<dyn Error>> {
    for error in errors {
        let wanted = Outcome::Error(error.to_owned());
        let mut is_alone = false;
        for part in parts(question.case) {
            let says_so = question.about(&part).ours() == wanted;
            if says_so && asked(reference, question, &part)? == [wanted.clone()] {
                is_alone = true;
                break;
            }
        }
        if !is_alone {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether merge keys that are there twice make all the difference: with each of them once, whichever stays, both sides answer
/// alike; and where both have an answer, the two are alike but for the elements with those keys.
fn spoils_what_is_twice_alone(
    reference: &mut Reference,
    question: &Question<'_>,
    theirs: &Outcome,
) -> Result<bool, Box<dyn Error>> {
    let (schema, case) = (question.schema, question.case);
    let twice = fix::keys_twice(schema, case);
    if twice.is_empty() {
        return Ok(false);
    }
    if let (Outcome::Done(theirs), Outcome::Done(ours)) = (theirs, question.ours())
        && fix::without(&twice, theirs) != fix::without(&twice, &ours)
    {
        return Ok(false);
    }
    for keep in [Keep::First, Keep::Last] {
        let once = fix::each_key_once(schema, case, keep);
        let question = question.about(&once);
        let answers = asked(reference, &question, &once)?;
        let mut names = answers.iter().map(|answer| question.explain(answer));
        if !names.any(|names| names.is_some()) {
            return Ok(false);
        }
    }
    Ok(true)
}
