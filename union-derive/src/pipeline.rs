//! Expands an item to the tokens of its impls. The entry points of the derives are separate, so
//! that a fuzzer can call these functions.

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::errors::Errors;
use crate::model::{DeferredHookCheck, EnumInput, UnionEnumInput, UnionInput};
use crate::{check, expand, fallback};

pub(crate) fn expand_union(item: &DeriveInput) -> TokenStream {
    let errors = Errors::default();
    let input = UnionInput::from_syn(item, &errors);
    let mut hook = DeferredHookCheck::NotNeeded;
    let checked = input.as_ref().and_then(|input| {
        hook = check::check_struct_hook(input, &errors);
        check::check_union(input, &errors)
    });
    match (checked, errors.finish()) {
        (Some(checked), Ok(())) => expand::union::expand(&checked, &hook),
        (_, errors) => fallback::union(item, &hook, errors.err()),
    }
}

pub(crate) fn expand_enum_type(item: &DeriveInput) -> TokenStream {
    let errors = Errors::default();
    let input = EnumInput::from_syn(item, &errors);
    let mut hook = DeferredHookCheck::NotNeeded;
    let checked = input.as_ref().and_then(|input| {
        hook = check::check_enum_hook(input, &errors);
        check::check_enum(input, &errors)
    });
    match (checked, errors.finish()) {
        (Some(enum_type), Ok(())) => expand::enum_type::expand(&enum_type, &hook),
        (_, errors) => fallback::enum_type(item, &hook, errors.err()),
    }
}

pub(crate) fn expand_union_enum(item: &DeriveInput) -> TokenStream {
    let errors = Errors::default();
    let input = UnionEnumInput::from_syn(item, &errors);
    let checked = input
        .as_ref()
        .and_then(|input| check::check_union_enum(input, &errors));
    match (checked, errors.finish()) {
        (Some(checked), Ok(())) => expand::union_enum::union_enum(&checked),
        (_, errors) => fallback::union_enum(item, errors.err()),
    }
}
