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
    /// The number of files or objects; `None` if it is unknown.
    total: Option<usize>,
    /// The noun after the numbers, such as `files`.
    noun: String,
    processed_count: usize,
    is_shown: bool,
    last_drawn_at: Option<Instant>,
    /// The number of characters of the bar on the terminal.
    drawn_width: usize,
}

impl ProgressBar {
    /// Creates the bar for files. A single file has no bar.
    pub(crate) fn for_files(file_count: usize) -> Self {
        Self::new(Some(file_count), "files".to_owned(), file_count > 1)
    }

    /// Creates the bar for a list whose length is unknown. `noun` describes the objects.
    pub(crate) fn for_list(noun: String) -> Self {
        Self::new(None, noun, true)
    }

    fn new(total: Option<usize>, noun: String, is_wanted: bool) -> Self {
        Self {
            total,
            noun,
            processed_count: 0,
            is_shown: is_wanted && io::stderr().is_terminal(),
            last_drawn_at: None,
            drawn_width: 0,
        }
    }

    /// Sets the number of objects that follow the processed objects.
    pub(crate) fn set_remaining(&mut self, remaining_count: Option<usize>) {
        self.total = remaining_count.map(|count| self.processed_count + count);
    }

    /// Counts a processed file or object, and updates the bar.
    pub(crate) fn step(&mut self) {
        self.processed_count += 1;
        let is_due = self
            .last_drawn_at
            .is_none_or(|instant| instant.elapsed() >= REDRAW_INTERVAL);
        if !self.is_shown || !is_due {
            return;
        }
        let line = self.line();
        let padding = self.drawn_width.saturating_sub(line.len());
        self.last_drawn_at = Some(Instant::now());
        // If stderr is closed, the failure cannot be reported.
        let _ = write!(io::stderr(), "\r{line}{:padding$}", "");
        self.drawn_width = line.len();
    }

    fn line(&self) -> String {
        let Self {
            processed_count,
            noun,
            ..
        } = self;
        let Some(total) = self.total else {
            return format!("{processed_count} {noun}");
        };
        let done_width = (processed_count * WIDTH / total.max(1)).min(WIDTH);
        let done_part = "#".repeat(done_width);
        let open_part = "-".repeat(WIDTH - done_width);
        format!("[{done_part}{open_part}] {processed_count} of {total} {noun}")
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
