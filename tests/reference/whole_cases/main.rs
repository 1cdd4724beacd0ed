//! Compares `k8s_crd_validation::crd` with the API server's own code, on random CRDs: see
//! `tests/reference/run`.
//!
//! `whole_reference PROGRAM SEED|fresh CASES` generates valid CRDs, and makes some fields invalid.
//! A case creates such a CRD, or updates a similar stored CRD. PROGRAM is the Go program of
//! `../crd_whole`. `--print` in place of PROGRAM prints the cases without running them.
//! `--server VERSION` is the version of the program's modules.

mod broken;
#[path = "../counts.rs"]
mod counts;
mod crd;
mod fields;
#[path = "../older_texts.rs"]
mod older_texts;
#[path = "../crd_cases/reference.rs"]
mod reference;
mod schemas;
#[path = "../server_version.rs"]
mod server_version;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::process::ExitCode;

use k8s_crd_validation::{KubeVersion, crd as judge};
use serde_json::{Value, json};

use broken::Case;
use counts::Counts;
use reference::Reference;
use union_random::Random;

/// The text before the reason why a schema cannot be converted to a structural schema. For each
/// list of selectable fields, a server reports this reason in addition to the error of the keyword.
const CONVERSION_ERROR: &str = "schema.openAPIV3Schema: Invalid value: \"\": ";
/// The number of differences that are printed.
const MAX_PRINTED: usize = 20;
/// The minimum number of cases for which many kinds of errors, a warning, and a CRD that cannot be
/// decoded must have occurred.
const MIN_CASES_FOR_COVERAGE: usize = 4_000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let server = server_version::take(&mut arguments)?;
    let mut arguments = arguments.into_iter();
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
    println!("whole CRDs, seed {seed}, server {server}");
    let mut reference = Reference::start(&program)?;
    let mut tally = Tally::default();
    for _ in 0..count {
        let case = Case::random(&mut random);
        let answer = reference.ask(&case.line())?;
        tally.add(&case, &answer, server);
    }
    Ok(if tally.finish(server) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The errors and warnings of one side, each once, because a server reports an error of metadata up
/// to three times.
type Messages = BTreeSet<String>;

#[derive(Default)]
struct Tally {
    creates: usize,
    updates: usize,
    rejected: usize,
    warned: usize,
    unreadable: usize,
    crashes: usize,
    /// The number of errors that only the reference reports, because a schema with selectable
    /// fields cannot be converted to a structural schema.
    conversion_errors: usize,
    differ: usize,
    /// The number of CRDs that differ only in a message that a newer version changed.
    older_texts: usize,
    /// The number of CRDs that only one side accepts.
    verdicts: usize,
    /// The numbers of errors by [`kind`].
    kinds: BTreeMap<String, usize>,
}

impl Tally {
    fn add(&mut self, case: &Case, answer: &Value, server: KubeVersion) {
        *(if case.old.is_some() {
            &mut self.updates
        } else {
            &mut self.creates
        }) += 1;
        let review = judge::Review::new().version(server);
        let ours = json!(match &case.old {
            Some(old) => review.update(&case.new, old),
            None => review.create(&case.new),
        });
        if answer["errors"][0]["type"] == "Panic"
            && (has_selectable(&case.new) || has_path_below_any_value(&case.new))
        {
            self.crashes += 1;
            return;
        }
        let is_verdict = list(&answer["errors"]).is_empty() != list(&ours["errors"]).is_empty();
        let (theirs, ours) = (messages(answer), messages(&ours));
        self.rejected += usize::from(!list(&answer["errors"]).is_empty());
        self.warned += usize::from(!list(&answer["warnings"]).is_empty());
        self.unreadable += usize::from(answer["errors"][0]["type"] == "BadRequest");
        for error in list(&answer["errors"]) {
            *self.kinds.entry(kind(error)).or_default() += 1;
        }
        let is_conversion_error =
            |text: &&String| has_selectable(&case.new) && text.contains(CONVERSION_ERROR);
        let theirs_alone: Vec<_> = theirs.difference(&ours).collect();
        let (conversion_errors, theirs_alone): (Vec<_>, Vec<_>) =
            theirs_alone.into_iter().partition(is_conversion_error);
        let ours_alone: Vec<_> = ours.difference(&theirs).collect();
        self.conversion_errors += conversion_errors.len();
        if !is_verdict && theirs_alone.is_empty() && ours_alone.is_empty() {
            return;
        }
        let place = |text: &&String| text.split(": ").next().map(str::to_owned);
        let have_equal_places = theirs_alone
            .iter()
            .map(place)
            .eq(ours_alone.iter().map(place));
        let are_older = |texts: &[&String]| {
            let mut texts = texts.iter();
            texts.all(|text| older_texts::is_older_text(server, text))
        };
        if !is_verdict && have_equal_places && are_older(&theirs_alone) {
            self.older_texts += 1;
            return;
        }
        self.differ += 1;
        self.verdicts += usize::from(is_verdict);
        if self.differ <= MAX_PRINTED {
            println!("differs: {}", case.line());
            for text in theirs_alone {
                println!("  the reference alone: {text}");
            }
            for text in ours_alone {
                println!("  we alone: {text}");
            }
        }
    }

    /// Prints the counts, and returns true if there is no difference.
    fn finish(&self, server: KubeVersion) -> bool {
        let cases = self.creates + self.updates;
        println!(
            "{} creates, {} updates ({} rejected, {} of them unreadable, {} warned): {} differ, {} with messages of older versions, {} crash the reference, {} errors of conversion; {} kinds of errors",
            self.creates,
            self.updates,
            self.rejected,
            self.unreadable,
            self.warned,
            self.differ,
            self.older_texts,
            self.crashes,
            self.conversion_errors,
            self.kinds.len(),
        );
        let counts = Counts {
            questions: cases,
            verdicts: self.verdicts,
            texts: self.differ - self.verdicts,
        };
        counts.print("whole CRDs", server);
        let covers = self.kinds.len() >= 120 && self.warned > 0 && self.unreadable > 0;
        if cases >= MIN_CASES_FOR_COVERAGE && !covers {
            println!("too few kinds of errors: the generator no longer makes some fields invalid");
            return false;
        }
        self.differ == 0
    }
}

/// Returns the errors and warnings of a result. If a CRD cannot be decoded, returns one fixed
/// message, because the server reports any one of several wrong types.
fn messages(answer: &Value) -> Messages {
    let errors = list(&answer["errors"]);
    if errors.iter().any(|error| error["type"] == "BadRequest") {
        return Messages::from(["the CRD cannot be decoded".to_owned()]);
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

/// Returns true if the CRD has selectable fields. A server panics if a CRD has selectable fields
/// and a schema that is not structural.
fn has_selectable(crd: &Value) -> bool {
    let versions = list(&crd["spec"]["versions"]);
    versions
        .iter()
        .any(|version| !list(&version["selectableFields"]).is_empty())
}

/// Returns true if a rule of a map with any values (`additionalProperties: true`) has a
/// `fieldPath`. A server panics if such a path leads to a field of a value.
fn has_path_below_any_value(value: &Value) -> bool {
    let rules = list(&value["x-kubernetes-validations"]);
    let has_path = rules.iter().any(|rule| rule["fieldPath"].is_string());
    if has_path && value["additionalProperties"].is_boolean() {
        return true;
    }
    match value {
        Value::Object(object) => object.values().any(has_path_below_any_value),
        Value::Array(elements) => elements.iter().any(has_path_below_any_value),
        _ => false,
    }
}

/// Returns the kind of an error: its type, its field path without numbers, and the first 30
/// characters of the last part of its message.
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
