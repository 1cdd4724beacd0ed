//! Tests of members that this build does not know, which `#[union(unknown)]` keeps.
//!
//! Reading an object with unknown members never fails, and writing gives the same object. Unknown
//! members are cleared only if the discriminator changes from their value to another value.

mod by_schema;
mod flattened;
mod json;
pub(crate) mod objects;
mod round_trip;
mod schema;
pub(crate) mod types;

pub(crate) use self::json::{read, to_json};
