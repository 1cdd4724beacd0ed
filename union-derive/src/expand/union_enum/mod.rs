//! The tokens of a union that is a Rust enum. The runtime reads and writes the enum, and calls the
//! generated code to handle a single variant.

mod children;
mod form;
mod schema;
mod serde;
mod target;
mod union_impl;

pub(crate) use self::union_impl::union_enum;
