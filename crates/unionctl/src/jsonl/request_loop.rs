//! Reads lines of stdin as they arrive, and answers each.

use std::io::{self, BufRead, BufWriter, ErrorKind, Read as _, Write};

use serde::Serialize;

use crate::error::{CommandError, InputError};
use crate::input::{self, MAX_BYTES};
use crate::jsonl::line::JsonlLine;
use crate::output::print::{self, CommandStatus};

/// The reply to a line.
#[derive(Serialize)]
#[serde(untagged)]
enum LineReply<T> {
    Success(T),
    Error { error: String },
}

/// Answers every line that is not blank. Rejected objects are part of the answers, so the verdict
/// at the end of stdin is always [`Verdict::Success`].
pub(crate) fn serve<T: Serialize>(
    mut answer: impl FnMut(&JsonlLine<'_>) -> Result<T, InputError>,
) -> Result<CommandStatus, CommandError> {
    let mut lines = JsonlReader::new(io::stdin().lock());
    let mut stdout = BufWriter::new(io::stdout().lock());
    while let Some((number, line)) = lines.next_line()? {
        let Some(reply) = reply(number, line, &mut answer) else {
            continue;
        };
        match write(&mut stdout, &reply) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            written => print::ignore_broken_pipe(written)?,
        }
    }
    Ok(CommandStatus::Success)
}

/// Returns the answer to the line with this number; `None` to a blank line.
fn reply<T>(
    number: usize,
    line: Result<&[u8], InputError>,
    answer: impl FnOnce(&JsonlLine<'_>) -> Result<T, InputError>,
) -> Option<LineReply<T>> {
    let answered = match line.and_then(input::decode_utf8) {
        Ok(line) if line.trim_ascii().is_empty() => return None,
        Ok(line) => answer(&JsonlLine(line)),
        Err(flaw) => Err(flaw),
    };
    Some(answered.map_or_else(
        |flaw| {
            let flaw = InputError {
                line: number,
                ..flaw
            };
            LineReply::Error {
                error: flaw.in_file("stdin").to_string(),
            }
        },
        LineReply::Success,
    ))
}

/// Returns the answer to a line as JSON; `None` to a blank line.
pub(crate) fn reply_to_line<T: Serialize>(
    number: usize,
    line: &str,
    answer: impl FnOnce(&JsonlLine<'_>) -> Result<T, InputError>,
) -> Option<String> {
    let reply = reply(number, Ok(line.as_bytes()), answer)?;
    // A value that was read from JSON can always be written.
    let mut bytes = Vec::new();
    print::write_json(&mut bytes, &reply).ok()?;
    String::from_utf8(bytes).ok()
}

/// Writes a line, and flushes it.
fn write<T: Serialize>(stdout: &mut impl Write, reply: &LineReply<T>) -> io::Result<()> {
    print::write_json(&mut *stdout, reply)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

/// The number of a line, and the line.
type NumberedLine<'l> = (usize, Result<&'l [u8], InputError>);

/// A reader of lines with one buffer, which reads at most as many bytes as a line may have.
struct JsonlReader<R> {
    input: R,
    line: Vec<u8>,
    number: usize,
}

impl<R: BufRead> JsonlReader<R> {
    const fn new(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
            number: 0,
        }
    }

    /// Returns the next line, including its line break, and its number, which counts from 1. The
    /// line is a flaw if it is too long. Returns `None` at the end.
    fn next_line(&mut self) -> Result<Option<NumberedLine<'_>>, CommandError> {
        self.line.clear();
        self.number += 1;
        let is_too_long = self.read().map_err(|error| {
            CommandError::new("stdin", format!("cannot read the lines: {error}"))
        })?;
        if is_too_long {
            let most = MAX_BYTES >> 20;
            let flaw = InputError {
                line: self.number,
                column: 1,
                message: format!("the line exceeds the limit of {most} MiB"),
            };
            return Ok(Some((self.number, Err(flaw))));
        }
        let line = (!self.line.is_empty()).then_some(self.line.as_slice());
        Ok(line.map(|line| (self.number, Ok(line))))
    }

    /// Reads a line. Returns true if the line is too long; then its rest is skipped.
    fn read(&mut self) -> io::Result<bool> {
        let most = MAX_BYTES + 1;
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
