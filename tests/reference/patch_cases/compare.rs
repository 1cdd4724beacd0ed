//! Puts cases to both sides, and keeps count.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use k8s_strategic_merge_patch::{PatchSchema, Policy};

use crate::explain::{DUPLICATE_KEYS, NAMES, Question, WHICH_ERROR};
use crate::fix;
use crate::outcome::{Case, OPS, Op, Outcome};
use crate::reference::Reference;
use crate::schema::{Lookup, Schema};
use crate::shrink::shrink;

/// How often the reference is asked where its answer may be chance.
const OFTEN: usize = 60;

/// How many kinds of differences are shown.
const KINDS: usize = 12;

/// How the reference reads a schema that may have strategies with `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pipes {
    None,
    /// It reads `|`, which makes one unknown word of all; we read such a word.
    AsOneWord,
    /// It reads `,` instead.
    AsCommas,
}

#[derive(Default)]
struct Tally {
    cases: usize,
    agree: usize,
    /// Of those that agree: they are refused, or conflicts.
    refused: usize,
    explained: usize,
    by: BTreeMap<&'static str, usize>,
    differ: usize,
}

struct Difference {
    count: usize,
    schema: Schema,
    op: Op,
    case: Case,
    theirs: Outcome,
    ours: Outcome,
}

pub(crate) struct Comparison {
    reference: Reference,
    tallies: BTreeMap<Op, Tally>,
    differences: BTreeMap<String, Difference>,
    /// Cases by schemas that have strategies with `|`.
    pipes: usize,
    has_pipes: bool,
}

impl Comparison {
    pub(crate) fn new(reference: Reference) -> Self {
        Self {
            reference,
            tallies: BTreeMap::new(),
            differences: BTreeMap::new(),
            pipes: 0,
            has_pipes: false,
        }
    }

    /// Tells the reference a schema, and returns ours.
    pub(crate) fn use_schema(
        &mut self,
        schema: &Schema,
        pipes: Pipes,
    ) -> Result<(Schema, PatchSchema), Box<dyn Error>> {
        let theirs = match pipes {
            Pipes::None | Pipes::AsOneWord => schema.clone(),
            Pipes::AsCommas => schema.with_strategies(&|text| text.replace('|', ",")),
        };
        let ours = match pipes {
            Pipes::None | Pipes::AsCommas => schema.clone(),
            Pipes::AsOneWord => schema.with_strategies(&|text| text.replace('|', "_")),
        };
        self.has_pipes = theirs != ours;
        self.reference.ask(&theirs.line())?;
        let compiled = compile(&ours)?;
        // The predicates read what the reference does.
        let read = match pipes {
            Pipes::AsCommas => theirs,
            Pipes::None | Pipes::AsOneWord => ours,
        };
        Ok((read, compiled))
    }

    pub(crate) fn run(
        &mut self,
        schema: &Schema,
        compiled: &PatchSchema,
        case: &Case,
    ) -> Result<(), Box<dyn Error>> {
        let answers = self.reference.ask(&case.line())?;
        self.pipes += usize::from(self.has_pipes);
        for op in OPS {
            let tally = self.tallies.entry(op).or_default();
            tally.cases += 1;
            let case = &case.of_op(op);
            let question = Question {
                schema,
                compiled,
                op,
                case,
            };
            let theirs = Outcome::read(&answers[op.name()][0]);
            let explained = match question.explain(&theirs) {
                Some(names) => Some(names),
                None => by_asking(&mut self.reference, &question)?,
            };
            match explained {
                Some(names) if names.is_empty() => {
                    tally.agree += 1;
                    tally.refused += usize::from(!matches!(theirs, Outcome::Done(_)));
                }
                Some(names) => {
                    tally.explained += 1;
                    for name in names {
                        *tally.by.entry(name).or_default() += 1;
                    }
                }
                None => {
                    tally.differ += 1;
                    let ours = question.ours();
                    let signs = format!("{}: {} / {}", op.name(), theirs.sign(), ours.sign());
                    let entry = self.differences.entry(signs);
                    entry
                        .and_modify(|found| found.count += 1)
                        .or_insert_with(|| Difference {
                            count: 1,
                            schema: schema.clone(),
                            op,
                            case: case.clone(),
                            theirs,
                            ours,
                        });
                }
            }
        }
        Ok(())
    }

    /// Prints all. True if all is well.
    pub(crate) fn finish(mut self, must_be_needed: bool) -> Result<bool, Box<dyn Error>> {
        let mut found: Vec<_> = std::mem::take(&mut self.differences).into_iter().collect();
        found.sort_by_key(|(_, difference)| std::cmp::Reverse(difference.count));
        let mut needed: BTreeMap<&str, usize> = BTreeMap::new();
        let mut differ = 0;
        for (op, tally) in &self.tallies {
            println!(
                "{:<10} {:>7} cases: {} agree ({} refused), {} explained, {} differ",
                op.name(),
                tally.cases,
                tally.agree,
                tally.refused,
                tally.explained,
                tally.differ,
            );
            for (name, count) in &tally.by {
                println!("           explained by {name}: {count}");
                *needed.entry(name).or_default() += count;
            }
            differ += tally.differ;
        }
        for (signs, difference) in found.iter().take(KINDS) {
            let small = self.shrink(difference)?;
            println!("{} times {signs}", difference.count);
            println!(
                "   schema  {:?} {}",
                small.0.lookup,
                small.0.schemas.to_string().len()
            );
            println!("   case    {}", small.1.line());
            println!("   theirs  {:?}\n   ours    {:?}", small.2, small.3);
        }
        println!("pipe: {} of the cases", self.pipes);
        let unneeded = NAMES.iter().filter(|name| !needed.contains_key(*name));
        let unneeded: Vec<_> = unneeded.collect();
        let is_needed = unneeded.is_empty() || !must_be_needed;
        if !is_needed {
            println!("predicates that no case needs: {unneeded:?}");
        }
        Ok(differ == 0 && is_needed)
    }

    /// The smallest case with the same signs.
    fn shrink(
        &mut self,
        difference: &Difference,
    ) -> Result<(Schema, Case, Outcome, Outcome), Box<dyn Error>> {
        let Difference {
            schema, op, case, ..
        } = difference;
        self.reference.ask(&schema.line())?;
        let compiled = compile(schema)?;
        let signs = |theirs: &Outcome, ours: &Outcome| (theirs.sign(), ours.sign());
        let wanted = signs(&difference.theirs, &difference.ours);
        let mut found = (
            schema.clone(),
            case.clone(),
            difference.theirs.clone(),
            difference.ours.clone(),
        );
        let reference = &mut self.reference;
        shrink(case, &mut |case| {
            let question = Question {
                schema,
                compiled: &compiled,
                op: *op,
                case,
            };
            let answers = reference.ask(&case.line_of(op.name(), 1))?;
            let theirs = Outcome::read(&answers[op.name()][0]);
            let ours = question.ours();
            let differs = signs(&theirs, &ours) == wanted
                && question.explain(&theirs).is_none()
                && by_asking(reference, &question)?.is_none();
            if differs {
                found = (schema.clone(), case.clone(), theirs, ours);
            }
            Ok(differs)
        })?;
        Ok(found)
    }
}

/// What explains an answer where it takes more answers of the reference.
fn by_asking(
    reference: &mut Reference,
    question: &Question<'_>,
) -> Result<Option<Vec<&'static str>>, Box<dyn Error>> {
    let (found, is_one_of_errors) = by_chance(reference, question)?;
    if found.is_some() {
        return Ok(found);
    }
    if is_one_of_errors || has_both_errors(reference, question)? {
        return Ok(Some(vec![WHICH_ERROR]));
    }
    let Some(once) = fix::with_keys_once(question.schema, question.case) else {
        return Ok(None);
    };
    let once = Question {
        case: &once,
        ..*question
    };
    let answers = reference.ask(&once.case.line_of(once.op.name(), 1))?;
    let theirs = Outcome::read(&answers[once.op.name()][0]);
    let is_alike = once.explain(&theirs).is_some() || {
        let (found, is_one_of_errors) = by_chance(reference, &once)?;
        found.is_some() || is_one_of_errors
    };
    Ok(is_alike.then(|| vec![DUPLICATE_KEYS]))
}

/// Whether there are several errors, of which the reference names another one than we do: it goes through elements in the order of
/// their keys, as we do where they stand so; or it names ours where a part of the documents is gone.
fn has_both_errors(
    reference: &mut Reference,
    question: &Question<'_>,
) -> Result<bool, Box<dyn Error>> {
    let name = question.op.name();
    let ours = question.ours();
    let answers = reference.ask(&question.case.line_of(name, 1))?;
    let theirs = Outcome::read(&answers[name][0]);
    if !matches!((&theirs, &ours), (Outcome::Error(_), Outcome::Error(_))) {
        return Ok(false);
    }
    let sorted = fix::sorted_by_key(question.schema, question.case);
    if Outcome::ours(question.compiled, question.op, &sorted) == theirs {
        return Ok(true);
    }
    let mut is_named = false;
    shrink(question.case, &mut |case| {
        if !is_named {
            let answers = reference.ask(&case.line_of(name, 1))?;
            is_named = Outcome::read(&answers[name][0]) == ours;
        }
        Ok(false)
    })?;
    Ok(is_named)
}

/// The predicates by which the reference gives our answer too, if it does; and whether it names one of several errors, and so do we.
type ByChance = (Option<Vec<&'static str>>, bool);

/// Whether the reference gives our answer too, now and then: much of what it does depends on the order of Go's maps.
fn by_chance(
    reference: &mut Reference,
    question: &Question<'_>,
) -> Result<ByChance, Box<dyn Error>> {
    let answers = reference.ask(&question.case.line_of(question.op.name(), OFTEN))?;
    let answers = answers[question.op.name()].as_array().into_iter().flatten();
    let mut errors = BTreeSet::new();
    let mut are_errors = matches!(question.ours(), Outcome::Error(_));
    for answer in answers {
        let answer = Outcome::read(answer);
        if let Some(mut names) = question.explain(&answer) {
            names.push("random");
            return Ok((Some(names), false));
        }
        match answer {
            Outcome::Error(text) => drop(errors.insert(text)),
            _ => are_errors = false,
        }
    }
    Ok((None, are_errors && errors.len() > 1))
}

fn compile(schema: &Schema) -> Result<PatchSchema, Box<dyn Error>> {
    let policy = match schema.lookup {
        Lookup::V2 => Policy::Schemaless,
        Lookup::V3 | Lookup::Type(_) => Policy::Strict,
    };
    let compiler = PatchSchema::compiler().policy(policy);
    compiler
        .openapi(&schema.document(), schema.root)
        .map_err(|error| error.to_string().into())
}
