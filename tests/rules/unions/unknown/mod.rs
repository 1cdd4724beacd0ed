//! Members that this build does not know, kept by `#[union(unknown)]`: reading never fails, writing gives back what was
//! read, and only a discriminator that leaves their value clears them.

mod by_schema;
mod flattened;
mod json;
pub(crate) mod objects;
mod round_trip;
mod schema;
pub(crate) mod types;

pub(crate) use self::json::{read, written};
