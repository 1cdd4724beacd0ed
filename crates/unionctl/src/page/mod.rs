//! Validates documents that a user types, for a web page that shows the results beside the
//! documents.
//!
//! A [`Session`] replies to requests in JSON, with the code of the subcommands. The methods
//! `check`, `tighten` and `upgrade` correspond to the subcommands of these names, and `unions` to
//! `unions --list`. `sample` creates an object. `check_line` and `unions_line` reply to lines of
//! `--jsonl`. A session reads neither files nor stdin.

mod builtin;
mod costs;
mod crd;
mod editor_inputs;
mod editor_message;
mod object_verdict;
mod request;
mod sample;
mod session;
mod stored_diff;
mod tighten;
mod type_mismatch;
mod unions;
mod upgrade;
mod verdicts;

pub use session::Session;
