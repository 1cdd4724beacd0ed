//! Compares the validation of creates and updates: union-runtime and apimachinery's
//! `validate.Union` and similar functions.

mod case;
mod line;
mod rules;
mod union;

use std::error::Error;

use serde_json::{Value, json};
use union_runtime::Settings;

use crate::prediction::Outcome;
use crate::reference::Reference;
use crate::tally::Tally;
use case::Case;
use line::Line;
pub(crate) use rules::{DISCRIMINATED, EXACTLY_ONE, ZERO_OR_ONE};
use union::{Group, TYPE};
use union_random::Random;

/// The number of cases of one union.
const CASES_PER_GROUP: usize = 40;

pub(crate) fn run(
    subject: &'static str,
    reference: &Reference,
    random: &mut Random,
    count: usize,
) -> Result<Tally, Box<dyn Error>> {
    let mut questions = Vec::new();
    let mut groups = Vec::new();
    for _ in 0..count.div_ceil(CASES_PER_GROUP) {
        let group = Group::random(subject, random)?;
        let cases = (0..CASES_PER_GROUP).map(|_| Case::random(&group, random));
        let cases: Vec<Case> = cases.collect();
        questions.extend(cases.iter().map(|case| group.question(case)));
        groups.push((group, cases));
    }
    let mut answers = reference.ask(&questions)?.into_iter();
    let mut tally = Tally::default();
    for (group, cases) in groups {
        for case in cases {
            let theirs = line::theirs(&answers.next().unwrap_or_default());
            let ours = group.ours(&case);
            let outcome = group.compare(&case, &ours, &theirs);
            tally.count(outcome, || {
                let question = group.question(&case);
                let ratchet = case.ratchet;
                format!("{question} {ratchet:?}\n  ours:      {ours:#?}\n  reference: {theirs:#?}")
            });
        }
    }
    Ok(tally)
}

impl Group {
    fn question(&self, case: &Case) -> Value {
        let members: Vec<Value> = self
            .members
            .iter()
            .map(|member| json!({ "name": member.name, "value": member.value }))
            .collect();
        json!({
            "subject": self.subject,
            "path": case.path,
            "discriminator": if self.discriminator.is_some() { TYPE } else { "" },
            "members": members,
            "update": case.old_object.is_some(),
            "old": case.old,
            "new": case.new,
        })
    }

    fn ours(&self, case: &Case) -> Vec<Line> {
        let settings = Settings::default().ratchet(case.ratchet);
        let report = match &case.old_object {
            None => self.unions.validate(&case.new_object),
            Some(old) => self
                .unions
                .validate_update(&case.new_object, old, &settings),
        };
        line::ours(&report)
    }

    fn compare(&self, case: &Case, ours: &[Line], theirs: &[Line]) -> Outcome {
        let our_fields = ours.iter().map(|line| &line.field);
        let should = self.our_fields(case);
        if !our_fields.eq(&should) {
            return Outcome::Differ(format!("we should name the fields {should:?}"));
        }
        let should = self.theirs(case);
        if !line::is_same(theirs, &should) {
            return Outcome::Differ(format!("expected result of the reference: {should:#?}"));
        }
        let predicates = self.predicates(case);
        if line::is_same(theirs, ours) {
            Outcome::Agree {
                is_rejected: !ours.is_empty(),
            }
        } else if predicates.is_empty() {
            Outcome::Differ("no predicate explains the difference".into())
        } else {
            Outcome::Explained(predicates)
        }
    }
}
