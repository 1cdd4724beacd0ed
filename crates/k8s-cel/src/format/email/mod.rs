//! The format `email`: one address of RFC 5322, with or without the name of a person, as Go parses
//! it.

mod address;
mod atom;
mod encoded;
mod parser;

pub(super) use self::address::is_email;
