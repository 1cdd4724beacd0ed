//! Unions that are Rust enums.

mod kinds;
mod operations;
mod read;
mod shapes;
mod target;
mod world;
mod worlds;
