//! Runs many cases of many schemas on both sides.

use std::error::Error;

use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};

use crate::prediction::Prediction;
use crate::reference::Reference;
use crate::schema::Struct;
use crate::tally::Tally;
use union_random::Random;

/// A schema with unions, and a setting of the reference.
pub(crate) struct Group {
    pub(crate) of: Struct,
    /// True if the reference sets the discriminator to the value of the set member
    /// (`deduceInvalidDiscriminator`).
    pub(crate) deduce: bool,
}

/// A case with objects of a schema.
pub(crate) trait Case: Sized {
    fn random(random: &mut Random, of: &Struct) -> Self;

    /// Returns the line for the reference. `schema` is the name of the schema.
    fn question(&self, schema: &str) -> Value;

    /// Returns the object before normalization. This method and the next two get the reply of the
    /// reference, because the object of a server-side apply is merged by the reference.
    fn sent(&self, answer: &Value) -> Value;

    /// Returns our result, or `None` if we reject the request.
    fn ours(&self, unions: &Unions, answer: &Value) -> Option<Value>;

    /// Returns the expected results.
    fn predict(&self, group: &Group, answer: &Value) -> Prediction;
}

/// The number of cases of one schema.
const CASES_PER_SCHEMA: usize = 40;

pub(crate) fn run<C: Case>(
    reference: &Reference,
    random: &mut Random,
    count: usize,
) -> Result<Tally, Box<dyn Error>> {
    let mut groups = Vec::new();
    let mut questions = Vec::new();
    for number in 0..count.div_ceil(CASES_PER_SCHEMA) {
        let of = Struct::random(random);
        let deduce = random.chance(80);
        let name = number.to_string();
        questions.push(json!({
            "subject": "schema",
            "name": name,
            "deduce": deduce,
            "schema": of.schema(),
        }));
        let cases: Vec<C> = (0..CASES_PER_SCHEMA)
            .map(|_| C::random(random, &of))
            .collect();
        questions.extend(cases.iter().map(|case| case.question(&name)));
        let group = Group { of, deduce };
        groups.push((group, cases));
    }
    let mut answers = reference.ask(&questions)?.into_iter();
    let mut tally = Tally::default();
    for (group, cases) in groups {
        let unions = Unions::compile(SchemaSource::Schema(&group.of.schema()))?;
        let schema = answers.next().unwrap_or_default();
        if schema != json!({}) {
            return Err(
                format!("the reference cannot read {}: {schema}", group.of.schema()).into(),
            );
        }
        for case in cases {
            let answer = answers.next().unwrap_or_default();
            let ours = case.ours(&unions, &answer);
            let prediction = case.predict(&group, &answer);
            let outcome =
                prediction.compare(&case.sent(&answer), ours.as_ref(), answer.get("object"));
            tally.count(outcome, || {
                let mut question = case.question("");
                question["schema"] = group.of.schema();
                let ours = ours.unwrap_or_else(|| "rejected".into());
                format!("{question}\n  ours:      {ours}\n  reference: {answer}")
            });
        }
    }
    Ok(tally)
}
