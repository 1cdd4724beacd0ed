//! The tokens of a union in the enum form. The runtime serializes and deserializes the enum, and
//! calls the generated code for a single variant.

mod children;
mod context;
mod form;
mod schema;
mod serde;
mod union_impl;

pub(crate) use self::union_impl::union_enum;
