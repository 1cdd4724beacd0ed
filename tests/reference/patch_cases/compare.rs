//! Runs cases on both sides, and counts the results.

use std::collections::BTreeMap;
use std::error::Error;

use k8s_strategic_merge_patch::{PatchSchema, UnknownFieldPolicy};

use crate::explain::{NAMES, Question};
use crate::outcome::{Case, OPS, Op, Outcome};
use crate::reference::Reference;
use crate::repeated_queries;
use crate::schema::{Lookup, Schema};
use crate::shrink::shrink;

/// The number of kinds of differences that are printed.
const MAX_PRINTED: usize = 12;

/// The form in which the reference gets patch strategies with `|`, such as `merge|retainKeys`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pipes {
    None,
    /// The reference gets `|`, and treats the whole strategy as one unknown strategy. Our schema
    /// has an unknown strategy too.
    AsOneWord,
    /// The reference gets `,` instead of `|`, so that it knows both strategies.
    AsCommas,
}

#[derive(Default)]
struct Tally {
    cases: usize,
    agree: usize,
    /// The number of agreements in which both sides report an error or a conflict.
    rejected: usize,
    explained: usize,
    by_predicate: BTreeMap<&'static str, usize>,
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
    /// The number of cases whose schemas have strategies with `|`.
    pipe_case_count: usize,
    has_pipes: bool,
}

impl Comparison {
    pub(crate) fn new(reference: Reference) -> Self {
        Self {
            reference,
            tallies: BTreeMap::new(),
            differences: BTreeMap::new(),
            pipe_case_count: 0,
            has_pipes: false,
        }
    }

    /// Sets the schema of the reference, and compiles our schema. Returns the schema for the
    /// predicates and the compiled schema.
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
        // The predicates need the schema in the form that the reference reads.
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
        self.pipe_case_count += usize::from(self.has_pipes);
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
                None => repeated_queries::explain(&mut self.reference, &question, &theirs)?,
            };
            match explained {
                Some(names) if names.is_empty() => {
                    tally.agree += 1;
                    tally.rejected += usize::from(!matches!(theirs, Outcome::Done(_)));
                }
                Some(names) => {
                    tally.explained += 1;
                    for name in names {
                        *tally.by_predicate.entry(name).or_default() += 1;
                    }
                }
                None => {
                    tally.differ += 1;
                    let ours = question.ours();
                    let outcome_kinds =
                        format!("{}: {} / {}", op.name(), theirs.kind(), ours.kind());
                    let entry = self.differences.entry(outcome_kinds);
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

    /// Prints all counts and differences. Returns true if there is no difference.
    pub(crate) fn finish(mut self, requires_all_predicates: bool) -> Result<bool, Box<dyn Error>> {
        let mut found: Vec<_> = std::mem::take(&mut self.differences).into_iter().collect();
        found.sort_by_key(|(_, difference)| std::cmp::Reverse(difference.count));
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        let mut differ = 0;
        for (op, tally) in &self.tallies {
            println!(
                "{:<10} {:>7} cases: {} agree ({} rejected), {} explained, {} differ",
                op.name(),
                tally.cases,
                tally.agree,
                tally.rejected,
                tally.explained,
                tally.differ,
            );
            for (name, count) in &tally.by_predicate {
                println!("           explained by {name}: {count}");
                *uses.entry(name).or_default() += count;
            }
            differ += tally.differ;
        }
        for (outcome_kinds, difference) in found.iter().take(MAX_PRINTED) {
            let small = self.shrink(difference)?;
            println!("{} times {outcome_kinds}", difference.count);
            println!(
                "   schema  {:?} {}",
                small.0.lookup,
                small.0.schemas.to_string().len()
            );
            println!("   case    {}", small.1.line());
            println!("   theirs  {:?}\n   ours    {:?}", small.2, small.3);
        }
        println!("pipe: {} of the cases", self.pipe_case_count);
        let unused = NAMES.iter().filter(|name| !uses.contains_key(*name));
        let unused: Vec<_> = unused.collect();
        let all_are_used = unused.is_empty() || !requires_all_predicates;
        if !all_are_used {
            println!("predicates that no case needs: {unused:?}");
        }
        Ok(differ == 0 && all_are_used)
    }

    /// Returns the smallest case with the same difference.
    fn shrink(
        &mut self,
        difference: &Difference,
    ) -> Result<(Schema, Case, Outcome, Outcome), Box<dyn Error>> {
        let Difference {
            schema, op, case, ..
        } = difference;
        self.reference.ask(&schema.line())?;
        let compiled = compile(schema)?;
        let outcome_kinds = |theirs: &Outcome, ours: &Outcome| (theirs.kind(), ours.kind());
        let wanted = outcome_kinds(&difference.theirs, &difference.ours);
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
            let differs = outcome_kinds(&theirs, &ours) == wanted
                && question.explain(&theirs).is_none()
                && repeated_queries::explain(reference, &question, &theirs)?.is_none();
            if differs {
                found = (schema.clone(), case.clone(), theirs, ours);
            }
            Ok(differs)
        })?;
        Ok(found)
    }
}

pub(crate) fn compile(schema: &Schema) -> Result<PatchSchema, Box<dyn Error>> {
    let policy = match schema.lookup {
        Lookup::V2 => UnknownFieldPolicy::Schemaless,
        Lookup::V3 | Lookup::Type(_) => UnknownFieldPolicy::Strict,
    };
    let compiler = PatchSchema::compiler().with_policy(policy);
    compiler
        .openapi(&schema.document(), schema.root)
        .map_err(|error| error.to_string().into())
}
