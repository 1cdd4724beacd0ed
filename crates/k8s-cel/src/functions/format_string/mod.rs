//! Format strings: `'%s has %d'.format([name, count])`.

mod check;
mod float;
mod format;
mod specifier;
mod value;

pub(crate) use self::check::{ArgumentType, check_format_string};
pub(super) use self::format::FUNCTIONS;
