//! What the tool says to texts that somebody types: for a page that shows it beside them.
//!
//! A [`Session`] answers questions of JSON in JSON, by the same steps as the subcommands: `judge` is `check`, `tighten` is
//! `tighten`, `unions` is `unions --list`; `check_line` and `unions_line` are lines of `--jsonl`. Nothing is read but the questions.

mod costs;
mod crd;
mod judge;
mod note;
mod question;
mod read;
mod session;
mod stored;
mod tighten;
mod unions;

pub use session::Session;
