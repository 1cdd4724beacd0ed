//! Compares the results of both sides. An intended difference has a name, which
//! `../DIFFERENCES.md` explains.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

/// The number of differences that are printed.
pub(crate) const MAX_PRINTED: usize = 12;
/// The minimum number of sources for which [`Tally::is_complete`] requires that every intended
/// difference occurred, and that enough sources were accepted and rejected.
pub(crate) const MIN_CASES_FOR_COVERAGE: usize = 20_000;
/// The number of times that Go parses a source again if the results differ. Some results of Go are
/// one of two values at random.
const MAX_REPEATS: usize = 60;

/// The names of the intended differences.
const INTENDED_DIFFERENCES: [&str; 7] = [
    "after-the-document",
    "byte-order-marks",
    "deep-yaml",
    "keys-that-become-equal",
    "many-tag-directives",
    "merged-keys",
    "repeated-keys",
];

/// The numbers of sources by outcome.
#[derive(Default)]
pub(crate) struct Tally {
    equal: usize,
    rejected: usize,
    intended: BTreeMap<&'static str, usize>,
    differ: usize,
}

/// The outcome of a source.
enum Outcome {
    /// Both sides return equal values.
    Equal,
    /// Both sides return an error.
    Rejected,
    /// The results differ intentionally. The string is the name of the difference.
    Intended(&'static str),
    Differs,
}

/// Compares the results of both sides for sources.
pub(crate) fn compare(program: &str, texts: &[String]) -> Result<Tally, Box<dyn Error>> {
    let mut tally = Tally::default();
    let mut left = Vec::new();
    let question = |text: &String| json!({ "text": text });
    ask(
        program,
        texts.iter(),
        question,
        |text, theirs| match outcome(text, &theirs) {
            Outcome::Differs => left.push((text, theirs)),
            found => tally.add(&found),
        },
    )?;
    let mut random = BTreeSet::new();
    let again = left.iter();
    let again = again.flat_map(|(text, _)| std::iter::repeat_n(*text, MAX_REPEATS));
    ask(program, again, question, |text, theirs| {
        let is_alike = match k8s_yaml::parse(text) {
            Ok(ours) => are_equal(&Value::from(ours), &theirs["documents"]),
            // Our result is an error, and one of the two results of Go may be an error too.
            Err(_) => !theirs["error"].is_null(),
        };
        if is_alike {
            random.insert(text);
        }
    })?;
    for (text, theirs) in left {
        if random.contains(text) {
            tally.add(&Outcome::Intended("keys-that-become-equal"));
            continue;
        }
        tally.differ += 1;
        if tally.differ <= MAX_PRINTED {
            let ours = match k8s_yaml::parse(text) {
                Ok(values) => Value::from(values).to_string(),
                Err(error) => error.to_string(),
            };
            println!("{text:?}\n  ours   {ours}\n  theirs {theirs}");
        }
    }
    Ok(tally)
}

/// Sends the question about each case to the Go program, and calls `on_answer` with the case and
/// its result.
pub(crate) fn ask<'t, Case: Sync + 't>(
    program: &str,
    cases: impl Iterator<Item = &'t Case> + Clone + Send,
    question: impl Fn(&Case) -> Value + Send,
    mut on_answer: impl FnMut(&'t Case, Value),
) -> Result<(), Box<dyn Error>> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("no pipes to the reference".into());
    };
    let mut answers = BufReader::new(output).lines();
    let asked = cases.clone();
    thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        // Another thread writes the queries, so that neither process waits at a full pipe.
        scope.spawn(move || {
            for case in asked {
                if writeln!(input, "{}", question(case)).is_err() {
                    break;
                }
            }
            drop(input);
        });
        for case in cases {
            let answer = answers.next().ok_or("the reference ended early")??;
            // serde_json cannot parse a result that is too deep. The Go program did return a value,
            // not an error.
            let too_deep = || json!({ "documents": "too deep" });
            on_answer(
                case,
                serde_json::from_str(&answer).unwrap_or_else(|_| too_deep()),
            );
        }
        Ok(())
    })?;
    let status = child.wait()?;
    if !status.success() {
        return Err(format!("the reference ended with {status}").into());
    }
    Ok(())
}

fn outcome(text: &str, theirs: &Value) -> Outcome {
    let ours = k8s_yaml::parse(text);
    let error = theirs["error"].as_str();
    let strict = theirs["strict"].as_str().unwrap_or_default();
    let is_repeated = strict.contains("already set in map") || strict.contains("duplicate field");
    match (&ours, error) {
        _ if has_several_marks(text) => Outcome::Intended("byte-order-marks"),
        (Err(_), Some(_)) => Outcome::Rejected,
        (Ok(ours), None) => {
            if !are_equal(&Value::from(ours.clone()), &theirs["documents"]) {
                return Outcome::Differs;
            }
            match is_repeated {
                true if text.contains("<<") => Outcome::Intended("merged-keys"),
                true => Outcome::Differs,
                false => Outcome::Equal,
            }
        }
        // Our error is not always about the repeated key. It may be about the value of that key,
        // which kubectl overwrites.
        (Err(_), None) if is_repeated => Outcome::Intended("repeated-keys"),
        (Err(error), None) if error.message.contains("nesting exceeds") => {
            Outcome::Intended("deep-yaml")
        }
        (Err(error), None) if error.message.contains("directives %TAG") => {
            Outcome::Intended("many-tag-directives")
        }
        (Err(error), None)
            if error.message.contains("is not allowed; write it") && text.contains("...") =>
        {
            Outcome::Intended("after-the-document")
        }
        _ => Outcome::Differs,
    }
}

/// Returns true if a source has several byte order marks. After the second mark, go-yaml skips a
/// character in each line.
fn has_several_marks(text: &str) -> bool {
    text.matches('\u{feff}').count() > 1
}

/// Returns true if two values are equal after conversion to JSON, in which Go writes 1.0 as 1.
fn are_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => a == b,
            _ => a.as_f64() == b.as_f64(),
        },
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| are_equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let mut entries = a.iter();
            a.len() == b.len()
                && entries.all(|(key, a)| b.get(key).is_some_and(|b| are_equal(a, b)))
        }
        (a, b) => a == b,
    }
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Equal => self.equal += 1,
            Outcome::Rejected => self.rejected += 1,
            Outcome::Intended(name) => *self.intended.entry(name).or_default() += 1,
            Outcome::Differs => self.differ += 1,
        }
    }

    /// Returns true if nothing differs, and if the sources cover enough: over a quarter has equal
    /// values, over a twentieth is rejected, and each intended difference occurred. The limits
    /// detect a generator that only generates valid or only invalid sources.
    pub(crate) fn is_complete(&self, count: usize) -> bool {
        let is_mixed = self.equal * 4 > count && self.rejected * 20 > count;
        let names = &mut INTENDED_DIFFERENCES.iter();
        let has_all_intended = names.all(|name| self.intended.contains_key(name));
        self.differ == 0 && (count < MIN_CASES_FOR_COVERAGE || is_mixed && has_all_intended)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            equal,
            rejected,
            differ,
            intended,
        } = self;
        write!(
            f,
            "{equal} sources have equal values, both sides reject {rejected}, {differ} differ"
        )?;
        for (name, count) in intended {
            write!(f, "\n  {count} differ as intended: {name}")?;
        }
        Ok(())
    }
}
