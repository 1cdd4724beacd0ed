//! The queue of log lines, and the thread that writes them.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tracing_subscriber::fmt::MakeWriter;

/// The pause before a write to a full non-blocking pipe is repeated.
const RETRY_DELAY: Duration = Duration::from_millis(10);

/// A bounded queue of log lines. All clones share the lines and the thread that writes them.
#[derive(Clone, Debug)]
pub struct LogQueue(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    lines: Mutex<Lines>,
    /// Notifies about a new line, and about a line that is done.
    changed: Condvar,
    dropped: Arc<DroppedLines>,
    max_bytes: usize,
}

#[derive(Debug, Default)]
struct Lines {
    waiting: VecDeque<Vec<u8>>,
    waiting_bytes: usize,
    /// True while the thread writes a line. This line is not in `waiting`.
    is_writing: bool,
}

/// The numbers of log lines that were dropped.
#[derive(Debug, Default)]
pub struct DroppedLines {
    queue_full: AtomicU64,
    write_failed: AtomicU64,
    reported: AtomicU64,
}

impl DroppedLines {
    /// Returns the number of lines that found no room in the queue.
    #[must_use]
    pub fn queue_full(&self) -> u64 {
        self.queue_full.load(Ordering::Relaxed)
    }

    /// Returns the number of lines that could not be written.
    #[must_use]
    pub fn write_failed(&self) -> u64 {
        self.write_failed.load(Ordering::Relaxed)
    }

    /// Returns the number of lines that were dropped since the last call.
    fn take_unreported(&self) -> u64 {
        let total = self.queue_full() + self.write_failed();
        total.saturating_sub(self.reported.swap(total, Ordering::Relaxed))
    }
}

impl LogQueue {
    /// Starts a thread that writes lines to `output`, and returns its queue of at most `max_bytes`.
    ///
    /// # Errors
    ///
    /// Returns an error if the thread cannot be started.
    pub fn start(output: impl Write + Send + 'static, max_bytes: usize) -> io::Result<Self> {
        let queue = Self(Arc::new(Shared {
            lines: Mutex::default(),
            changed: Condvar::new(),
            dropped: Arc::default(),
            max_bytes,
        }));
        let shared = Arc::clone(&queue.0);
        let thread = thread::Builder::new().name("log".to_owned());
        thread.spawn(move || write_lines(&shared, output))?;
        Ok(queue)
    }

    /// Returns the counters of dropped lines.
    #[must_use]
    pub fn dropped(&self) -> &Arc<DroppedLines> {
        &self.0.dropped
    }

    /// Returns the size of the lines that wait to be written, in bytes.
    #[must_use]
    pub fn waiting_bytes(&self) -> usize {
        self.0.lock().waiting_bytes
    }

    /// Adds a line, or drops the line if the queue is full.
    pub fn push(&self, line: &[u8]) {
        let mut lines = self.0.lock();
        if line.len() > self.0.max_bytes - lines.waiting_bytes {
            self.0.dropped.queue_full.fetch_add(1, Ordering::Relaxed);
            return;
        }
        lines.waiting_bytes += line.len();
        lines.waiting.push_back(line.to_vec());
        drop(lines);
        self.0.changed.notify_all();
    }

    /// Waits until all lines are written, but not longer than `limit`.
    pub fn flush(&self, limit: Duration) {
        let deadline = Instant::now() + limit;
        let mut lines = self.0.lock();
        while lines.is_writing || !lines.waiting.is_empty() {
            let remaining = deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                return;
            }
            let wait_result = self.0.changed.wait_timeout(lines, remaining);
            lines = wait_result.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Shared {
    /// Locks the lines. A panic of another thread cannot make them inconsistent.
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the last line as done, and waits for the next line.
    fn next_line(&self) -> Vec<u8> {
        let mut lines = self.lock();
        lines.is_writing = false;
        self.changed.notify_all();
        loop {
            if let Some(line) = lines.waiting.pop_front() {
                lines.waiting_bytes -= line.len();
                lines.is_writing = true;
                return line;
            }
            let wait_result = self.changed.wait(lines);
            lines = wait_result.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Writes the lines of a queue until the process ends.
fn write_lines(shared: &Shared, mut output: impl Write) {
    let mut is_line_incomplete = false;
    loop {
        let line = shared.next_line();
        match write_line(&mut output, &line, &mut is_line_incomplete) {
            Ok(()) => report_dropped(&shared.dropped),
            Err(_) => {
                shared.dropped.write_failed.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// Logs the number of lines that were dropped since the last report. The thread calls the function
/// after a line was written, so there is room for the report.
fn report_dropped(dropped: &DroppedLines) {
    let count = dropped.take_unreported();
    if count > 0 {
        let (queue_full, write_failed) = (dropped.queue_full(), dropped.write_failed());
        tracing::warn!(
            dropped = count,
            queue_full,
            write_failed,
            "log lines were dropped"
        );
    }
}

/// Writes a line. A line of which only the start could be written is ended before the next line.
fn write_line(
    output: &mut impl Write,
    line: &[u8],
    is_line_incomplete: &mut bool,
) -> io::Result<()> {
    if *is_line_incomplete {
        let mut ignored = false;
        write_bytes(output, b"\n", &mut ignored)?;
        *is_line_incomplete = false;
    }
    write_bytes(output, line, is_line_incomplete)?;
    output.flush()
}

/// Writes all bytes. If that fails after some of them, `is_incomplete` becomes true.
fn write_bytes(
    output: &mut impl Write,
    mut bytes: &[u8],
    is_incomplete: &mut bool,
) -> io::Result<()> {
    while !bytes.is_empty() {
        match output.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                *is_incomplete = !bytes.is_empty();
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Another process has made the pipe non-blocking.
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY_DELAY),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A writer of one event, which `tracing-subscriber` writes at once.
impl Write for LogQueue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for LogQueue {
    type Writer = Self;

    fn make_writer(&'w self) -> Self {
        self.clone()
    }
}
