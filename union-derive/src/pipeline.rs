//! From an item to the tokens of its impls. Apart from the entry points, so that a fuzzer can call it.

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::diag::Diag;
use crate::model::{EnumInput, UnionInput};
use crate::{check, expand, fallback};

pub(crate) fn expand_union(input: &DeriveInput) -> TokenStream {
    let diag = Diag::default();
    let checked =
        UnionInput::from_syn(input, &diag).and_then(|input| check::check_union(&input, &diag));
    match (checked, diag.finish()) {
        (Some(checked), Ok(())) => expand::union::expand(&checked),
        (_, errors) => fallback::union(input, errors.err()),
    }
}

pub(crate) fn expand_enum_type(input: &DeriveInput) -> TokenStream {
    let diag = Diag::default();
    let checked =
        EnumInput::from_syn(input, &diag).and_then(|input| check::check_enum(&input, &diag));
    match (checked, diag.finish()) {
        (Some(enum_type), Ok(())) => expand::enum_type::expand(&enum_type),
        (_, errors) => fallback::enum_type(input, errors.err()),
    }
}
