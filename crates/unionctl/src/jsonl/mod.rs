//! The format JSON lines: a line with its place, and the loop over all lines.

pub(crate) mod line;
pub(crate) mod lines;
