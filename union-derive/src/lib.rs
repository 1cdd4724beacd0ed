//! The derives of [`union-runtime`](https://docs.rs/union-runtime), which re-exports them.

mod attr;
mod check;
mod diag;
mod expand;
mod fallback;
mod hook;
mod model;
mod name;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `Union`: of these fields, one may be set.
#[doc = include_str!("../attributes.md")]
#[proc_macro_derive(Union, attributes(union))]
pub fn derive_union(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand_union(&input).into()
}

/// Derives `EnumType`: a string with a closed set of values (KEP-2887).
#[doc = include_str!("../attributes.md")]
#[proc_macro_derive(EnumType, attributes(enum_type))]
pub fn derive_enum_type(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand_enum_type(&input).into()
}

fn expand_union(input: &DeriveInput) -> TokenStream {
    let diag = diag::Diag::default();
    let checked = model::UnionInput::from_syn(input, &diag)
        .and_then(|input| check::check_union(&input, &diag));
    match (checked, diag.finish()) {
        (Some(checked), Ok(())) => expand::union::expand(&checked),
        (_, errors) => fallback::union(input, errors.err()),
    }
}

fn expand_enum_type(input: &DeriveInput) -> TokenStream {
    let diag = diag::Diag::default();
    let checked =
        model::EnumInput::from_syn(input, &diag).and_then(|input| check::check_enum(&input, &diag));
    match (checked, diag.finish()) {
        (Some(enum_type), Ok(())) => expand::enum_type::expand(&enum_type),
        (_, errors) => fallback::enum_type(input, errors.err()),
    }
}
