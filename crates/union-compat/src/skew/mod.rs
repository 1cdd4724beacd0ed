//! Version skew: clients and servers of two versions of a type (KEP-1027, "Discriminator Field").

mod api;
mod error;
mod matrix;
mod play;
mod request;
mod table;

pub use error::SkewError;
pub use matrix::{Cell, Outcome, Row, Side, Skew};
pub use play::skew;
pub use request::{ClientKind, Intent, LEGEND, LIMIT, Merged, ROWS, Request, Verb, Verdict};
