//! Compares `k8s_crd_validation::crd` with the API server's own code, on random CRDs: see `tests/reference/run`.
//!
//! `whole_reference PROGRAM SEED|fresh CASES`: CRDs are made whole, broken in one field or two or in none, and created, or put
//! in the place of others. The Go program of `../crd_whole` answers the same. `--print` prints the cases in place of asking.

mod broken;
mod crd;
mod fields;
#[path = "../crd_cases/reference.rs"]
mod reference;
mod schemas;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::process::ExitCode;

use k8s_crd_validation::crd as judge;
use serde_json::{Value, json};

use broken::Case;
use reference::Reference;
use union_random::Random;

/// How many differences are printed.
const PRINTED: usize = 20;
/// So many cases meet every predicate, and most fields are broken.
const ENOUGH: usize = 4_000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(program), Some(seed), Some(count)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("give the program, a seed or `fresh`, and how many cases".into());
    };
    let seed = match seed.as_str() {
        "fresh" => RandomState::new().hash_one(0),
        seed => seed.parse()?,
    };
    let count: usize = count.parse()?;
    let mut random = Random::new(seed);
    if program == "--print" {
        for _ in 0..count {
            println!("{}", Case::random(&mut random).line());
        }
        return Ok(ExitCode::SUCCESS);
    }
    println!("whole CRDs, seed {seed}");
    let mut reference = Reference::start(&program)?;
    let mut tally = Tally::default();
    for _ in 0..count {
        let case = Case::random(&mut random);
        let answer = reference.ask(&case.line())?;
        tally.add(&case, &answer);
    }
    Ok(if tally.finish() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// What both sides say, each thing once: a server says of metadata up to three times what is wrong.
type Said = BTreeSet<String>;

#[derive(Default)]
struct Tally {
    creates: usize,
    updates: usize,
    refused: usize,
    warned: usize,
    unreadable: usize,
    crashes: usize,
    differ: usize,
    /// The texts without names and numbers: how many different things were said.
    kinds: BTreeMap<String, usize>,
}

impl Tally {
    fn add(&mut self, case: &Case, answer: &Value) {
        *(if case.old.is_some() {
            &mut self.updates
        } else {
            &mut self.creates
        }) += 1;
        let ours = match &case.old {
            Some(old) => judge::Review::new().update(&case.new, old),
            None => judge::Review::new().create(&case.new),
        };
        if answer["errors"][0]["type"] == "Panic" && has_selectable(&case.new) {
            self.crashes += 1;
            return;
        }
        let (theirs, ours) = (said(answer), said(&json!(ours)));
        self.refused += usize::from(!list(&answer["errors"]).is_empty());
        self.warned += usize::from(!list(&answer["warnings"]).is_empty());
        self.unreadable += usize::from(answer["errors"][0]["type"] == "BadRequest");
        for error in list(&answer["errors"]) {
            *self.kinds.entry(kind(error)).or_default() += 1;
        }
        if theirs == ours {
            return;
        }
        self.differ += 1;
        if self.differ <= PRINTED {
            println!("differs: {}", case.line());
            for text in theirs.difference(&ours) {
                println!("  the reference alone: {text}");
            }
            for text in ours.difference(&theirs) {
                println!("  we alone: {text}");
            }
        }
    }

    /// Prints the counts, and whether all is well.
    fn finish(&self) -> bool {
        let cases = self.creates + self.updates;
        println!(
            "{} creates, {} updates ({} refused, {} of them unreadable, {} warned): {} differ, {} crash the reference; {} kinds of errors",
            self.creates,
            self.updates,
            self.refused,
            self.unreadable,
            self.warned,
            self.differ,
            self.crashes,
            self.kinds.len(),
        );
        let covers = self.kinds.len() >= 120 && self.warned > 0 && self.unreadable > 0;
        if cases >= ENOUGH && !covers {
            println!("too few kinds of errors: something is not broken any more");
            return false;
        }
        self.differ == 0
    }
}

/// A CRD that cannot be read has one error; which of several wrong types it is about, depends on their order.
fn said(answer: &Value) -> Said {
    let errors = list(&answer["errors"]);
    if errors.iter().any(|error| error["type"] == "BadRequest") {
        return Said::from(["it cannot be read".to_owned()]);
    }
    let errors = errors
        .iter()
        .map(|error| format!("{} {}", text(&error["type"]), text(&error["text"])));
    let mut warnings: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in list(&answer["warnings"]) {
        *warnings.entry(text(warning)).or_default() += 1;
    }
    let warnings = warnings
        .into_iter()
        .map(|(warning, count)| format!("warning, {count} times: {warning}"));
    errors.chain(warnings).collect()
}

/// A server crashes where a schema that has fields to select by cannot be made structural.
fn has_selectable(crd: &Value) -> bool {
    let versions = list(&crd["spec"]["versions"]);
    versions
        .iter()
        .any(|version| !list(&version["selectableFields"]).is_empty())
}

/// What kind of error it is: where, by names of fields alone, and what is said after the value.
fn kind(error: &Value) -> String {
    let field: String = text(&error["field"])
        .chars()
        .filter(|c| !c.is_ascii_digit())
        .collect();
    let field = field.split(".properties").next().unwrap_or_default();
    let detail = text(&error["text"]).rsplit(": ").next().unwrap_or_default();
    let detail: String = detail.chars().take(30).collect();
    json!([error["type"], field, detail]).to_string()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
