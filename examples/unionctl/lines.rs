//! Lines of stdin, as they come.

use std::io::{self, BufRead, Read as _};

use crate::input::MOST_BYTES;
use crate::problem::{Flaw, Problem};

/// Reads line by line into one buffer, and no more than a line may have.
pub(crate) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    pub(crate) const fn new(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
            number: 0,
        }
    }

    /// The number of the line that was read last, from 1.
    pub(crate) const fn number(&self) -> usize {
        self.number
    }

    /// The next line, with its end; a flaw if it is too long. `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Result<&[u8], Flaw>>, Problem> {
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
