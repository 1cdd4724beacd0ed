//! Format strings: `'%s has %d'.format([name, count])`.

mod check;
mod clause;
mod float;
mod format;
mod shown;

pub(crate) use self::check::{Part, check};
pub(super) use self::format::FUNCTIONS;
