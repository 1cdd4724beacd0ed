//! Lines of stdin, as they come, and an answer to each.

use std::io::{self, BufRead, BufWriter, ErrorKind, Read as _, Write};

use serde::Serialize;

use crate::input::{self, MOST_BYTES};
use crate::line::Line;
use crate::output::{self, Verdict};
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
    while let Some(line) = lines.next()? {
        let answered = match line.and_then(input::text) {
            Ok(line) if line.trim_ascii().is_empty() => continue,
            Ok(line) => answer(&Line(line)),
            Err(flaw) => Err(flaw),
        };
        let reply = answered.map_or_else(
            |flaw| Reply::Error {
                error: Flaw {
                    line: lines.number(),
                    ..flaw
                }
                .of_file("stdin")
                .to_string(),
            },
            Reply::Answer,
        );
        match write(&mut stdout, &reply) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            written => output::settle(written)?,
        }
    }
    Ok(Verdict::Fine)
}

/// Writes a line, and holds nothing back.
fn write<T: Serialize>(stdout: &mut impl Write, reply: &Reply<T>) -> io::Result<()> {
    serde_json::to_writer(&mut *stdout, reply)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

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

    /// The number of the line that was read last, from 1.
    const fn number(&self) -> usize {
        self.number
    }

    /// The next line, with its end; a flaw if it is too long. `None` at the end.
    fn next(&mut self) -> Result<Option<Result<&[u8], Flaw>>, Problem> {
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
            return Ok(Some(Err(Flaw {
                line: self.number,
                column: 1,
                text: format!("it is larger than {most} MiB; give a smaller object"),
            })));
        }
        Ok((!self.line.is_empty()).then_some(Ok(self.line.as_slice())))
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
