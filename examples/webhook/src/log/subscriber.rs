//! The subscriber of `tracing`.

use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;
use std::time::Duration;

use tracing::level_filters::LevelFilter;

use super::queue::LogQueue;

/// The time that a process waits for its last lines to be written.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// The format of log lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// A JSON object per line.
    #[default]
    Json,
    /// Plain text.
    Text,
}

/// Installs the global subscriber of `tracing`, which logs to stderr through a queue of at most
/// `max_queued_bytes`.
///
/// # Errors
///
/// Returns an error if stderr cannot be duplicated, or if the thread cannot be started.
pub fn install(
    level: LevelFilter,
    format: LogFormat,
    max_queued_bytes: usize,
) -> io::Result<LogQueue> {
    // `std::io::Stderr` has a lock, which a blocked write would hold forever.
    let stderr = File::from(io::stderr().as_fd().try_clone_to_owned()?);
    let queue = LogQueue::start(stderr, max_queued_bytes)?;
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_writer(queue.clone());
    match format {
        LogFormat::Json => subscriber.json().flatten_event(true).init(),
        LogFormat::Text => subscriber.init(),
    }
    Ok(queue)
}

/// Waits until all lines are written, but not longer than a second.
pub fn flush(queue: &LogQueue) {
    queue.flush(FLUSH_TIMEOUT);
}
