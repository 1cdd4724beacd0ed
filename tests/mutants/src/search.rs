//! Searches for cases that distinguish a surviving mutant from the crate.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::build::{self, Program};
use crate::judge;
use crate::mutant::Mutant;
use crate::subject::Subject;

/// A file of cases, and the subject of the cases.
#[derive(Debug)]
pub(crate) struct Cases {
    file: File,
    subject: &'static str,
}

impl Cases {
    pub(crate) fn open(subject: &Subject, path: &Path) -> Result<Self, Box<dyn Error>> {
        let name = subject.cases;
        Ok(Self {
            subject: name.ok_or("no program answers cases of this crate")?,
            file: File::open(path).map_err(|error| format!("{}: {error}", path.display()))?,
        })
    }

    /// Searches for the first case to which a mutant has another answer than the crate. Prints the
    /// cases, writes them to `target/mutants/CRATE.found.jsonl`, and returns the number of mutants
    /// that a case distinguishes.
    pub(crate) fn search(
        self,
        tree: &Path,
        mutants: &[(usize, &Mutant)],
    ) -> Result<usize, Box<dyn Error>> {
        let program = build::recorder(tree)?;
        let answered = tree.with_extension("cases.jsonl");
        let mut command = command(&program, self.subject, Duration::from_hours(1));
        command.stdin(self.file).stdout(File::create(&answered)?);
        let start = Instant::now();
        if !command.status()?.success() {
            return Err("the file of --cases has an invalid case".into());
        }
        let limit = Duration::from_secs(5) + start.elapsed() * 5;

        let (mut count, mut found) = (0, BTreeSet::new());
        for (number, mutant) in mutants {
            let mut command = self::command(&program, self.subject, limit);
            command.arg("--differing").env("MUTANT", number.to_string());
            command.stdin(File::open(&answered)?).stdout(Stdio::piped());
            let mut child = command.spawn()?;
            let output = child.stdout.take().ok_or("a program without output")?;
            let case = BufReader::new(output).lines().next().transpose()?;
            if case.is_some() {
                child.kill()?;
            }
            let is_ended = child.wait()?.success();
            if let Some(case) = case {
                println!("distinguished by a case: {}\n{case}", mutant.name);
                found.insert(case);
            } else if is_ended {
                continue;
            } else {
                println!("without an answer: {}", mutant.name);
            }
            count += 1;
        }
        let mut lines = File::create(tree.with_extension("found.jsonl"))?;
        for case in found {
            writeln!(lines, "{case}")?;
        }
        Ok(count)
    }
}

/// Returns the command that answers the cases of its input.
fn command(program: &Program, subject: &str, limit: Duration) -> Command {
    let mut command = judge::command(program, limit);
    command.args([subject, "ours"]);
    command
}
