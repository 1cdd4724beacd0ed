// Folders, lowest first: errors, attr, name, model, check, expand, fallback, pipeline

//! The derives of [`union-runtime`](https://docs.rs/union-runtime), which re-exports them.

#![forbid(unsafe_code)]
// For every input, the derives return code or a compile error with a span. They never panic.
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

mod attr;
mod check;
mod errors;
mod expand;
mod fallback;
mod model;
mod name;
mod pipeline;
#[cfg(test)]
mod tests;

use syn::{DeriveInput, parse_macro_input};

/// Derives `UnionType`, and thereby `Union`, for a struct that contains unions.
#[cfg_attr(not(doctest), doc = include_str!("../attributes.md"))]
#[proc_macro_derive(Union, attributes(union, enum_type))]
pub fn derive_union(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    pipeline::expand_union(&input).into()
}

/// Derives `EnumType` for an enum that is a string with a closed set of values (KEP-2887).
#[cfg_attr(not(doctest), doc = include_str!("../attributes.md"))]
#[proc_macro_derive(EnumType, attributes(enum_type, union))]
pub fn derive_enum_type(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    pipeline::expand_enum_type(&input).into()
}

/// Derives `UnionEnum`, `UnionType`, `Serialize`, `Deserialize` and `JsonSchema` for a union in the
/// enum form, with one variant per member.
#[cfg_attr(not(doctest), doc = include_str!("../attributes.md"))]
#[proc_macro_derive(UnionEnum, attributes(union, enum_type, serde, schemars))]
pub fn derive_union_enum(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    pipeline::expand_union_enum(&input).into()
}
