//! Compares parsed and printed numbers with Go's results: see `tests/reference/run`.
//!
//! `number_reference PROGRAM UNIONCTL SEED|fresh NUMBERS` tests each code path (`paths.rs`) with
//! NUMBERS numbers. UNIONCTL is the path of `unionctl`. PROGRAM is the Go program of `../texts`,
//! which parses numbers with the JSON parser of apimachinery and prints them with `encoding/json`.

mod make;
mod paths;

use std::collections::BTreeMap;
use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use serde_json::{Value, json};
use union_random::Random;

use paths::{ExpectedNumber, GoResult, LIBRARY, TOOL, tokens};

/// The number of numbers in a line.
const LENGTH: usize = 1000;

/// The maximum number of differences that are printed for a path.
const MAX_PRINTED: usize = 10;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, unionctl, seed, count] = arguments.as_slice() else {
        return Err("give the program, unionctl, a seed or `fresh`, and how many numbers".into());
    };
    let seed: u64 = match seed.as_str() {
        "fresh" => RandomState::new().hash_one(0),
        seed => seed.parse()?,
    };
    println!("numbers, seed {seed}");
    let mut random = Random::new(seed);
    let lists = count.parse::<usize>()?.div_ceil(LENGTH);
    let mut kinds = BTreeMap::new();
    let lists: Vec<Vec<String>> = (0..lists)
        .map(|_| {
            let mut number = || make::number(&mut random, &mut kinds);
            (0..LENGTH).map(|_| number()).collect()
        })
        .collect();
    println!("  {kinds:?}");

    let texts: Vec<String> = lists.iter().map(|list| list.join(",")).collect();
    let asked = texts
        .iter()
        .map(|text| json!({"reader": "numbers", "text": format!("[{text}]")}).to_string());
    let answers = ask(Command::new(program), asked.collect())?;
    let wanted: Vec<Vec<GoResult>> = answers
        .iter()
        .map(|answer| parse_go_results(answer))
        .collect();

    let mut is_well = true;
    for (name, path) in LIBRARY {
        let mut tally = Tally::new(name);
        for ((text, list), wanted) in texts.iter().zip(&lists).zip(&wanted) {
            let (written, stored) =
                path(text).map_err(|error| format!("{name}: {error}: {text}"))?;
            tally.compare(list, &tokens(&written)?, wanted, stored);
        }
        is_well &= tally.finish();
    }
    for (name, command, line) in TOOL {
        let mut tally = Tally::new(name);
        let mut tool = Command::new(unionctl);
        tool.args([command, "--jsonl"]);
        let answers = ask(tool, texts.iter().map(|text| line(text)).collect())?;
        for ((answer, list), wanted) in answers.iter().zip(&lists).zip(&wanted) {
            tally.compare(list, &tokens(answer)?, wanted, ExpectedNumber::StoredJson);
        }
        is_well &= tally.finish();
    }
    Ok(if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns Go's result for each number of a line. The list is empty if Go rejects the line.
fn parse_go_results(answer: &str) -> Vec<GoResult> {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    let read = answer["read"].as_array().into_iter().flatten();
    let read = read.filter_map(|part| {
        // The first word is the type of the number that was sent.
        let mut words = part.as_str()?.split(' ').map(str::to_owned).skip(1);
        Some(GoResult {
            text: words.next()?,
            is_stored_float: words.next()? == "float64",
            stored: words.next()?,
        })
    });
    read.collect()
}

/// Sends lines to a program, and returns its results.
fn ask(mut program: Command, lines: Vec<String>) -> Result<Vec<String>, Box<dyn Error>> {
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("no pipes to the program".into());
    };
    let count = lines.len();
    // Another thread writes, so that neither process waits at a full pipe.
    let writer = thread::spawn(move || {
        for line in lines {
            if writeln!(input, "{line}").is_err() {
                break;
            }
        }
    });
    let answers: Vec<String> = BufReader::new(output).lines().collect::<Result<_, _>>()?;
    if writer.join().is_err() || !child.wait()?.success() || answers.len() != count {
        return Err(format!("{program:?} gave up").into());
    }
    Ok(answers)
}

/// The counts of compared numbers of a path.
struct Tally {
    name: &'static str,
    same: usize,
    differ: usize,
}

impl Tally {
    const fn new(name: &'static str) -> Self {
        Self {
            name,
            same: 0,
            differ: 0,
        }
    }

    fn compare(
        &mut self,
        sent: &[String],
        ours: &[&str],
        theirs: &[GoResult],
        expected: ExpectedNumber,
    ) {
        let are_all = ours.len() == sent.len() && theirs.len() == sent.len();
        if !are_all {
            self.differ += sent.len();
            println!("differs: {}: a list has another length", self.name);
            return;
        }
        for ((sent, ours), theirs) in sent.iter().zip(ours).zip(theirs) {
            if expected.is_same(sent, ours, theirs) {
                self.same += 1;
                continue;
            }
            self.differ += 1;
            if self.differ <= MAX_PRINTED {
                println!("differs: {}: {sent}: we {ours}, Go {theirs:?}", self.name);
            }
        }
    }

    /// Prints the counts, and returns true if there is no difference.
    fn finish(&self) -> bool {
        println!(
            "{:<34} {:>8} same, {} differ",
            self.name, self.same, self.differ
        );
        self.same > 0 && self.differ == 0
    }
}
