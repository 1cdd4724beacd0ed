//! Creates a small valid object of a CRD, as a start for users who have no object at hand.
//!
//! The first object has the required fields, each with a small value. A search then changes the
//! object until the validator of the other replies accepts the object.

mod changes;
mod dictionary;
mod pattern;
mod reply;
mod schema;
mod search;
mod small_value;
mod strings;

pub(super) use reply::{sample_choices, sample_reply};
