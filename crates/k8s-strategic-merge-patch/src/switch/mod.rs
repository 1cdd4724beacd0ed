//! The switch of a union to another member, and the owners of the fields that go.

pub(crate) mod owner;
pub(crate) mod step;
pub(crate) mod switch;
