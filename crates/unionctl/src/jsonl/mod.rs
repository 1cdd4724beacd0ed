//! JSON lines: the parser of a line, and the loop over all lines.

pub(crate) mod line;
pub(crate) mod request_loop;
