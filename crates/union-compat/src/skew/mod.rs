//! Version skew: requests between clients and servers of two versions of a type (KEP-1027,
//! "Discriminator Field").

mod api;
mod error;
mod matrix;
mod request;
mod simulate;
mod table;

pub use error::SkewError;
pub use matrix::{SkewCell, SkewMatrix, SkewOutcome, SkewRow, VersionSide};
pub use request::{
    ClientType, Intent, IntentOutcome, LEGEND, LOST_BY_LIMIT, MergedObject, ROW_LEGEND, Request,
    RequestVerb,
};
pub use simulate::skew;
