//! Compares our verdicts on new and stored CRDs with the code of one version of Kubernetes: see
//! `../versions/run`.
//!
//! `version_reference VERSION PROGRAM` tests each function, each macro and each keyword in a new
//! CRD and in a stored CRD. PROGRAM is the Go program of `../crd_whole` with the modules of
//! VERSION. The types and the fields of the errors are compared, and the table of features must
//! predict the verdict.

mod cases;
#[path = "../counts.rs"]
mod counts;
#[path = "../crd_cases/reference.rs"]
mod reference;

use std::collections::BTreeSet;
use std::error::Error;
use std::process::ExitCode;

use k8s_crd_validation::{KubeVersion, crd};
use serde_json::{Value, json};

use counts::Counts;
use reference::Reference;

/// The type of errors about the cost of a rule.
const COST: &str = "\"FieldValueForbidden\"";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(version), Some(program)) = (arguments.next(), arguments.next()) else {
        return Err("expected a version and the program of its modules".into());
    };
    let version: KubeVersion = version.parse()?;
    let mut reference = Reference::start(&program)?;
    let (mut counts, mut crashes) = (Counts::default(), 0);
    for case in cases::all() {
        for is_stored in [false, true] {
            counts.questions += 1;
            let old = is_stored.then(|| case.stored());
            let question = match &old {
                Some(old) => json!({"op": "crd", "crd": case.new, "old": old}),
                None => json!({"op": "crd", "crd": case.new}),
            };
            let theirs = reference.ask(&question)?;
            let review = crd::Review::new().version(version);
            let ours = json!(match &old {
                Some(old) => review.update(&case.new, old),
                None => review.create(&case.new),
            });
            if theirs["errors"][0]["type"] == "Panic" {
                crashes += 1;
                continue;
            }
            let (their_errors, our_errors) = (errors(&theirs), errors(&ours));
            // The table does not predict costs, so a CRD with only such errors counts as accepted.
            let mut found = their_errors.iter();
            let is_accepted = found.all(|(kind, _)| kind == COST);
            let by_table = case.is_accepted(version, is_stored);
            let is_verdict =
                their_errors.is_empty() != our_errors.is_empty() || by_table != is_accepted;
            counts.verdicts += usize::from(is_verdict);
            counts.texts += usize::from(!is_verdict && their_errors != our_errors);
            if is_verdict || their_errors != our_errors {
                let how = if is_stored { "stored" } else { "new" };
                println!("{version}, {how}: {} (by the table: {by_table})", case.name);
                println!("    ours   {}", texts(&ours));
                println!("    theirs {}", texts(&theirs));
            }
        }
    }
    let differ = counts.verdicts + counts.texts;
    println!(
        "{version}: {} CRDs, {differ} differ; the server crashes on {crashes}",
        counts.questions
    );
    counts.print("features", version);
    Ok(ExitCode::from(u8::from(differ > 0)))
}

/// Returns the types and the fields of errors.
fn errors(answer: &Value) -> BTreeSet<(String, String)> {
    let errors = answer["errors"].as_array().into_iter().flatten();
    let pairs = errors.map(|error| (error["type"].to_string(), error["field"].to_string()));
    pairs.collect()
}

fn texts(answer: &Value) -> String {
    let errors = answer["errors"].as_array().into_iter().flatten();
    let texts: Vec<String> = errors.map(|error| error["text"].to_string()).collect();
    texts.join("; ")
}
