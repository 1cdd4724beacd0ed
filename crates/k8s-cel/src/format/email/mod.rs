//! `email`: one address of RFC 5322, with the name of a person or without, as Go reads it.

mod address;
mod atom;
mod encoded;
mod reader;

pub(super) use self::address::is_email;
