//! Verdicts on documents that a user types, for a page that shows them beside the documents.
//!
//! A [`Session`] answers questions in JSON by answers in JSON, with the code of the subcommands:
//! `judge` is `check`, `tighten` is `tighten`, `unions` is `unions --list`; `check_line` and
//! `unions_line` answer lines of `--jsonl`. A session reads nothing but the questions: neither
//! files nor stdin.

mod costs;
mod crd;
mod editor_inputs;
mod editor_message;
mod judge;
mod request;
mod session;
mod stored_diff;
mod tighten;
mod unions;

pub use session::Session;
