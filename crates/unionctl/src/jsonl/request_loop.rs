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
    while let Some((line_number, line)) = lines.next_line()? {
        let Some(reply) = reply_to_bytes(line_number, line, &mut reply_to) else {
            continue;
        };
        match write_reply(&mut stdout, &reply) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            write_result => print::ignore_broken_pipe(write_result)?,
        }
    }
    Ok(CommandStatus::Success)
}

/// Returns the reply to a line; `None` if the line is blank.
fn reply_to_bytes<T>(
    line_number: usize,
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
                line: line_number,
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
    line_number: usize,
    line: &str,
    reply_to: impl FnOnce(&JsonlLine<'_>) -> Result<T, InputError>,
) -> Option<String> {
    let reply = reply_to_bytes(line_number, Ok(line.as_bytes()), reply_to)?;
    // A value that was parsed from JSON can always be written as JSON.
    let mut bytes = Vec::new();
    print::write_json(&mut bytes, &reply).ok()?;
    String::from_utf8(bytes).ok()
}

/// Writes a reply on a line, and flushes the output.
fn write_reply<T: Serialize>(stdout: &mut impl Write, reply: &LineReply<T>) -> io::Result<()> {
    print::write_json(&mut *stdout, reply)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

/// The number of a line, and its bytes or its error.
type NumberedLine<'l> = (usize, Result<&'l [u8], InputError>);

/// A reader of lines of at most [`MAX_BYTES`] bytes.
struct JsonlReader<R> {
    input: R,
    line: Vec<u8>,
    line_number: usize,
}

impl<R: BufRead> JsonlReader<R> {
    const fn new(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
            line_number: 0,
        }
    }

    /// Returns the number and the bytes of the next line, with its line break; `None` at the end.
    /// Lines count from 1. After a line that is too long, reading continues with the next line.
    fn next_line(&mut self) -> Result<Option<NumberedLine<'_>>, CommandError> {
        self.line.clear();
        self.line_number += 1;
        let is_too_long = self.read_line().map_err(|error| {
            CommandError::new("stdin", format!("cannot read the lines: {error}"))
        })?;
        if is_too_long {
            let limit_mib = MAX_BYTES >> 20;
            let error = InputError {
                line: self.line_number,
                column: 1,
                message: format!("the line exceeds the limit of {limit_mib} MiB"),
            };
            return Ok(Some((self.line_number, Err(error))));
        }
        let line = (!self.line.is_empty()).then_some(self.line.as_slice());
        Ok(line.map(|line| (self.line_number, Ok(line))))
    }

    /// Reads a line. Returns true if the line is too long, and skips the rest of the line.
    fn read_line(&mut self) -> io::Result<bool> {
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
