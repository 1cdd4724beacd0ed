//! Tests of the whole union model: several unions in a struct, unions without a discriminator, and
//! the normalization and the shape of the 2019 text.

pub(crate) mod containers;
pub(crate) mod kubernetes;
pub(crate) mod laws;
pub(crate) mod model;
pub(crate) mod samples;
pub(crate) mod schema;
pub(crate) mod several;
pub(crate) mod small_objects;
pub(crate) mod states;
pub(crate) mod text;
pub(crate) mod volumes;
pub(crate) mod wide;
