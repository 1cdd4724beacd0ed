//! The parser of an address.

use k8s_go_text::scan::Scanner;

/// An error for a string that is not an address. No caller needs the reason.
pub(super) struct AddressError;

pub(super) type ParseResult<T = ()> = Result<T, AddressError>;

/// A parser of an address, with the bytes that are not parsed yet.
pub(super) struct AddressParser<'t>(pub(super) Scanner<'t>);
