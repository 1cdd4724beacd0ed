//! Compares `k8s_go_text` with Go's own parsers and printers: see `tests/reference/run`.
//!
//! `text_reference PROGRAM SEED|fresh TEXTS [READER]` tests all readers, or only READER. A reader
//! is a parser or a printer. Each reader gets TEXTS strings of a grammar that contains its edge
//! cases. PROGRAM is the Go program of `../texts`, which gets the same strings.

mod floats;
mod grammar;
mod net;
mod quantities;
mod readers;
mod texts;
mod times;
mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use serde_json::{Value, json};
use union_random::Random;

use grammar::{Generator, Kind, kinds};
use readers::{Answer, READERS, Reader};

/// The maximum number of differences that are printed for a reader.
const MAX_PRINTED: usize = 10;
/// The minimum number of strings for which every kind must have been generated, and strings must
/// have been accepted and rejected.
const MIN_CASES_FOR_COVERAGE: usize = 4_000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(program), Some(seed), Some(count)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("give the program, a seed or `fresh`, and the number of texts".into());
    };
    let only = arguments.next();
    let seed: u64 = match seed.as_str() {
        "fresh" => RandomState::new().hash_one(0),
        seed => seed.parse()?,
    };
    let count: usize = count.parse()?;
    println!("texts, seed {seed}");
    let mut is_well = true;
    for (reader, number) in READERS.iter().zip(1..) {
        if only.as_ref().is_some_and(|only| reader.name != *only) {
            continue;
        }
        let mut random = Random::new(seed.wrapping_mul(1000).wrapping_add(number));
        let tally = compare(reader, &program, &mut random, count)?;
        is_well &= tally.finish(reader, count);
    }
    Ok(if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// A string, and a second string for readers that compare two strings.
type Question = (String, String);

/// Compares the results of both sides for random strings of a reader.
fn compare(
    reader: &Reader,
    program: &str,
    random: &mut Random,
    count: usize,
) -> Result<Tally, Box<dyn Error>> {
    let made = BTreeSet::new();
    let mut generator = Generator { random, made };
    let questions: Vec<Question> = (0..count)
        .map(|_| {
            let text = (reader.shown)(&generator.text(reader.grammar));
            let other = match reader.other {
                Some(other) => (reader.shown)(&generator.text(other)),
                None => String::new(),
            };
            (text, other)
        })
        .collect();
    let mut tally = Tally {
        made: generator.made,
        ..Tally::default()
    };
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("no pipes to the reference".into());
    };
    let mut answers = BufReader::new(output).lines();
    thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        // Another thread writes the queries, so that neither process waits at a full pipe.
        scope.spawn(|| {
            let lines = questions.iter().map(|(text, other)| {
                json!({"reader": reader.name, "text": text, "other": other}).to_string()
            });
            for line in lines {
                if writeln!(input, "{line}").is_err() {
                    break;
                }
            }
            drop(input);
        });
        for question in &questions {
            let answer = answers
                .next()
                .ok_or_else(|| format!("the reference gave up before {question:?}"))??;
            tally.add(reader, question, &serde_json::from_str(&answer)?);
        }
        Ok(())
    })?;
    let status = child.wait()?;
    if !status.success() {
        return Err(format!("the reference ended with {status}").into());
    }
    Ok(tally)
}

#[derive(Default)]
struct Tally {
    made: BTreeSet<Kind>,
    accepted: usize,
    rejected: usize,
    /// The number of strings that are not compared, because they contain characters that Go's
    /// version of Unicode does not have.
    new: usize,
    differ: usize,
    /// The numbers of errors by message, without quoted parts.
    errors: BTreeMap<String, usize>,
}

impl Tally {
    fn add(&mut self, reader: &Reader, (text, other): &Question, answer: &Value) {
        if answer["new"] == true {
            self.new += 1;
            return;
        }
        let theirs = if let Some(error) = answer["error"].as_str() {
            self.rejected += 1;
            *self.errors.entry(plain(error, text)).or_default() += 1;
            Answer::Error(error.to_owned())
        } else {
            self.accepted += 1;
            let read = answer["read"].as_array().into_iter().flatten();
            let read = read.map(|part| part.as_str().unwrap_or_default().to_owned());
            Answer::Read(read.collect())
        };
        let ours = (reader.ours)(text, other);
        let is_same =
            ours == theirs || matches!((&ours, &theirs), (Answer::Rejected, Answer::Error(_)));
        if is_same {
            return;
        }
        self.differ += 1;
        if self.differ <= MAX_PRINTED {
            println!("differs: {}: {text:?} {other:?}", reader.name);
            println!("  the reference: {theirs:?}");
            println!("  we:            {ours:?}");
        }
    }

    /// Prints the counts. Returns true if there is no difference, and if every kind was generated
    /// or the run was shorter than `MIN_CASES_FOR_COVERAGE`.
    fn finish(&self, reader: &Reader, count: usize) -> bool {
        println!(
            "{:<18} {:>7} accepted, {:>6} rejected for {:>2} reasons{}, {} differ",
            reader.name,
            self.accepted,
            self.rejected,
            self.errors.len(),
            if self.new > 0 {
                format!(", {} with new characters", self.new)
            } else {
                String::new()
            },
            self.differ,
        );
        let grammars = [Some(reader.grammar), reader.other].into_iter().flatten();
        let missing: BTreeSet<Kind> = grammars
            .flat_map(kinds)
            .filter(|kind| !self.made.contains(kind))
            .collect();
        if count >= MIN_CASES_FOR_COVERAGE && !missing.is_empty() {
            println!("  never made: {missing:?}");
            return false;
        }
        let is_one_sided = self.accepted == 0 || reader.rejects && self.rejected == 0;
        if count >= MIN_CASES_FOR_COVERAGE && is_one_sided {
            println!("  the texts prove nothing");
            return false;
        }
        self.differ == 0
    }
}

/// Returns an error message without `about`, the parsed string, without quoted parts, and without
/// numbers.
fn plain(error: &str, about: &str) -> String {
    let error = if about.is_empty() {
        error.to_owned()
    } else {
        error.replace(about, "")
    };
    let mut text = String::new();
    let mut is_quoted = false;
    let mut chars = error.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if is_quoted => {
                chars.next();
            }
            '"' => is_quoted = !is_quoted,
            c if is_quoted || c.is_ascii_digit() => {}
            c => text.push(c),
        }
    }
    text
}
