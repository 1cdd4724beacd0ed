//! The whole union model: several unions in a struct, unions without a discriminator, the 2019 normalization and shape.

pub(crate) mod containers;
pub(crate) mod laws;
pub(crate) mod model;
pub(crate) mod real;
pub(crate) mod samples;
pub(crate) mod schema;
pub(crate) mod several;
pub(crate) mod text;
pub(crate) mod volumes;
pub(crate) mod wide;
pub(crate) mod world;
pub(crate) mod worlds;
