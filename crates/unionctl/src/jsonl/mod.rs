//! The format JSON lines: a line with the positions of its parts, and the loop over all lines.

pub(crate) mod line;
pub(crate) mod request_loop;
