//! Lines of stdin, as they come, and an answer to each.

use std::io::{self, BufRead, BufWriter, ErrorKind, Read as _, Write};

use serde::Serialize;

use crate::input::{self, MOST_BYTES};
use crate::jsonl::line::Line;
use crate::output::output::{self, Verdict};
use crate::problem::{Flaw, Problem};

/// What is written.
#[derive(Serialize)]
#[serde(untagged)]
enum Reply<T> {
    Answer(T),
    Error { error: String },
}

/// Answers every line that is not blank. What is refused stands in the answers, so that all is fine once stdin ends.
pub(crate) fn serve<T: Serialize>(
    mut answer: impl FnMut(&Line<'_>) -> Result<T, Flaw>,
) -> Result<Verdict, Problem> {
    let mut lines = Lines::new(io::stdin().lock());
    let mut stdout = BufWriter::new(io::stdout().lock());
    while let Some((number, line)) = lines.next()? {
        let Some(reply) = reply(number, line, &mut answer) else {
            continue;
        };
        match write(&mut stdout, &reply) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            written => output::settle(written)?,
        }
    }
    Ok(Verdict::Fine)
}

/// The answer to a line of that number; `None` to one that is blank.
fn reply<T>(
    number: usize,
    line: Result<&[u8], Flaw>,
    answer: impl FnOnce(&Line<'_>) -> Result<T, Flaw>,
) -> Option<Reply<T>> {
    let answered = match line.and_then(input::text) {
        Ok(line) if line.trim_ascii().is_empty() => return None,
        Ok(line) => answer(&Line(line)),
        Err(flaw) => Err(flaw),
    };
    Some(answered.map_or_else(
        |flaw| {
            let flaw = Flaw {
                line: number,
                ..flaw
            };
            Reply::Error {
                error: flaw.of_file("stdin").to_string(),
            }
        },
        Reply::Answer,
    ))
}

/// The same as it is printed.
pub(crate) fn printed<T: Serialize>(
    number: usize,
    line: &str,
    answer: impl FnOnce(&Line<'_>) -> Result<T, Flaw>,
) -> Option<String> {
    let reply = reply(number, Ok(line.as_bytes()), answer)?;
    // What was read from JSON can be written.
    serde_json::to_string(&reply).ok()
}

/// Writes a line, and holds nothing back.
fn write<T: Serialize>(stdout: &mut impl Write, reply: &Reply<T>) -> io::Result<()> {
    serde_json::to_writer(&mut *stdout, reply)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

/// A line, behind its number.
type Numbered<'l> = (usize, Result<&'l [u8], Flaw>);

/// Reads line by line into one buffer, and no more than a line may have.
struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    const fn new(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
            number: 0,
        }
    }

    /// The next line, with its end, behind its number from 1; a flaw if it is too long. `None` at the end.
    fn next(&mut self) -> Result<Option<Numbered<'_>>, Problem> {
        self.line.clear();
        self.number += 1;
        let is_too_long = self.read().map_err(|error| {
            Problem::new(
                "stdin",
                format!("cannot read it: {error}; give lines of JSON"),
            )
        })?;
        if is_too_long {
            let most = MOST_BYTES >> 20;
            let flaw = Flaw {
                line: self.number,
                column: 1,
                text: format!("it is larger than {most} MiB; give a smaller object"),
            };
            return Ok(Some((self.number, Err(flaw))));
        }
        let line = (!self.line.is_empty()).then_some(self.line.as_slice());
        Ok(line.map(|line| (self.number, Ok(line))))
    }

    /// Reads a line, and skips the rest of one that is too long.
    fn read(&mut self) -> io::Result<bool> {
        let most = MOST_BYTES + 1;
        let mut input = self.input.by_ref().take(most as u64);
        let is_too_long =
            input.read_until(b'\n', &mut self.line)? == most && !self.line.ends_with(b"\n");
        if is_too_long {
            self.input.skip_until(b'\n')?;
            self.line = Vec::new();
        }
        Ok(is_too_long)
    }
}
