//! Reads lines from stdin, and replies to each at once.

use std::io::{self, BufRead, BufWriter, ErrorKind, Read as _, Write};

use serde::Serialize;

use crate::error::{CommandError, InputError};
use crate::input::{self, MAX_BYTES};
use crate::jsonl::line::JsonlLine;
use crate::output::print::{self, CommandStatus};

/// The reply to a line, or an error in the line.
#[derive(Serialize)]
#[serde(untagged)]
enum LineReply<T> {
    Success(T),
    Error { error: String },
}

/// Replies to each line that is not blank. A rejected object is part of a reply, so the status at
/// the end of stdin is always [`CommandStatus::Success`].
pub(crate) fn serve<T: Serialize>(
    mut reply_to: impl FnMut(&JsonlLine<'_>) -> Result<T, InputError>,
) -> Result<CommandStatus, CommandError> {
    let mut lines = JsonlReader::new(io::stdin().lock());
    let mut stdout = BufWriter::new(io::stdout().lock());
    while let Some((number, line)) = lines.next_line()? {
        let Some(reply) = reply(number, line, &mut reply_to) else {
            continue;
        };
        match write(&mut stdout, &reply) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            written => print::ignore_broken_pipe(written)?,
        }
    }
    Ok(CommandStatus::Success)
}

/// Returns the reply to a line; `None` if the line is blank.
fn reply<T>(
    number: usize,
    line: Result<&[u8], InputError>,
    reply_to: impl FnOnce(&JsonlLine<'_>) -> Result<T, InputError>,
) -> Option<LineReply<T>> {
    let result = match line.and_then(input::decode_utf8) {
        Ok(line) if line.trim_ascii().is_empty() => return None,
        Ok(line) => reply_to(&JsonlLine(line)),
        Err(error) => Err(error),
    };
    Some(result.map_or_else(
        |error| {
            let error = InputError {
                line: number,
                ..error
            };
            LineReply::Error {
                error: error.in_file("stdin").to_string(),
            }
        },
        LineReply::Success,
    ))
}

/// Returns the reply to a line as JSON; `None` if the line is blank.
pub(crate) fn reply_to_line<T: Serialize>(
    number: usize,
    line: &str,
    reply_to: impl FnOnce(&JsonlLine<'_>) -> Result<T, InputError>,
) -> Option<String> {
    let reply = reply(number, Ok(line.as_bytes()), reply_to)?;
    // A value that was parsed from JSON can always be written as JSON.
    let mut bytes = Vec::new();
    print::write_json(&mut bytes, &reply).ok()?;
    String::from_utf8(bytes).ok()
}

/// Writes a reply on a line, and flushes the output.
fn write<T: Serialize>(stdout: &mut impl Write, reply: &LineReply<T>) -> io::Result<()> {
    print::write_json(&mut *stdout, reply)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

/// A line, or its error, with the line number.
type NumberedLine<'l> = (usize, Result<&'l [u8], InputError>);

/// A reader of lines with one buffer, which is limited to [`MAX_BYTES`] bytes per line.
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

    /// Returns the number and the bytes of the next line, with its line break; `None` at the end.
    /// Lines count from 1. A line that is too long is an error of the line, and the next call
    /// continues behind it.
    fn next_line(&mut self) -> Result<Option<NumberedLine<'_>>, CommandError> {
        self.line.clear();
        self.number += 1;
        let is_too_long = self.read().map_err(|error| {
            CommandError::new("stdin", format!("cannot read the lines: {error}"))
        })?;
        if is_too_long {
            let limit = MAX_BYTES >> 20;
            let error = InputError {
                line: self.number,
                column: 1,
                message: format!("the line exceeds the limit of {limit} MiB"),
            };
            return Ok(Some((self.number, Err(error))));
        }
        let line = (!self.line.is_empty()).then_some(self.line.as_slice());
        Ok(line.map(|line| (self.number, Ok(line))))
    }

    /// Reads a line. Returns true if the line is too long, and skips the rest of the line.
    fn read(&mut self) -> io::Result<bool> {
        let limit = MAX_BYTES + 1;
        let mut input = self.input.by_ref().take(limit as u64);
        let is_too_long =
            input.read_until(b'\n', &mut self.line)? == limit && !self.line.ends_with(b"\n");
        if is_too_long {
            self.input.skip_until(b'\n')?;
            self.line = Vec::new();
        }
        Ok(is_too_long)
    }
}
