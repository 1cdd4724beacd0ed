//! The parts of the cluster that cannot be read.

use super::kubectl::ReadError;
use crate::error::CommandError;
use crate::output::print;

/// The number of parts that cannot be read. Each is reported when it is found.
#[derive(Debug, Default)]
pub(crate) struct UnreadParts {
    count: usize,
}

impl UnreadParts {
    /// Reports a part that is skipped. Returns an error instead if nothing can be read any more.
    pub(super) fn add(&mut self, part: &str, error: ReadError) -> Result<(), CommandError> {
        match error {
            ReadError::Stops(error) => Err(error),
            error => {
                self.add_message(part, &error.message());
                Ok(())
            }
        }
    }

    /// Reports a part that is skipped.
    pub(super) fn add_message(&mut self, part: &str, message: &str) {
        self.count += 1;
        print::warnings(&[format!("not read from the cluster: {part}: {message}")]);
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }
}
