//! Creates a small valid object of a schema.
//!
//! The first object has the required fields, each with a small value. A search then changes the
//! object until its validator accepts the object.

mod changes;
pub(crate) mod dictionary;
pub(crate) mod json_size;
pub(crate) mod pattern;
pub(crate) mod schema;
pub(crate) mod search;
pub(crate) mod small_value;
pub(crate) mod strings;

pub(crate) use changes::removals;
pub use schema::changeable_schema;
pub use search::{Found, SampleError, find_sample};
pub use small_value::small_value;
pub use strings::common_strings;
