//! A simulation of version skew (KEP-1027, "Discriminator Field"; `docs/design.md`, "Version
//! skew").
//!
//! Clients and API servers have two versions, and the newer version has one member more. The
//! simulation runs every possible request between them.
//!
//! [`Matrix`] is the table of the results; its [`Display`](core::fmt::Display) prints it. The
//! tests in `tests/skew/version_skew` check the laws of the table, and the example `version_skew`
//! prints it.
//!
//! - [`Version`], [`Union`]: the API, and the declaration of its union
//! - [`Client`]: reads, edits and sends objects as its version can
//! - [`Server`]: merges, prunes, and applies its [`Rules`]
//! - [`Cell`]: a request, and a check if it is possible
//! - [`IntentOutcome`]: the stored object compared with the intended object, without the rules

mod api;
mod cell;
mod client;
mod matrix;
mod outcome;
mod server;
mod table;

pub use api::{Form, Member, Need, Union, Version};
pub use cell::{CLIENTS, COLUMNS, Cell, Column, INTENTS, Row, VERBS};
pub use client::{Client, Intent};
pub use matrix::{Matrix, Tally};
pub use server::{AcceptedRequest, Rules, Server};
pub use union_compat::json;
pub use union_compat::skew::{ClientType, IntentOutcome, Request, RequestVerb};
