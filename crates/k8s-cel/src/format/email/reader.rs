//! The reader of an address.

use k8s_go_text::scan::Scan;

/// The error for a string that is not an address. No caller needs the reason.
pub(super) struct Refused;

pub(super) type Read<T = ()> = Result<T, Refused>;

pub(super) struct Reader<'t>(pub(super) Scan<'t>);
