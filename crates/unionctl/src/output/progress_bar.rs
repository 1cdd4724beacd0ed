//! A progress bar on one line of a terminal.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// The width of the bar in characters.
const WIDTH: usize = 24;

/// The minimum time between two updates of the bar, because terminals are slow.
const REDRAW_INTERVAL: Duration = Duration::from_millis(80);

/// A progress bar on stderr, if stderr is a terminal. The bar is erased when it is dropped, so that
/// only messages remain.
pub(crate) struct ProgressBar {
    file_count: usize,
    processed_count: usize,
    is_shown: bool,
    last_drawn_at: Option<Instant>,
    /// The number of characters of the bar on the terminal.
    drawn_width: usize,
}

impl ProgressBar {
    pub(crate) fn new(file_count: usize) -> Self {
        Self {
            file_count,
            processed_count: 0,
            is_shown: file_count > 1 && io::stderr().is_terminal(),
            last_drawn_at: None,
            drawn_width: 0,
        }
    }

    /// Counts a processed file, and updates the bar.
    pub(crate) fn step(&mut self) {
        self.processed_count += 1;
        let is_due = self
            .last_drawn_at
            .is_none_or(|instant| instant.elapsed() >= REDRAW_INTERVAL);
        if !self.is_shown || !is_due {
            return;
        }
        self.last_drawn_at = Some(Instant::now());
        let done_width = (self.processed_count * WIDTH / self.file_count.max(1)).min(WIDTH);
        let done_part = "#".repeat(done_width);
        let open_part = "-".repeat(WIDTH - done_width);
        let line = format!(
            "[{done_part}{open_part}] {} of {} files",
            self.processed_count, self.file_count
        );
        // If stderr is closed, the failure cannot be reported.
        let _ = write!(io::stderr(), "\r{line}");
        self.drawn_width = line.len();
    }

    /// Erases the bar, so that a message can be printed in its place.
    pub(crate) fn clear(&mut self) {
        if self.last_drawn_at.take().is_some() {
            // Every terminal supports erasing by spaces.
            let _ = write!(io::stderr(), "\r{:1$}\r", "", self.drawn_width);
        }
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.clear();
    }
}
