//! The whole union model: several unions in a struct, unions without a discriminator, the 2019 normalization and shape.

mod clients;
mod containers;
mod laws;
mod model;
mod real;
mod samples;
mod schema;
mod several;
mod text;
mod texts;
mod volumes;
mod wide;
mod world;
mod worlds;
