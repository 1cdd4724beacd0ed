//! Version skew, simulated (KEP-1027, "Discriminator Field"; `docs/design.md`, "Version skew"):
//! clients and API servers of two versions, where the newer one has one member more, and what
//! happens to every request that makes sense between them.
//!
//! [`Matrix`] is the table of it; its [`Display`](core::fmt::Display) is for people. The tests in
//! `tests/skew/version_skew` hold it to its laws, and the example `version_skew` prints it.
//!
//! - [`Version`], [`Union`]: the API, and how its union can be declared;
//! - [`Client`]: reads, edits and sends as its version can;
//! - [`Server`]: prunes, merges, and asks its [`Rules`];
//! - [`Cell`]: one request, and whether it makes sense;
//! - [`Verdict`]: what happened to it, by what was wanted and not by what the rules say.

mod api;
mod cell;
mod client;
mod matrix;
mod server;
mod table;
mod verdict;

pub use api::{Form, Member, Need, Union, Version};
pub use cell::{CLIENTS, COLUMNS, Cell, Column, INTENTS, Row, VERBS};
pub use client::{Client, Intent};
pub use matrix::{Matrix, Tally};
pub use server::{Answer, Rules, Server};
pub use union_compat::json;
pub use union_compat::skew::{ClientKind, Request, Verb, Verdict};
