//! The log: a bounded queue of lines, and a thread that writes the lines to stderr.
//!
//! Answers never wait for the log. A line that finds no room in the queue, or that cannot be
//! written, is dropped and counted. The count is logged as soon as a line can be written again.

mod queue;
mod subscriber;

pub use queue::{DroppedLines, LogQueue};
pub use subscriber::{LogFormat, flush, install};
