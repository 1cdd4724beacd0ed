//! The process of the reference, the Go program in `../crd`, which reads and writes JSON lines.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

pub(crate) struct Reference {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Reference {
    pub(crate) fn start(program: &str) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(questions), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes to the reference".into());
        };
        let answers = BufReader::new(answers);
        Ok(Self {
            child,
            questions,
            answers,
        })
    }

    /// Sends a query, and returns the result. The program writes the result of a line before it
    /// reads the next line.
    pub(crate) fn ask(&mut self, question: &Value) -> Result<Value, Box<dyn Error>> {
        let mut line = question.to_string();
        line.push('\n');
        self.questions.write_all(line.as_bytes())?;
        line.clear();
        if self.answers.read_line(&mut line)? == 0 {
            let status = self.child.wait()?;
            return Err(format!("the reference gave up: {status}, at {question}").into());
        }
        Ok(serde_json::from_str(&line)?)
    }
}
