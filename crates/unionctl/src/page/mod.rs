//! Validates documents that a user types, for a web page that shows the results beside the
//! documents.
//!
//! A [`Session`] replies to requests in JSON, with the code of the subcommands: `judge` is `check`,
//! `tighten` is `tighten`, `unions` is `unions --list`; `check_line` and `unions_line` reply to
//! lines of `--jsonl`. A session reads neither files nor stdin.

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
