//! The process of the reference, the Go program in `../unions`, which reads and writes JSON lines.

use std::error::Error;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};
use std::thread;

use serde_json::Value;

pub(crate) struct Reference {
    program: PathBuf,
}

impl Reference {
    pub(crate) const fn new(program: PathBuf) -> Self {
        Self { program }
    }

    /// Returns one result for each query.
    pub(crate) fn ask(&self, questions: &[Value]) -> Result<Vec<Value>, Box<dyn Error>> {
        let mut child = Command::new(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes to the reference".into());
        };
        let answers = thread::scope(|scope| {
            // Another thread writes the queries, so that neither process waits at a full pipe.
            let writer = scope.spawn(|| write(stdin, questions));
            let mut answers = Vec::with_capacity(questions.len());
            for line in BufReader::new(stdout).lines() {
                answers.push(serde_json::from_str(&line?)?);
            }
            writer
                .join()
                .map_err(|_| "the questions were not written")??;
            Ok::<Vec<Value>, Box<dyn Error>>(answers)
        })?;
        let status = child.wait()?;
        if !status.success() || answers.len() != questions.len() {
            return Err(format!("the reference gave up: {status}").into());
        }
        Ok(answers)
    }
}

/// Writes the queries, and closes the pipe at the end, because the program reads until then.
fn write(stdin: ChildStdin, questions: &[Value]) -> std::io::Result<()> {
    let mut stdin = BufWriter::new(stdin);
    for question in questions {
        writeln!(stdin, "{question}")?;
    }
    stdin.flush()
}
