//! Runs cases on both sides, and counts the results.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::error::Error;
use std::fs;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::mem;
use std::path::Path;

use k8s_crd_validation::{KubeVersion, StructuralSchema};
use serde_json::Value;

use crate::case::{Batch, Case, Definition, Op};
use crate::counts::Counts;
use crate::explain::{SEVERAL_ANSWERS, explain, names, older_text};
use crate::reference::Reference;
use crate::shrink::{SmallCase, shrink};
use crate::tally::Tally;
use crate::unstructured;
use crate::verdict::{Difference, PANIC, Verdict, compile, ours, tolerated};

/// The number of times that the reference is queried again if its result differs from ours.
const MAX_REPEATS: usize = 50;
/// The number of times that the reference is queried again if it reaches the cost limit. The number
/// is lower, because each of these queries takes long.
const MAX_REPEATS_AFTER_COST_LIMIT: usize = 20;

/// The minimum number of requests for which each predicate must explain a difference.
const MIN_CASES_FOR_COVERAGE: usize = 40_000;

/// The key of the counts of tolerated errors in [`Comparison::tallies`]. The other keys are the
/// names of operations.
const TOLERATED: &str = "tolerate";

/// A kind of difference, with its smallest case.
struct Kind {
    signs: String,
    count: usize,
    small: SmallCase,
}

pub(crate) struct Comparison {
    reference: Reference,
    server: KubeVersion,
    tallies: BTreeMap<&'static str, Tally>,
    schemas: usize,
    /// The number of schemas that a server rejects in a new CRD, but serves if the CRD is stored.
    stored: usize,
    /// The number of differences by their kind ([`Difference::signs`]), each with the first case.
    differences: BTreeMap<String, (usize, SmallCase)>,
    /// The folder for the reports of differences.
    bugs: Option<String>,
    /// The maximum number of kinds of differences that are shrunk and printed. To shrink one takes
    /// a second.
    show: usize,
}

impl Comparison {
    pub(crate) fn new(
        reference: Reference,
        server: KubeVersion,
        bugs: Option<String>,
        show: usize,
    ) -> Self {
        Self {
            reference,
            server,
            tallies: BTreeMap::new(),
            schemas: 0,
            stored: 0,
            differences: BTreeMap::new(),
            bugs,
            show,
        }
    }

    pub(crate) fn run(&mut self, batch: &Batch) -> Result<(), Box<dyn Error>> {
        let lint = Verdict::read(&self.reference.ask(&batch.definition.line())?);
        let compiled = compile(&batch.definition, self.server);
        let our_lint = compiled.as_ref().err().cloned().unwrap_or_default();
        self.count("crd", &batch.definition, None, &lint, &our_lint)?;
        if let Ok(compiled) = compiled
            && lint.errors.is_empty()
            && !batch.preserves
        {
            self.schemas += 1;
            return self.run_cases(&batch.definition, &compiled, &batch.cases);
        }
        // The server rejects the new CRD, but serves the CRD if it is already stored.
        if batch.definition.is_never_accepted() {
            return Ok(());
        }
        let stored = batch.definition.stored(batch.preserves);
        let served = Verdict::read(&self.reference.ask(&stored.line())?);
        let compiled = compile(&stored, self.server);
        let ours = compiled.as_ref().err().cloned().unwrap_or_default();
        match compiled {
            Ok(compiled) if served.errors.is_empty() => {
                self.stored += 1;
                self.run_cases(&stored, &compiled, &batch.cases)
            }
            Err(ours)
                if served.errors.is_empty()
                    && unstructured::has_unsupported_keywords(&stored, &ours) =>
            {
                let tally = self.tallies.entry("serve").or_default();
                tally.cases += 1;
                tally.explained += 1;
                *tally
                    .explained_by
                    .entry(unstructured::UNJUDGED)
                    .or_default() += 1;
                Ok(())
            }
            // A server writes its message only to its log, so the messages are not compared.
            Err(_) if !served.errors.is_empty() => Ok(()),
            _ => self.count("serve", &stored, None, &served, &ours),
        }
    }

    fn run_cases(
        &mut self,
        definition: &Definition,
        compiled: &StructuralSchema,
        cases: &[Case],
    ) -> Result<(), Box<dyn Error>> {
        let shows_tolerated = definition.shows_tolerated();
        let is_unstructured = definition.preserves()
            && unstructured::is_unstructured(&mut self.reference, definition)?;
        for case in cases {
            let reference = Verdict::read(&self.reference.ask(&case.line())?);
            let ours = ours(compiled, case, self.server);
            if is_unstructured
                && let Some((theirs, ours)) = unstructured::predict_panic(
                    &mut self.reference,
                    self.server,
                    definition,
                    case,
                    &ours,
                )?
            {
                self.count_broken(definition, case, &reference, (&theirs, &ours));
                continue;
            }
            self.count(case.op.name(), definition, Some(case), &reference, &ours)?;
            if shows_tolerated && case.op == Op::Update && !reference.is_unreadable() {
                self.count_tolerated(definition, case, &reference, &ours)?;
            }
        }
        Ok(())
    }

    fn count(
        &mut self,
        op: &'static str,
        definition: &Definition,
        case: Option<&Case>,
        reference: &Verdict,
        ours: &Verdict,
    ) -> Result<(), Box<dyn Error>> {
        let tally = self.tallies.entry(op).or_default();
        tally.cases += 1;
        tally.rejected += usize::from(!reference.errors.is_empty());
        tally.warned += usize::from(!reference.warnings.is_empty());
        tally.ratcheted += usize::from(!ours.ratcheted.is_empty());
        let Some(mut difference) = Difference::between(reference, ours) else {
            tally.agree += 1;
            return Ok(());
        };
        let mut explained = explain(self.server, case, &mut difference);
        if !difference.is_empty()
            && reference_can_return(&mut self.reference, self.server, definition, case, ours)?
        {
            difference = Difference::default();
            explained = vec![SEVERAL_ANSWERS];
        }
        for name in explained {
            *tally.explained_by.entry(name).or_default() += 1;
        }
        if difference.is_empty() {
            tally.explained += 1;
            return Ok(());
        }
        tally.differ += 1;
        let is_verdict = reference.errors.is_empty() != ours.errors.is_empty();
        tally.verdicts += usize::from(is_verdict || difference.objects.is_some());
        self.note(op, definition, case, difference);
        Ok(())
    }

    /// Counts a case for which a panic of the reference is predicted.
    fn count_broken(
        &mut self,
        definition: &Definition,
        case: &Case,
        reference: &Verdict,
        (theirs, ours): (&Verdict, &Verdict),
    ) {
        let found = if reference.is_panic() {
            Difference::between(theirs, ours).and_then(|mut difference| {
                older_text(self.server, &mut difference);
                (!difference.is_empty()).then_some(difference)
            })
        } else {
            let wanted = [PANIC.into(), String::new(), "it is predicted".into()];
            let difference = Difference {
                surplus: [wanted].into(),
                ..Difference::default()
            };
            Some(difference)
        };
        let op = case.op.name();
        let tally = self.tallies.entry(op).or_default();
        tally.cases += 1;
        match found {
            None => {
                tally.explained += 1;
                *tally.explained_by.entry(unstructured::NAME).or_default() += 1;
            }
            Some(difference) => {
                tally.differ += 1;
                tally.verdicts += 1;
                self.note(op, definition, Some(case), difference);
            }
        }
    }

    /// Counts a difference, and keeps the first case of its kind.
    fn note(
        &mut self,
        op: &str,
        definition: &Definition,
        case: Option<&Case>,
        difference: Difference,
    ) {
        let signs: Vec<String> = difference.signs().into_iter().collect();
        let signs = format!("{op}: {}", signs.join("; "));
        let small = SmallCase {
            definition: definition.clone(),
            case: case.cloned(),
            difference,
        };
        self.differences.entry(signs).or_insert((0, small)).0 += 1;
    }

    /// Compares our tolerated errors of an update with the errors that the reference reports only
    /// if the same object is created.
    fn count_tolerated(
        &mut self,
        definition: &Definition,
        case: &Case,
        reference: &Verdict,
        ours: &Verdict,
    ) -> Result<(), Box<dyn Error>> {
        let create = Case {
            op: Op::Create,
            old: Value::Null,
            new: case.new.clone(),
        };
        let create = Verdict::read(&self.reference.ask(&create.line())?);
        let mut difference = tolerated(&create, reference, ours);
        older_text(self.server, &mut difference);
        let tally = self.tallies.entry(TOLERATED).or_default();
        tally.cases += 1;
        tally.ratcheted += usize::from(!ours.ratcheted.is_empty());
        if difference.is_empty() {
            tally.agree += 1;
            return Ok(());
        }
        tally.differ += 1;
        tally.verdicts += 1;
        self.note(TOLERATED, definition, Some(case), difference);
        Ok(())
    }

    /// Returns the smallest case of each kind of difference. The most frequent kinds come first.
    fn smallest(&mut self) -> Result<Vec<Kind>, Box<dyn Error>> {
        let mut found: Vec<_> = mem::take(&mut self.differences).into_iter().collect();
        // Differences of tolerated errors, which are not shrunk, come first.
        found.sort_by_key(|(signs, (count, _))| (!signs.starts_with(TOLERATED), Reverse(*count)));
        let show = self.show;
        if found.len() > show {
            println!(
                "of {} kinds of differences, the {show} most frequent",
                found.len()
            );
        }
        let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
        let mut asker = CaseRunner {
            reference: &mut self.reference,
            server: self.server,
            last: None,
        };
        for (signs, (count, small)) in found.into_iter().take(show) {
            let op = signs.split(':').next().unwrap_or_default();
            let small = if op == TOLERATED {
                small
            } else {
                shrink(small, &mut |definition, case| asker.ask(definition, case))?
            };
            let signs: Vec<String> = small.difference.signs().into_iter().collect();
            let signs = format!("{op}: {}", signs.join("; "));
            match kinds.entry(signs.clone()) {
                Entry::Vacant(entry) => drop(entry.insert(Kind {
                    signs,
                    count,
                    small,
                })),
                Entry::Occupied(mut entry) => {
                    let kind = entry.get_mut();
                    kind.count += count;
                    if small.size() < kind.small.size() {
                        kind.small = small;
                    }
                }
            }
        }
        let mut kinds: Vec<Kind> = kinds.into_values().collect();
        kinds.sort_by_key(|kind| Reverse(kind.count));
        Ok(kinds)
    }

    /// Prints the counts, and writes reports of the differences. Returns true if there are no
    /// differences.
    pub(crate) fn finish(mut self) -> Result<bool, Box<dyn Error>> {
        for Kind {
            signs,
            count,
            small,
        } in self.smallest()?
        {
            println!("{count} times {signs}");
            if let Some(bugs) = &self.bugs {
                // The hash gives a kind of difference the same file in each run.
                let name = BuildHasherDefault::<DefaultHasher>::default().hash_one(&signs);
                let path = Path::new(bugs).join(format!("crd-{name:016x}.md"));
                fs::write(path, report(&signs, count, &small))?;
            }
        }
        let mut all_good = true;
        let mut total = Tally::default();
        let mut counts = Counts::default();
        for (op, tally) in &self.tallies {
            tally.print(op);
            counts.questions += tally.cases;
            counts.verdicts += tally.verdicts;
            counts.texts += tally.differ - tally.verdicts;
            all_good &= tally.differ == 0;
            if !["crd", "serve", TOLERATED].contains(op) {
                total.add(tally);
            }
        }
        for name in names() {
            let is_needed = |tally: &Tally| tally.explained_by.contains_key(name);
            if total.cases >= MIN_CASES_FOR_COVERAGE && !self.tallies.values().any(is_needed) {
                println!("no case needs the predicate {name}");
                all_good = false;
            }
        }
        let lints = self.tallies.get("crd").map_or(0, |tally| tally.cases);
        println!(
            "crd: {lints} schemas, {} of them good, {} rejected and served all the same; {} creates, updates and updates of the status: {} agree, {} explained, {} differ",
            self.schemas, self.stored, total.cases, total.agree, total.explained, total.differ
        );
        counts.print("custom resources", self.server);
        let proves = total.rejected > 0 && total.rejected < total.cases;
        Ok(all_good && proves)
    }
}

/// A comparison of single cases. The results for the last schema are kept, because consecutive
/// cases often have the same schema.
struct CaseRunner<'c> {
    reference: &'c mut Reference,
    server: KubeVersion,
    last: Option<SchemaResults>,
}

/// The results of both sides for a schema.
struct SchemaResults {
    definition: Definition,
    lint: Verdict,
    compiled: Result<StructuralSchema, Verdict>,
}

impl CaseRunner<'_> {
    /// Returns the difference. Returns `None` if the sides agree, or if the schema of the case is
    /// rejected.
    fn ask(
        &mut self,
        definition: &Definition,
        case: Option<&Case>,
    ) -> Result<Option<Difference>, Box<dyn Error>> {
        if case.is_some_and(|case| !case.is_complete()) {
            return Ok(None);
        }
        let asked = match self.last.take_if(|last| last.definition == *definition) {
            Some(last) => last,
            None => SchemaResults {
                definition: definition.clone(),
                lint: Verdict::read(&self.reference.ask(&definition.line())?),
                compiled: compile(definition, self.server),
            },
        };
        let asked = self.last.insert(asked);
        let Some(case) = case else {
            let ours = asked.compiled.as_ref().err().cloned().unwrap_or_default();
            let found = unexplained(self.server, None, &asked.lint, &ours);
            return Ok(match found {
                Some(_)
                    if reference_can_return(
                        self.reference,
                        self.server,
                        definition,
                        None,
                        &ours,
                    )? =>
                {
                    None
                }
                found => found,
            });
        };
        let Ok(compiled) = &asked.compiled else {
            return Ok(None);
        };
        if !asked.lint.errors.is_empty() {
            return Ok(None);
        }
        let reference = Verdict::read(&self.reference.ask(&case.line())?);
        let ours = ours(compiled, case, self.server);
        Ok(
            match unexplained(self.server, Some(case), &reference, &ours) {
                Some(_)
                    if reference_can_return(
                        self.reference,
                        self.server,
                        definition,
                        Some(case),
                        &ours,
                    )? =>
                {
                    None
                }
                found => found,
            },
        )
    }
}

/// Returns true if the reference returns our result when it is queried again.
///
/// The reference iterates over maps in random order. If it stops at an error, its result is random.
/// If it stops at the cost limit, it has many results, and the queries may not return ours. In this
/// case, each part of our result must be in some result of the reference, and each part that our
/// result does not have must be absent in some result.
fn reference_can_return(
    reference: &mut Reference,
    server: KubeVersion,
    definition: &Definition,
    case: Option<&Case>,
    ours: &Verdict,
) -> Result<bool, Box<dyn Error>> {
    let question = case.map_or_else(|| definition.line(), Case::line);
    let is_stopped = ours.is_stopped();
    let mut answers = Vec::new();
    for _ in 0..if is_stopped {
        MAX_REPEATS_AFTER_COST_LIMIT
    } else {
        MAX_REPEATS
    } {
        let answer = Verdict::read(&reference.ask(&question)?);
        if unexplained(server, case, &answer, ours).is_none() {
            return Ok(true);
        }
        answers.push(answer);
    }
    Ok(is_stopped && ours.is_combination_of(&answers))
}

fn unexplained(
    server: KubeVersion,
    case: Option<&Case>,
    reference: &Verdict,
    ours: &Verdict,
) -> Option<Difference> {
    let mut found = Difference::between(reference, ours)?;
    explain(server, case, &mut found);
    (!found.is_empty()).then_some(found)
}

fn report(signs: &str, count: usize, small: &SmallCase) -> String {
    let definition = match (
        &small.definition,
        small.definition.clone().generated_schema(),
    ) {
        (Definition::Crd { version, .. }, None) => format!("(a real CRD, version {version})"),
        (definition, _) => definition.line().to_string(),
    };
    let mut text =
        format!("# {signs}\n\n{count} times. The smallest case:\n\n```json\n{definition}\n");
    if let Some(case) = &small.case {
        text.push_str(&case.line().to_string());
        text.push('\n');
    }
    text.push_str("```\n\n```\n");
    text.push_str(&small.difference.to_string());
    text.push_str("```\n");
    text
}
