//! Compares k8s-upgrade with the API servers' own code of two versions, on random CRDs and objects,
//! or on random changes of given objects.
//!
//! The requests for each object are sent to both programs. A finding is false if both programs have
//! the same errors in a request that the finding lists. A finding is missed if the errors of a
//! request differ, or if a request is newly rejected, and no finding has the difference.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use k8s_cel::KubeVersion;
use k8s_crd_validation::RULES_NOT_CHECKED;
use k8s_upgrade::{Finding, ObjectRequest, Outcome, Request, SchemaPair, Upgrade, object_requests};
use serde_json::{Value, json};
use union_random::Random;

use crate::BATCH;
use crate::case::{Batch, Definition};
use crate::reference::Reference;

/// The maximum number of differences that are printed.
const SHOWN: usize = 10;

#[derive(Default)]
struct Counts {
    objects: usize,
    requests: usize,
    /// The requests with other errors.
    different: usize,
    newly_rejected: usize,
    findings: usize,
    causes: BTreeMap<String, usize>,
    without_cause: usize,
    wrong: usize,
    /// The CRDs that one of the servers cannot serve.
    unserved: usize,
}

/// A version of Kubernetes, and the program with its modules.
pub(crate) struct Server<'p> {
    pub(crate) version: KubeVersion,
    pub(crate) program: &'p str,
}

/// Compares the findings about random objects with both programs, and prints the counts. Returns
/// true if no finding is wrong, and all findings have a cause.
pub(crate) fn compare_upgrades(
    random: &mut Random,
    cases: usize,
    old: &Server<'_>,
    new: &Server<'_>,
) -> Result<bool, Box<dyn Error>> {
    let mut comparison = UpgradeComparison::start(old, new)?;
    while comparison.counts.objects < cases {
        comparison.run(&Batch::random(random, BATCH, false, true))?;
    }
    Ok(comparison.finish())
}

/// Compares the findings about the objects of batches, as [`compare_upgrades`] does.
pub(crate) fn compare_batches(
    mut batches: impl Iterator<Item = Batch>,
    old: &Server<'_>,
    new: &Server<'_>,
) -> Result<bool, Box<dyn Error>> {
    let mut comparison = UpgradeComparison::start(old, new)?;
    batches.try_for_each(|batch| comparison.run(&batch))?;
    Ok(comparison.finish())
}

/// The programs of two versions, and the counts of the findings.
struct UpgradeComparison {
    servers: [Reference; 2],
    versions: [KubeVersion; 2],
    counts: Counts,
}

impl UpgradeComparison {
    fn start(old: &Server<'_>, new: &Server<'_>) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            servers: [
                Reference::start(old.program)?,
                Reference::start(new.program)?,
            ],
            versions: [old.version, new.version],
            counts: Counts::default(),
        })
    }

    fn run(&mut self, batch: &Batch) -> Result<(), Box<dyn Error>> {
        let definition = batch.definition.stored(false);
        let Definition::Stored { crd, version } = &definition else {
            return Ok(());
        };
        if definition.is_never_accepted() {
            return Ok(());
        }
        let mut is_served = true;
        for server in &mut self.servers {
            let answer = server.ask(&definition.line())?;
            is_served &= answer.get("errors").is_none() && answer.get("error").is_none();
        }
        let [old, new] = self.versions;
        let (true, Ok(schema)) = (is_served, Upgrade::new(old, new).schema(crd, version)) else {
            self.counts.unserved += 1;
            return Ok(());
        };
        let versions = crd["spec"]["versions"].as_array();
        let mut versions = versions.into_iter().flatten();
        let served = versions.find(|each| each["name"] == **version);
        let has_status = served.is_some_and(|version| !version["subresources"]["status"].is_null());
        let (servers, counts) = (&mut self.servers, &mut self.counts);
        compare_batch(batch, (crd, has_status), schema, servers, counts)
    }

    fn finish(&self) -> bool {
        let [old, new] = self.versions;
        self.counts.print(old, new);
        self.counts.wrong == 0 && self.counts.without_cause == 0
    }
}

impl Counts {
    fn print(&self, old: KubeVersion, new: KubeVersion) {
        let Self {
            objects, requests, ..
        } = self;
        println!(
            "{old} -> {new}: {objects} objects, {requests} requests, {} with other errors, {} newly rejected; \
             {} findings, {} without a cause; {} wrong; {} CRDs not served",
            self.different,
            self.newly_rejected,
            self.findings,
            self.without_cause,
            self.wrong,
            self.unserved,
        );
        for (cause, count) in &self.causes {
            println!("  {count:6} {cause}");
        }
    }
}

fn compare_batch(
    batch: &Batch,
    (crd, has_status): (&Value, bool),
    mut schema: SchemaPair,
    servers: &mut [Reference; 2],
    counts: &mut Counts,
) -> Result<(), Box<dyn Error>> {
    for case in batch.cases.iter().filter(|case| case.is_complete()) {
        counts.objects += 1;
        let findings = schema.compare_object(&case.new);
        counts.findings += findings.len();
        for finding in &findings {
            counts.without_cause += usize::from(finding.causes.is_empty());
            *counts
                .causes
                .entry(format!("{:?}", finding.causes))
                .or_default() += 1;
        }
        let requests = object_requests(&case.new).into_iter();
        for request in requests.filter(|request| has_status || !request.request.is_of_status()) {
            counts.requests += 1;
            let [old, new] = servers.each_mut().map(|server| server.ask(&line(&request)));
            let (old, new) = (ErrorSet::new(&old?), ErrorSet::new(&new?));
            counts.different += usize::from(old.errors != new.errors);
            let is_newly_rejected = old.errors.is_empty() && !new.errors.is_empty();
            counts.newly_rejected += usize::from(is_newly_rejected);
            let wrong = wrong_finding(request.request, &findings, &old, &new);
            if let Some(problem) = wrong {
                counts.wrong += 1;
                if counts.wrong <= SHOWN {
                    println!("{problem}: {}", line(&request));
                    println!("  CRD: {crd}");
                    println!("  before: {:?}\n  after: {:?}", old.errors, new.errors);
                    println!("  findings: {findings:?}");
                }
            }
        }
    }
    Ok(())
}

/// Returns the line that asks the programs for the answer to a request.
fn line(request: &ObjectRequest) -> Value {
    let op = match request.request {
        Request::Create => "create",
        kind if kind.is_of_status() => "status",
        _ => "update",
    };
    let mut line = json!({"op": op, "new": request.new});
    if let Some(old) = &request.old {
        line["old"] = old.clone();
    }
    line
}

/// The errors of a program.
struct ErrorSet {
    /// The types and the fields. `OLDER_TEXTS.md` lists the messages of older versions that our
    /// crates do not have.
    places: BTreeSet<String>,
    /// The types and the messages.
    errors: BTreeSet<String>,
}

impl ErrorSet {
    fn new(answer: &Value) -> Self {
        let errors = answer["errors"].as_array().into_iter().flatten();
        // A finding is about an error that is not evaluated, not about the message of the server.
        let is_evaluated = |error: &&Value| {
            let text = error["text"].as_str().unwrap_or_default();
            !text.contains(RULES_NOT_CHECKED)
        };
        let errors = errors.filter(is_evaluated);
        let strings = |key: &str| -> BTreeSet<String> {
            let errors = errors.clone();
            let strings = errors.map(|error| format!("{}: {}", error["type"], error[key]));
            strings.collect()
        };
        Self {
            places: strings("field"),
            errors: strings("text"),
        }
    }
}

/// Returns the problem if the findings about a request do not agree with the errors.
fn wrong_finding(
    request: Request,
    findings: &[Finding],
    old: &ErrorSet,
    new: &ErrorSet,
) -> Option<&'static str> {
    let mut changes = findings
        .iter()
        .filter_map(|finding| finding.change_of(request));
    let is_newly_rejected = old.errors.is_empty() && !new.errors.is_empty();
    let says_newly_rejected = changes.clone().any(|change| change.is_newly_rejected);
    if is_newly_rejected != says_newly_rejected {
        return Some("a newly rejected request");
    }
    let is_newly_accepted = !old.errors.is_empty() && new.errors.is_empty();
    let says_accepted = changes
        .clone()
        .any(|change| change.before == Outcome::Rejected);
    if is_newly_accepted && !says_accepted {
        return Some("a newly accepted request");
    }
    if old.places != new.places && findings.is_empty() {
        return Some("a missed difference");
    }
    let is_rejected = |outcome| outcome == Outcome::Rejected;
    let says_other_errors =
        changes.any(|change| is_rejected(change.before) != is_rejected(change.after));
    (old.errors == new.errors && says_other_errors).then_some("a false finding")
}
