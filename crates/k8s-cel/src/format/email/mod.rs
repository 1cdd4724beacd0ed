//! The format `email`: one address of RFC 5322, with or without a display name, as Go's
//! `mail.ParseAddress` parses it.

mod address;
mod atom;
mod encoded;
mod parser;

pub(super) use self::address::is_email;
