//! A progress bar on one line of a terminal.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// The width of the bar in characters.
const WIDTH: usize = 24;

/// The minimum time between two updates of the bar, because terminals are slow.
const PAUSE: Duration = Duration::from_millis(80);

/// A progress bar on stderr, if stderr is a terminal. The bar is erased when it is dropped, so that
/// only messages remain.
pub(crate) struct ProgressBar {
    total: usize,
    done: usize,
    is_shown: bool,
    drawn: Option<Instant>,
    drawn_width: usize,
}

impl ProgressBar {
    pub(crate) fn new(total: usize) -> Self {
        Self {
            total,
            done: 0,
            is_shown: total > 1 && io::stderr().is_terminal(),
            drawn: None,
            drawn_width: 0,
        }
    }

    /// Counts a processed file, and updates the bar.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        let is_due = self.drawn.is_none_or(|drawn| drawn.elapsed() >= PAUSE);
        if !self.is_shown || !is_due {
            return;
        }
        self.drawn = Some(Instant::now());
        let filled = (self.done * WIDTH / self.total.max(1)).min(WIDTH);
        let (bar, rest) = ("#".repeat(filled), "-".repeat(WIDTH - filled));
        let line = format!("[{bar}{rest}] {} of {} files", self.done, self.total);
        // If stderr is closed, the failure cannot be reported.
        let _ = write!(io::stderr(), "\r{line}");
        self.drawn_width = line.len();
    }

    /// Erases the bar, so that a message can be printed in its place.
    pub(crate) fn clear(&mut self) {
        if self.drawn.take().is_some() {
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
