//! Version skew: clients and servers of two versions of a type (KEP-1027, "Discriminator Field").

mod api;
mod matrix;
mod play;
mod request;
mod table;

pub use matrix::{Cell, Outcome, Row, Side, Skew, SkewError};
pub use play::{skew, skew_with};
pub use request::{ClientKind, Intent, LEGEND, ROWS, Request, Verb, Verdict};
