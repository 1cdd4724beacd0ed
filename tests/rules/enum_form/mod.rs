//! Unions that are Rust enums.

mod kinds;
mod operations;
mod parents;
mod read;
mod shapes;
mod target;
mod world;
mod worlds;
